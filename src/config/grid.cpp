#include "config/grid.h"

#include <algorithm>
#include <charconv>
#include <optional>

#include "config/keys.h"

namespace layerlab::config {
namespace {

constexpr std::size_t kMostRuns = 100000;

UserError too_many(const Place& place) {
  return UserError(place, "the grid has more than " + std::to_string(kMostRuns) + " runs",
                   "split it into several files");
}

// The bounds of "1..5".
std::optional<std::pair<std::int64_t, std::int64_t>> parse_range(const std::string& text) {
  const char* const end = text.data() + text.size();
  std::int64_t low = 0, high = 0;
  const auto first = std::from_chars(text.data(), end, low);
  if (first.ec != std::errc() || !std::string_view(first.ptr, end).starts_with("..")) return {};
  const auto second = std::from_chars(first.ptr + 2, end, high);
  if (second.ec != std::errc() || second.ptr != end) return {};
  return std::pair(low, high);
}

// The values of an array or a range; nothing where `node` is neither.
std::optional<TomlNode::Array> read_values(const TomlNode& node) {
  if (const auto* array = std::get_if<TomlNode::Array>(&node.value)) return *array;
  const auto* text = std::get_if<std::string>(&node.value);
  const auto range = text == nullptr ? std::nullopt : parse_range(*text);
  if (!range) return std::nullopt;
  const auto [low, high] = *range;
  if (low > high) return TomlNode::Array{};
  // Unsigned, because the difference of two integers may not be one.
  const std::uint64_t steps = static_cast<std::uint64_t>(high) - static_cast<std::uint64_t>(low);
  if (steps >= kMostRuns) throw too_many(node.place);
  TomlNode::Array values;
  for (std::uint64_t step = 0; step <= steps; ++step) {
    const std::int64_t value = low + static_cast<std::int64_t>(step);
    values.push_back({value, node.place, node.key_place, node.place});
  }
  return values;
}

}  // namespace

Axis read_axis(const std::string& key, const TomlNode& values) {
  check_run_key(key, values.key_place);
  std::optional<TomlNode::Array> list = read_values(values);
  if (!list) {
    throw UserError(values.place,
                    "grid axis " + key + " must be an array or a range such as \"1..5\", got " +
                        to_toml_value(values),
                    "write for example \"" + key + "\" = [" + to_toml_value(values) + "]");
  }
  if (list->empty()) {
    throw UserError(values.place, "grid axis " + key + " has no values",
                    "write at least one, or remove the axis");
  }
  return {key, *std::move(list)};
}

Axis read_choice(const std::string& key, const TomlNode& values) {
  check_run_key(key, values.key_place);
  Axis choice{key, read_values(values).value_or(TomlNode::Array{values})};
  if (choice.values.empty()) {
    throw UserError(values.place, key + " has no values", "write at least one, or remove the key");
  }
  return choice;
}

std::vector<Axis> read_axes(const TomlNode* grid) {
  if (grid == nullptr) return {};
  TableReader(*grid, "grid");  // refuses what is no table
  auto entries = leaves(*grid);
  std::ranges::stable_sort(entries, {}, [](const auto& entry) {
    return std::pair(entry.second.key_place.line, entry.second.key_place.column);
  });
  std::vector<Axis> axes;
  for (const auto& [key, values] : entries) {
    if (std::ranges::find(axes, key, &Axis::key) != axes.end()) {
      throw UserError(values.key_place, "grid axis " + key + " is written twice", "keep one");
    }
    axes.push_back(read_axis(key, values));
  }
  if (axes.empty()) {
    throw UserError(grid->key_place, "[grid] has no axes",
                    "write for example \"model.block\" = [\"post_ln\", \"pre_ln\"]");
  }
  return axes;
}

std::vector<TomlNode> expand(const TomlNode& base, const std::vector<Axis>& axes) {
  std::vector<TomlNode> runs = {base};
  for (const Axis& axis : axes) {
    if (runs.size() * axis.values.size() > kMostRuns) throw too_many(axis.values.front().place);
    std::vector<TomlNode> longer;
    for (const TomlNode& run : runs) {
      for (const TomlNode& value : axis.values) {
        set_path(longer.emplace_back(run), axis.key, value);
      }
    }
    runs = std::move(longer);
  }
  return runs;
}

TomlNode to_tree(const std::vector<Axis>& axes) {
  TomlNode::Table table;
  for (const Axis& axis : axes) table.emplace_back(axis.key, TomlNode{axis.values, {}, {}, {}});
  return {std::move(table), {}, {}, {}};
}

}  // namespace layerlab::config
