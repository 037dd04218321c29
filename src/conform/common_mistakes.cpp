#include "conform/common_mistakes.h"

#include <algorithm>

#include "config/run_config.h"
#include "config/run_config_toml.h"
#include "embedded/common_mistakes.h"

namespace layerlab::conform {
namespace {

const std::string& text_of(const TomlNode& node) { return std::get<std::string>(node.value); }

// The settings of a description that names none.
const TomlNode& defaults() {
  static const TomlNode tree = config::to_tree(config::RunConfig());
  return tree;
}

// The description with the keys of `changes` set.
Hypothesis with_settings(Hypothesis result, const TomlNode::Table& changes) {
  for (const auto& [path, value] : changes) {
    const TomlNode* old = find_path(result.description, path);
    if (old == nullptr) old = find_path(defaults(), path);
    if (changes.size() == 1 && old != nullptr && path.starts_with("model.")) {
      if (same_value(*old, value)) return result;
      result.text += " instead of " + to_toml_value(*old);
    }
    set_path(result.description, path, value);
  }
  return result;
}

// The description with the first `from` of its equation replaced by `to`.
Hypothesis with_replaced(Hypothesis result, const std::string& from, const std::string& to) {
  const TomlNode* equation = find_path(result.description, "block.equation");
  if (equation == nullptr) return result;
  TomlNode changed = *equation;
  std::string& text = std::get<std::string>(changed.value);
  const std::size_t begin = text.find(from);
  if (begin == std::string::npos) return result;
  text.replace(begin, from.size(), to);
  set_path(result.description, "block.equation", std::move(changed));
  return result;
}

}  // namespace

std::vector<Hypothesis> common_mistakes(const TomlNode& description) {
  static const TomlNode root =
      parse_toml_text(embedded::kCommonMistakes, "src/conform/common_mistakes.toml");
  std::vector<Hypothesis> result;
  for (const auto& [text, change] : std::get<TomlNode::Table>(root.value)) {
    const auto* settings = std::get_if<TomlNode::Table>(&change.value);
    const auto* pieces = std::get_if<TomlNode::Array>(&change.value);
    Hypothesis hypothesis =
        settings != nullptr
            ? with_settings({text, description}, *settings)
            : with_replaced({text, description}, text_of(pieces->at(0)), text_of(pieces->at(1)));
    const auto same = [&](const TomlNode& other) {
      return same_value(other, hypothesis.description);
    };
    if (same(description) || std::ranges::any_of(result, same, &Hypothesis::description)) continue;
    result.push_back(std::move(hypothesis));
  }
  return result;
}

}  // namespace layerlab::conform
