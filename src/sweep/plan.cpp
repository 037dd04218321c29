#include "sweep/plan.h"

#include <algorithm>
#include <set>
#include <utility>

#include "config/identity.h"
#include "config/run_config_toml.h"
#include "core/files.h"
#include "record/checkpoint_files.h"

namespace layerlab::sweep {
namespace fs = std::filesystem;
namespace {

// Distinct runs: two cells may differ in nothing but the block's name.
std::vector<const config::Cell*> distinct(const Experiments& experiments) {
  std::vector<const config::Cell*> result;
  std::set<std::string> ids;
  for (const config::Experiment* const experiment : experiments) {
    for (const auto* const cells : {&experiment->origins, &experiment->cells}) {
      for (const config::Cell& cell : *cells) {
        if (ids.insert(cell.id).second) result.push_back(&cell);
      }
    }
  }
  return result;
}

// Whether the run begins with weights that are not there yet. Throws UserError where they will
// never be: no run of that id is there, and none is among `planned`.
bool waits(const config::Cell& cell, const std::vector<const config::Cell*>& planned,
           const fs::path& results) {
  const std::string origin = config::origin_of(cell.config.model.init_from);
  if (origin.empty()) return false;
  const record::CellState state = record::read_state(record::cell_folder(results, origin));
  if (state == record::CellState::kMissing &&
      std::ranges::find(planned, origin, &config::Cell::id) == planned.end()) {
    throw UserError(find_path(cell.settings, "model.init_from")->place,
                    "there is no run " + origin + " in " + (results / "cells").string(),
                    "train it first, with the same --out");
  }
  return state != record::CellState::kFinished;
}

// Runs that could all be trained together.
struct Group {
  std::string key;
  Pack runs;
};

// Cuts runs into as few packs as the limit allows, of sizes as equal as possible.
void split(const Pack& runs, int replicas, std::vector<Pack>& packs) {
  const std::size_t limit = static_cast<std::size_t>(replicas);
  const std::size_t count = (runs.cells.size() + limit - 1) / limit;
  for (std::size_t i = 0; i < count; ++i) {
    const auto begin =
        runs.cells.begin() + static_cast<std::ptrdiff_t>(i * runs.cells.size() / count);
    const auto end =
        runs.cells.begin() + static_cast<std::ptrdiff_t>((i + 1) * runs.cells.size() / count);
    packs.push_back({{begin, end}, runs.steps});
  }
}

void write_if_changed(const fs::path& path, const std::string& text) {
  if (!is_there(path) || read_file(path) != text) write_file_atomically(path, text);
}

std::string line_of(const config::Cell& cell, const std::vector<std::string>& axes) {
  std::string line = cell.id;
  for (const std::string& key : axes) {
    line += "  " + key + " = " + to_toml_value(*find_path(cell.settings, key));
  }
  return line + "\n";
}

}  // namespace

config::RunConfig read_settings(const record::CellFolder& folder) {
  config::RunConfig settings = config::read_stored_run(parse_toml_file(folder.config()));
  if (config::cell_id(settings) == folder.root.filename().string()) return settings;
  throw UserError(
      {folder.config().string()}, "holds the settings of another run than its folder",
      "layerlab migrate renames it if an earlier version named it; else remove the folder");
}

Plan make_plan(const Experiments& experiments, const fs::path& results, int replicas) {
  Plan plan;
  std::vector<Group> groups;
  const std::vector<const config::Cell*> planned = distinct(experiments);
  for (const config::Cell* cell : planned) {
    const record::CellFolder folder = record::cell_folder(results, cell->id);
    const record::CellState state = record::read_state(folder);
    switch (state) {
      case record::CellState::kFinished:
        ++plan.finished;
        continue;
      case record::CellState::kDiverged:
        ++plan.diverged;
        continue;
      case record::CellState::kDamaged:
        plan.damaged.push_back(folder);
        continue;
      case record::CellState::kBegun:
      case record::CellState::kMissing:
        break;
    }
    if (waits(*cell, planned, results)) {
      ++plan.waiting;
      continue;
    }
    ++(state == record::CellState::kBegun ? plan.begun : plan.missing);
    const std::int64_t first = record::newest_checkpoint(folder.checkpoint()).value_or(0);
    const std::string key = config::pack_key(cell->config) + std::to_string(first);
    auto group = std::ranges::find(groups, key, &Group::key);
    if (group == groups.end()) {
      group = groups.insert(group, Group{key, {{}, cell->config.train.steps}});
    }
    group->runs.cells.push_back(folder);
  }
  for (const Group& group : groups) split(group.runs, replicas, plan.packs);
  return plan;
}

void write_inputs(const config::Experiment& experiment, const fs::path& results) {
  for (const config::Cell* cell : distinct({&experiment})) {
    const record::CellFolder folder = record::cell_folder(results, cell->id);
    const std::string text = config::canonical_text(cell->config);
    if (!is_there(folder.config())) {
      write_file_atomically(folder.config(), text);
    } else if (record::read_state(folder) != record::CellState::kDamaged &&
               read_file(folder.config()) != text) {
      read_settings(folder);  // refuses another run's
    }
  }
  std::string lines;
  for (const config::Cell& cell : experiment.cells) lines += line_of(cell, experiment.axes);
  const fs::path folder = results / experiment.name;
  write_if_changed(folder / "experiment.toml", experiment.resolved_text);
  write_if_changed(folder / "cells.txt", lines);
}

}  // namespace layerlab::sweep
