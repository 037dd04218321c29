#include "core/json.h"

#include <nlohmann/json.hpp>
#include <set>
#include <type_traits>

namespace layerlab {
namespace {

using nlohmann::ordered_json;

constexpr std::size_t kMostLevels = 64;  // trees are destroyed by recursion

// Builds our tree from the parser's events. The parser's own trees drop repeated keys unseen, and
// an ordered_json of n keys takes n^2 comparisons.
class TreeBuilder final : public nlohmann::json_sax<ordered_json> {
 public:
  explicit TreeBuilder(const Place& place) : place_(place) {}

  JsonNode take() { return std::move(root_); }

  bool null() override { return add(JsonNode()); }
  bool boolean(bool v) override { return add(v); }
  bool number_integer(number_integer_t v) override { return add(v); }
  bool number_unsigned(number_unsigned_t v) override {
    return v <= INT64_MAX ? add(static_cast<std::int64_t>(v)) : add(static_cast<double>(v));
  }
  bool number_float(number_float_t v, const string_t&) override { return add(v); }
  bool string(string_t& v) override { return add(std::move(v)); }
  bool binary(binary_t&) override { return false; }  // not part of JSON text
  bool start_object(std::size_t) override { return open(JsonNode::Object()); }
  bool start_array(std::size_t) override { return open(JsonNode::Array()); }
  bool end_object() override { return close(); }
  bool end_array() override { return close(); }

  bool key(string_t& name) override {
    if (!open_.back().keys.insert(name).second) {
      throw UserError(place_, "is not usable JSON: the key '" + name + "' is repeated");
    }
    std::get<JsonNode::Object>(open_.back().node->value).emplace_back().first = std::move(name);
    return true;
  }

  bool parse_error(std::size_t byte, const std::string&,
                   const nlohmann::detail::exception&) override {
    throw UserError(place_, "is not JSON (byte " + std::to_string(byte) + ")");
  }

 private:
  struct Open {
    JsonNode* node;
    std::set<std::string> keys;
  };

  JsonNode* place_for_next() {
    if (open_.empty()) return &root_;
    auto& parent = open_.back().node->value;
    if (auto* array = std::get_if<JsonNode::Array>(&parent)) return &array->emplace_back();
    return &std::get<JsonNode::Object>(parent).back().second;
  }
  bool add(JsonNode node) {
    *place_for_next() = std::move(node);
    return true;
  }
  bool open(JsonNode node) {
    if (open_.size() == kMostLevels) {
      throw UserError(place_, "is not usable JSON: it has more than " +
                                  std::to_string(kMostLevels) + " levels");
    }
    JsonNode* const place = place_for_next();
    *place = std::move(node);
    open_.push_back({place, {}});  // stays valid: its container grows only after it is closed
    return true;
  }
  bool close() {
    open_.pop_back();
    return true;
  }

  const Place& place_;
  JsonNode root_;
  std::vector<Open> open_;
};

ordered_json to_nlohmann(const JsonNode& node) {
  return std::visit(
      [](const auto& value) -> ordered_json {
        using T = std::decay_t<decltype(value)>;
        if constexpr (std::is_same_v<T, JsonNode::Array>) {
          ordered_json array = ordered_json::array();
          for (const JsonNode& item : value) array.push_back(to_nlohmann(item));
          return array;
        } else if constexpr (std::is_same_v<T, JsonNode::Object>) {
          ordered_json::object_t object;
          object.reserve(value.size());
          // Appended as a vector: looking every key up first would be quadratic.
          for (const auto& [key, item] : value) {
            object.Container::emplace_back(key, to_nlohmann(item));
          }
          return object;
        } else {
          return value;
        }
      },
      node.value);
}

}  // namespace

const JsonNode* JsonNode::find(std::string_view key) const {
  if (const Object* object = get<Object>()) {
    for (const auto& [name, node] : *object) {
      if (name == key) return &node;
    }
  }
  return nullptr;
}

JsonNode parse_json(std::string_view text, const Place& place) {
  TreeBuilder builder(place);
  ordered_json::sax_parse(text, &builder);
  return builder.take();
}

std::string to_json(const JsonNode& root, JsonLayout layout) {
  return to_nlohmann(root).dump(layout == JsonLayout::kIndented ? 2 : -1, ' ', false,
                                ordered_json::error_handler_t::replace);
}

}  // namespace layerlab
