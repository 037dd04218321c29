#include "config/search.h"

#include "config/grid.h"
#include "config/keys.h"
#include "core/table_reader.h"

namespace layerlab::config {
namespace {

bool ascend(const TomlNode::Array& values) {
  for (std::size_t i = 1; i < values.size(); ++i) {
    const std::optional<double> below = as_number(values[i - 1]), value = as_number(values[i]);
    if (!below || !value || !(*below < *value)) return false;
  }
  return values.size() >= 2;
}

}  // namespace

std::optional<Search> read_search(const TomlNode* node) {
  if (node == nullptr) return std::nullopt;
  TableReader reader(*node, "search");
  Search search;
  reader.read("key", search.key);
  const TomlNode* const values = reader.child("values");
  reader.read("passes", search.passes);
  reader.require("key", "\"train.lr\"");
  reader.require("values", "[1e-3, 2e-3, 4e-3, 8e-3]");
  reader.require("passes", "\"final('loss') / chance_loss() < 0.5\"");
  reader.finish();
  const Place key_place = node->find("key")->text_place;
  check_run_key(search.key, key_place);
  if (search.key == "seed") {
    throw UserError(key_place, "the largest seed that passes means nothing",
                    "search for a setting such as \"train.lr\"");
  }
  search.values = read_choice(search.key, *values).values;
  if (!ascend(search.values)) {
    throw UserError(values->place, "search.values must be two or more numbers in ascending order",
                    "write for example values = [1e-3, 2e-3, 4e-3, 8e-3]");
  }
  search.passes_place = node->find("passes")->text_place;
  return search;
}

void check_not_searched(const std::optional<Search>& search, const std::string& key,
                        const Place& place) {
  if (!search || key != search->key) return;
  throw UserError(place, key + " is what [search] looks for",
                  "leave it out here, or remove [search]");
}

TomlNode to_tree(const Search& search) {
  return {TomlNode::Table{{"key", to_node(search.key)},
                          {"values", {search.values, {}, {}, {}}},
                          {"passes", to_node(search.passes)}},
          {},
          {},
          {}};
}

}  // namespace layerlab::config
