#include "config/overrides.h"

#include <algorithm>
#include <limits>
#include <map>

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

void replace(const std::string& key, const TomlNode& value, UnexpandedExperiment& experiment) {
  if (experiment.search && key.starts_with("search.")) {
    return replace_in(*experiment.search, key.substr(7), value);
  }
  if (key.starts_with("grid.")) {
    check_not_searched(experiment.search, key.substr(5), value.key_place);
    return set_axis(experiment.axes, read_axis(key.substr(5), value));
  }
  check_run_key(key, value.key_place);
  check_not_searched(experiment.search, key, value.key_place);
  set_path(experiment.settings, key, value);
  std::erase_if(experiment.axes, [&](const Axis& axis) { return axis.key == key; });
}

// A word key=value of the command line.
struct Setting {
  std::string text, key;
  TomlNode value;

  // What it sets, whether to one value or as an axis.
  std::string target() const { return key.substr(key.starts_with("grid.") ? 5 : 0); }
};

std::vector<Setting> parse(const std::vector<std::string>& words) {
  std::vector<Setting> settings;
  for (const std::string& word : words) {
    const std::size_t equals = word.find('=');
    if (equals == std::string::npos || equals == 0) {
      throw UserError(kCommandLine, "expected key=value, got " + word,
                      "write for example train.lr=1e-2");
    }
    settings.push_back(
        {word, word.substr(0, equals), parse_toml_value(word.substr(equals + 1), kCommandLine)});
  }
  return settings;
}

// Refuses a key that is set twice, also as an axis and by --seeds.
void check_set_once(const std::vector<Setting>& settings, int seeds) {
  std::map<std::string, std::string> known;
  if (seeds > 0) known["seed"] = "--seeds";
  for (const Setting& setting : settings) {
    const auto [other, is_new] = known.emplace(setting.target(), setting.text);
    if (is_new) continue;
    throw UserError(
        kCommandLine,
        setting.target() + " is set twice, by " + other->second + " and by " + setting.text,
        "keep one of them");
  }
}

void add(std::uint64_t offset, TomlNode& seed) {
  auto* const number = std::get_if<std::int64_t>(&seed.value);
  if (number == nullptr) return;
  const std::int64_t room =
      std::numeric_limits<std::int64_t>::max() - std::max<std::int64_t>(*number, 0);
  if (offset > static_cast<std::uint64_t>(room)) {
    throw UserError(seed.place,
                    "seed = " + std::to_string(*number) + " and the seed offset " +
                        std::to_string(offset) + " are more than a seed can be",
                    "write a smaller one");
  }
  *number += static_cast<std::int64_t>(offset);
}

void add(std::uint64_t offset, Axis& seeds) {
  for (TomlNode& seed : seeds.values) add(offset, seed);
}

}  // namespace

void apply_quick(const TomlNode& quick, UnexpandedExperiment& experiment) {
  TableReader(quick, "quick");  // refuses what is no table
  for (const auto& [key, value] : leaves(quick)) replace(key, value, experiment);
}

void apply_overrides(const Overrides& overrides, UnexpandedExperiment& experiment) {
  const std::vector<Setting> settings = parse(overrides.settings);
  check_set_once(settings, overrides.seeds);
  const auto apply = [&](const Setting& s) { replace(s.key, s.value, experiment); };
  std::ranges::for_each(settings, apply);
  std::ranges::for_each(parse(overrides.command_settings), apply);
  if (overrides.seeds == 0) return;
  Axis axis{"seed", {}};
  for (int seed = 1; seed <= overrides.seeds; ++seed) axis.values.push_back(to_node(seed));
  set_axis(experiment.axes, std::move(axis));
}

void shift_seeds(UnexpandedExperiment& experiment, std::uint64_t offset) {
  const auto axis = std::ranges::find(experiment.axes, "seed", &Axis::key);
  if (axis != experiment.axes.end()) return add(offset, *axis);
  const TomlNode* const set = experiment.settings.find("seed");
  TomlNode seed = set != nullptr ? *set : to_node(RunConfig().seed);
  add(offset, seed);
  set_path(experiment.settings, "seed", std::move(seed));
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
