#include "conform/description.h"

#include <algorithm>
#include <charconv>
#include <optional>
#include <vector>

#include "config/keys.h"
#include "conform/tensor_names.h"
#include "core/names.h"
#include "embedded/variants.h"
#include "equation/block_toml.h"

namespace layerlab::conform {
namespace {

using Metadata = std::map<std::string, std::string>;

const std::string& text_of(const TomlNode& node) { return std::get<std::string>(node.value); }

const TomlNode& variants() {
  static const TomlNode root = parse_toml_text(embedded::kVariants, "src/conform/variants.toml");
  return root;
}

// All of `text` as a number.
std::optional<double> number_in(const std::string& text) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

// Everything in `over` replaces what `root` has under the same key.
void merge(TomlNode& root, const std::string& path, const TomlNode& over) {
  for (auto& [key, node] : leaves(over)) set_path(root, path + key, std::move(node));
}

class Describer {
 public:
  Describer(const record::SafeTensors& file, const std::filesystem::path& path)
      : file_(file), place_{path.string()} {}

  TomlNode describe(const Choice& choice) {
    const TomlNode config = read_config(choice.config);
    std::string name = choice.block;
    Place named = name.empty() ? place_ : Place{"--block"};
    TomlNode own{TomlNode::Table{}, place_, place_, place_};
    if (const TomlNode* block = config.find("block")) {
      own = *block;
    } else if (const TomlNode* chosen = find_path(config, "model.block"); chosen && name.empty()) {
      name = text_of(*chosen);
      named = chosen->place;
    } else if (name.empty()) {
      own = entry(name);
    }
    if (!name.empty()) merge(root_, "block.", to_tree(equation::find_block(name, named)));
    apply_metadata();
    if (config.find("block") != nullptr) erase_path(root_, "block");
    merge(root_, "block.", own);
    if (const TomlNode* model = config.find("model")) merge(root_, "model.", *model);
    erase_path(root_, "model.block");
    return std::move(root_);
  }

 private:
  static TomlNode read_config(const std::string& path) {
    if (path.empty()) return {TomlNode::Table{}, {}, {}, {}};
    TomlNode config = parse_toml_file(path);
    config::check_top_level(config, {"title", "grid", "claim"});
    for (const auto& [key, node] : std::get<TomlNode::Table>(config.value)) {
      if (key == "model" || key == "block") continue;
      throw UserError(node.key_place, "expected [model] and [block] only, got " + key,
                      "nothing is trained here; take it out, or write another file");
    }
    return config;
  }

  // The entry of this file's block, without what a catalogue's block of that name says.
  TomlNode entry(std::string& name) {
    if (const auto own = file_.metadata.find("block"); own != file_.metadata.end()) {
      if (own->second.find('=') != std::string::npos) {
        return parse_toml_text(own->second, place_.file + ", metadata block");
      }
      name = own->second;
      return {TomlNode::Table{}, place_, place_, place_};
    }
    std::vector<std::string> known;
    for (const TomlNode& candidate : std::get<TomlNode::Array>(variants().find("block")->value)) {
      known.push_back(text_of(*find_path(candidate, "when.variant")));
      if (!holds(*candidate.find("when"))) continue;
      TomlNode chosen = candidate;
      if (const TomlNode* block = chosen.find("block")) name = text_of(*block);
      erase_path(chosen, "when");
      erase_path(chosen, "block");
      fill(chosen);
      return chosen;
    }
    const auto variant = file_.metadata.find("variant");
    if (variant == file_.metadata.end()) {
      throw UserError(place_, "expected metadata `variant` or `block`",
                      "say with --block or --config what it is to be compared with");
    }
    throw UserError(place_, "unknown variant '" + variant->second + "' in the metadata",
                    suggestion(variant->second, known));
  }

  bool holds(const TomlNode& when) const {
    return std::ranges::all_of(std::get<TomlNode::Table>(when.value), [&](const auto& condition) {
      const auto& [key, node] = condition;
      if (key == "tensor") {
        return std::ranges::any_of(file_.tensors, [&](const auto& tensor) {
          return is_parameter(tensor.first) && tensor.first.ends_with("." + text_of(node));
        });
      }
      const auto found = file_.metadata.find(key);
      return found != file_.metadata.end() && found->second == text_of(node);
    });
  }

  // Puts the metadata's text in place of {key}, everywhere below `node`.
  void fill(TomlNode& node) const {
    if (auto* table = std::get_if<TomlNode::Table>(&node.value)) {
      for (auto& [key, child] : *table) fill(child);
    } else if (auto* array = std::get_if<TomlNode::Array>(&node.value)) {
      for (TomlNode& child : *array) fill(child);
    } else if (auto* text = std::get_if<std::string>(&node.value)) {
      for (std::size_t open; (open = text->find('{')) != std::string::npos;) {
        const std::size_t close = text->find('}', open);
        const std::string key = text->substr(open + 1, close - open - 1);
        const auto value = file_.metadata.find(key);
        if (value == file_.metadata.end()) {
          throw UserError(place_, "expected metadata `" + key + "`");
        }
        text->replace(open, close - open + 1, value->second);
      }
    }
  }

  void apply_metadata() {
    for (const auto& [key, meanings] :
         std::get<TomlNode::Table>(variants().find("metadata")->value)) {
      const auto found = file_.metadata.find(key);
      if (found == file_.metadata.end()) continue;
      const TomlNode* meaning = meaning_of(meanings, found->second);
      if (meaning != nullptr) {
        for (const auto& [path, value] : std::get<TomlNode::Table>(meaning->value)) {
          set(path, value);
        }
      } else if (const TomlNode* any = meanings.find("any")) {
        set_path(root_, text_of(*any), parse_toml_value(found->second, place_));
      } else {
        std::vector<std::string> known;
        for (const auto& [text, settings] : std::get<TomlNode::Table>(meanings.value)) {
          known.push_back(text);
        }
        throw UserError(place_, "unknown " + key + " '" + found->second + "' in the metadata",
                        suggestion(found->second, known));
      }
    }
  }

  // The entry under `text`, or under the same number written otherwise.
  static const TomlNode* meaning_of(const TomlNode& meanings, const std::string& text) {
    if (const TomlNode* found = meanings.find(text)) return found;
    const std::optional<double> number = number_in(text);
    for (const auto& [key, meaning] : std::get<TomlNode::Table>(meanings.value)) {
      if (number && number_in(key) == number) return &meaning;
    }
    return nullptr;
  }

  // "?block.finish" gives way to a text that is there.
  void set(const std::string& path, const TomlNode& value) {
    const bool yields = path.starts_with('?');
    const std::string key = path.substr(yields ? 1 : 0);
    const TomlNode* old = find_path(root_, key);
    if (yields && old != nullptr && !text_of(*old).empty()) return;
    set_path(root_, key, value);
  }

  const record::SafeTensors& file_;
  Place place_;
  TomlNode root_{TomlNode::Table{}, {}, {}, {}};
};

}  // namespace

TomlNode describe(const record::SafeTensors& file, const std::filesystem::path& path,
                  const Choice& choice) {
  return Describer(file, path).describe(choice);
}

}  // namespace layerlab::conform
