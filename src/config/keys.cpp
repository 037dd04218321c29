#include "config/keys.h"

#include <algorithm>

#include "core/names.h"

namespace layerlab::config {
namespace {

std::string last_part(const std::string& dotted) { return dotted.substr(dotted.rfind('.') + 1); }

// The key that `name` stands for: without its table, or mistyped.
std::string meant(const std::string& name, const std::vector<std::string>& keys) {
  std::vector<std::string> parts;
  std::ranges::transform(keys, std::back_inserter(parts), last_part);
  const auto full = [&](const std::string& part) {
    const auto found = std::ranges::find(parts, part);
    return found == parts.end() ? std::string() : keys[found - parts.begin()];
  };
  const std::string exact = full(last_part(name));
  if (!exact.empty()) return exact;
  const std::string near = nearest(name, keys);
  return near.empty() ? full(nearest(last_part(name), parts)) : near;
}

// "block.const.alpha": tables whose keys are up to the equation.
bool names_part_of_block(const std::string& key) {
  return std::ranges::any_of(std::initializer_list<const char*>{"block.const.", "block.gain.",
                                                                "block.init.", "block.param."},
                             [&](const std::string& table) {
                               return key.size() > table.size() && key.starts_with(table);
                             });
}

}  // namespace

Place place_of(const TomlNode& root, std::initializer_list<const char*> keys) {
  for (const char* key : keys) {
    if (const TomlNode* node = find_path(root, key)) return node->place;
  }
  return root.place;
}

std::vector<std::string> run_keys() {
  RunConfig run;
  std::vector<std::string> keys = {"seed"};
  describe_sections(
      [&](const std::string& name, auto& section) {
        describe([&](const char* key, auto&&...) { keys.push_back(name + "." + key); }, section);
      },
      run);
  return keys;
}

void check_top_level(const TomlNode& document, const std::vector<std::string>& others) {
  std::vector<std::string> known = others;
  known.push_back("seed");
  RunConfig run;
  describe_sections([&](const char* name, auto&) { known.push_back(name); }, run);
  for (const auto& [key, node] : std::get<TomlNode::Table>(document.value)) {
    if (std::ranges::find(known, key) != known.end()) continue;
    if (nearest(key, known).empty()) check_run_key(key, node.key_place);
    throw UserError(node.key_place, "unknown key " + key, suggestion(key, known));
  }
}

void check_run_key(const std::string& key, const Place& place) {
  const std::vector<std::string> keys = run_keys();
  if (std::ranges::find(keys, key) != keys.end() || names_part_of_block(key)) return;
  const std::string near = meant(key, keys);
  throw UserError(
      place, "unknown key " + key,
      near.empty() ? "docs/configuration.md lists all keys" : "did you mean '" + near + "'?");
}

}  // namespace layerlab::config
