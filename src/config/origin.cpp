#include "config/origin.h"

#include "config/keys.h"
#include "config/run_config.h"
#include "core/table_reader.h"

namespace layerlab::config {
namespace {

constexpr const char* kPrefix = "cell:";

TomlNode with_replaced(TomlNode run, const TomlNode& origin) {
  for (const auto& [key, value] : leaves(origin)) {
    check_run_key(key, value.key_place);
    if (key == "model.block") erase_path(run, "block");  // another's than the run's own
    set_path(run, key, value);
  }
  return run;
}

}  // namespace

std::string weights_of_cell(const std::string& id) { return kPrefix + id; }

std::string origin_of(const std::string& init_from) {
  return init_from.starts_with(kPrefix) ? init_from.substr(std::string(kPrefix).size()) : "";
}

std::vector<TomlNode> begin_with_origins(const TomlNode& origin, std::vector<TomlNode>& runs) {
  TableReader(origin, "origin");  // refuses what is no table
  std::vector<TomlNode> origins;
  for (TomlNode& run : runs) {
    const TomlNode& first = origins.emplace_back(with_replaced(run, origin));
    const RunConfig config = read_run_config(first);
    if (!config.model.init_from.empty()) {
      throw UserError(origin.place, "[origin] begins with model.init_from itself",
                      "remove model.init_from: it is set to the origin's weights");
    }
    set_path(run, "model.init_from", to_node(weights_of_cell(cell_id(config))));
  }
  return origins;
}

}  // namespace layerlab::config
