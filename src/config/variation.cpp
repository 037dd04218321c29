#include "config/variation.h"

#include <algorithm>

#include "config/keys.h"

namespace layerlab::config {
namespace {

const Place kCommandLine{"command line"};

void set_axis(std::vector<Axis>& axes, Axis axis) {
  const auto same = std::ranges::find(axes, axis.key, &Axis::key);
  if (same != axes.end()) {
    *same = std::move(axis);
  } else {
    axes.push_back(std::move(axis));
  }
}

void replace(const std::string& key, const TomlNode& value, Draft& draft) {
  if (draft.search && key.starts_with("search.")) {
    return replace_in(*draft.search, key.substr(7), value);
  }
  if (key.starts_with("grid.")) {
    check_not_searched(draft.search, key.substr(5), value.key_place);
    return set_axis(draft.axes, read_axis(key.substr(5), value));
  }
  check_run_key(key, value.key_place);
  check_not_searched(draft.search, key, value.key_place);
  set_path(draft.settings, key, value);
  std::erase_if(draft.axes, [&](const Axis& axis) { return axis.key == key; });
}

void apply_override(const std::string& text, Draft& draft) {
  const std::size_t equals = text.find('=');
  if (equals == std::string::npos || equals == 0) {
    throw UserError(kCommandLine, "expected key=value, got " + text,
                    "write for example train.lr=1e-2");
  }
  replace(text.substr(0, equals), parse_toml_value(text.substr(equals + 1), kCommandLine), draft);
}

bool sets_seed(const std::string& override_text) { return override_text.starts_with("seed="); }

void apply_seeds(const Variation& variation, Draft& draft) {
  if (variation.seeds == 0) return;
  if (std::ranges::any_of(variation.overrides, sets_seed)) {
    throw UserError(kCommandLine, "seed is set twice, by --seeds and by seed=", "keep one");
  }
  Axis axis{"seed", {}};
  for (int seed = 1; seed <= variation.seeds; ++seed) axis.values.push_back(to_node(seed));
  set_axis(draft.axes, std::move(axis));
}

void add(std::uint64_t offset, TomlNode& seed) {
  auto* const number = std::get_if<std::int64_t>(&seed.value);
  if (number == nullptr) return;
  *number = static_cast<std::int64_t>(static_cast<std::uint64_t>(*number) + offset);
}

void add(std::uint64_t offset, Axis& seeds) {
  for (TomlNode& seed : seeds.values) add(offset, seed);
}

}  // namespace

void apply_quick(const TomlNode& quick, Draft& draft) {
  TableReader(quick, "quick");  // refuses what is no table
  for (const auto& [key, value] : leaves(quick)) replace(key, value, draft);
}

void apply_overrides(const Variation& variation, Draft& draft) {
  for (const std::string& text : variation.overrides) apply_override(text, draft);
  apply_seeds(variation, draft);
}

void shift_seeds(Draft& draft, std::uint64_t offset) {
  const auto axis = std::ranges::find(draft.axes, "seed", &Axis::key);
  if (axis != draft.axes.end()) {
    add(offset, *axis);
    return;
  }
  const TomlNode* const set = draft.settings.find("seed");
  TomlNode seed = set != nullptr ? *set : to_node(RunConfig().seed);
  add(offset, seed);
  set_path(draft.settings, "seed", std::move(seed));
}

void shift_seeds(TomlNode& claims, std::uint64_t offset) {
  auto* const tables = std::get_if<TomlNode::Array>(&claims.value);
  if (tables == nullptr || offset == 0) return;
  for (TomlNode& claim : *tables) {
    for (const char* const path : {"where.seed", "versus.seed"}) {
      const TomlNode* const selected = find_path(claim, path);
      if (selected == nullptr) continue;
      Axis seeds = read_choice("seed", *selected);
      add(offset, seeds);
      TomlNode shifted = *selected;
      shifted.value = std::move(seeds.values);
      set_path(claim, path, std::move(shifted));
    }
  }
}

}  // namespace layerlab::config
