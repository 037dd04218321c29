#include "conform/mistakes.h"

#include <algorithm>
#include <optional>

#include "config/run_config.h"
#include "config/run_config_toml.h"
#include "embedded/mistakes.h"

namespace layerlab::conform {
namespace {

const std::string& text_of(const TomlNode& node) { return std::get<std::string>(node.value); }

// What a description that does not name a key comes to.
const TomlNode& defaults() {
  static const TomlNode tree = config::to_tree(config::RunConfig());
  return tree;
}

// The description changed by `mistake`, or nothing where that changes nothing.
std::optional<Variation> apply(const TomlNode& mistake, const TomlNode& description) {
  Variation result{text_of(*mistake.find("says")), description};
  if (const TomlNode* set = mistake.find("set")) {
    const auto& changes = std::get<TomlNode::Table>(set->value);
    for (const auto& [path, value] : changes) {
      const TomlNode* old = find_path(description, path);
      if (old == nullptr) old = find_path(defaults(), path);
      if (changes.size() == 1 && old != nullptr && path.starts_with("model.")) {
        if (same_value(*old, value)) return std::nullopt;
        result.text += " instead of " + to_toml_value(*old);
      }
      set_path(result.description, path, value);
    }
  }
  if (const TomlNode* replace = mistake.find("replace")) {
    const auto& pair = std::get<TomlNode::Array>(replace->value);
    const TomlNode* equation = find_path(description, "block.equation");
    if (equation == nullptr) return std::nullopt;
    TomlNode changed = *equation;
    std::string& text = std::get<std::string>(changed.value);
    const std::size_t begin = text.find(text_of(pair[0]));
    if (begin == std::string::npos) return std::nullopt;
    text.replace(begin, text_of(pair[0]).size(), text_of(pair[1]));
    set_path(result.description, "block.equation", std::move(changed));
  }
  if (same_value(result.description, description)) return std::nullopt;
  return result;
}

}  // namespace

std::vector<Variation> variations(const TomlNode& description) {
  static const TomlNode root = parse_toml_text(embedded::kMistakes, "src/conform/mistakes.toml");
  std::vector<Variation> result;
  for (const TomlNode& mistake : std::get<TomlNode::Array>(root.find("mistake")->value)) {
    auto variation = apply(mistake, description);
    if (!variation) continue;
    const bool known = std::ranges::any_of(result, [&](const Variation& earlier) {
      return same_value(earlier.description, variation->description);
    });
    if (!known) result.push_back(std::move(*variation));
  }
  return result;
}

}  // namespace layerlab::conform
