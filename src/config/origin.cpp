#include "config/origin.h"

#include <set>
#include <utility>

#include "config/keys.h"
#include "core/table_reader.h"

namespace layerlab::config {
namespace {

Cell with_replaced(const Cell& cell, const TomlNode& origin) {
  TomlNode settings = cell.settings;
  for (const auto& [key, value] : leaves(origin)) {
    check_run_key(key, value.key_place);
    if (key == "seed") {
      throw UserError(value.key_place, "[origin] cannot set the seed: it is that of the run",
                      "remove it");
    }
    if (key == "model.block") {  // the definition is another's
      erase_path(settings, "block");
      erase_path(settings, "model.finish");
    }
    set_path(settings, key, value);
  }
  return cell_of(settings);
}

}  // namespace

std::vector<Cell> begin_with_origins(const TomlNode& origin, std::vector<Cell>& cells) {
  TableReader(origin, "origin");  // refuses what is no table
  std::vector<Cell> origins;
  std::set<std::string> ids;
  for (Cell& cell : cells) {
    Cell first = with_replaced(cell, origin);
    if (!first.config.model.init_from.empty()) {
      throw UserError(origin.key_place, "[origin] and model.init_from cannot go together",
                      "remove one of the two");
    }
    TomlNode settings = cell.settings;
    set_path(settings, "model.init_from", to_node(weights_of_cell(first.id)));
    cell = cell_of(settings);
    if (ids.insert(first.id).second) origins.push_back(std::move(first));
  }
  return origins;
}

}  // namespace layerlab::config
