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
  search.key_place = node->find("key")->text_place;
  check_run_key(search.key, search.key_place);
  if (search.key == "seed") {
    throw UserError(search.key_place, "the largest seed that passes means nothing",
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

void replace_in(Search& search, const std::string& key, const TomlNode& value) {
  if (key == "key") {
    throw UserError(value.key_place, "[search] looks for the largest " + search.key + " only",
                    "search for another setting in a file of its own");
  }
  TomlNode table = to_tree(search);
  set_path(table, key, value);
  search = *read_search(&table);
}

void check_not_searched(const std::optional<Search>& search, const std::string& key,
                        const Place& place) {
  if (!search || key != search->key) return;
  throw UserError(place, key + " is what [search] looks for",
                  "leave it out here, or remove [search]");
}

TomlNode to_tree(const Search& search) {
  const auto text = [](const std::string& value, const Place& place) {
    return TomlNode{value, place, place, place};
  };
  return {TomlNode::Table{{"key", text(search.key, search.key_place)},
                          {"values", {search.values, {}, {}, {}}},
                          {"passes", text(search.passes, search.passes_place)}},
          {},
          {},
          {}};
}

}  // namespace layerlab::config
