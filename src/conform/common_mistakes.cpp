#include "conform/common_mistakes.h"

#include <algorithm>
#include <optional>

#include "config/run_config.h"
#include "config/run_config_toml.h"
#include "embedded/common_mistakes.h"

namespace layerlab::conform {
namespace {

const std::string& text_of(const TomlNode& node) { return std::get<std::string>(node.value); }

// What a description that does not name a key comes to.
const TomlNode& defaults() {
  static const TomlNode tree = config::to_tree(config::RunConfig());
  return tree;
}

// The description changed by `mistake`, or nothing where that changes nothing.
std::optional<Hypothesis> apply(const TomlNode& mistake, const TomlNode& description) {
  Hypothesis result{text_of(*mistake.find("says")), description};
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

std::vector<Hypothesis> common_mistakes(const TomlNode& description) {
  static const TomlNode root =
      parse_toml_text(embedded::kCommonMistakes, "src/conform/common_mistakes.toml");
  std::vector<Hypothesis> result;
  for (const TomlNode& mistake : std::get<TomlNode::Array>(root.find("mistake")->value)) {
    auto hypothesis = apply(mistake, description);
    if (!hypothesis) continue;
    const bool known = std::ranges::any_of(result, [&](const Hypothesis& earlier) {
      return same_value(earlier.description, hypothesis->description);
    });
    if (!known) result.push_back(std::move(*hypothesis));
  }
  return result;
}

}  // namespace layerlab::conform
