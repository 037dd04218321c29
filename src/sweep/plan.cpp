#include "sweep/plan.h"

#include <algorithm>
#include <set>
#include <utility>

#include "core/files.h"

namespace layerlab::sweep {
namespace fs = std::filesystem;
namespace {

// The newest checkpoint's file name, or "". Names carry the step with leading zeros.
std::string newest_checkpoint(const record::CellFolder& cell) {
  std::string newest;
  if (!fs::is_directory(cell.checkpoint())) return newest;
  for (const fs::directory_entry& entry : fs::directory_iterator(cell.checkpoint())) {
    if (entry.path().extension() == ".safetensors") {
      newest = std::max(newest, entry.path().filename().string());
    }
  }
  return newest;
}

// Distinct runs: two cells may differ in nothing but the block's name.
std::vector<const config::Cell*> distinct(const std::vector<config::Cell>& cells) {
  std::vector<const config::Cell*> result;
  std::set<std::string> ids;
  for (const config::Cell& cell : cells) {
    if (ids.insert(cell.id).second) result.push_back(&cell);
  }
  return result;
}

std::string line_of(const config::Cell& cell, const std::vector<std::string>& axes) {
  std::string line = cell.id;
  for (const std::string& key : axes) {
    line += "  " + key + " = " + to_toml_value(*find_path(cell.settings, key));
  }
  return line + "\n";
}

}  // namespace

record::CellFolder cell_folder(const fs::path& results, const std::string& id) {
  return {results / "cells" / id};
}

Plan make_plan(const config::Experiment& experiment, const fs::path& results, int replicas) {
  Plan plan;
  std::vector<std::string> keys;  // keys[i] is what the cells of packs[i] have in common
  for (const config::Cell* cell : distinct(experiment.cells)) {
    const record::CellFolder folder = cell_folder(results, cell->id);
    switch (record::read_state(folder)) {
      case record::CellState::kFinished:
        ++plan.finished;
        continue;
      case record::CellState::kDiverged:
        ++plan.diverged;
        continue;
      case record::CellState::kBegun:
        ++plan.begun;
        break;
      case record::CellState::kMissing:
        ++plan.missing;
        break;
    }
    const std::string key = config::pack_key(cell->config) + newest_checkpoint(folder);
    // Only the last pack of a key can have room.
    const auto same = std::find(keys.rbegin(), keys.rend(), key);
    const std::size_t at = static_cast<std::size_t>(keys.rend() - same);
    if (at > 0 && plan.packs[at - 1].cells.size() < static_cast<std::size_t>(replicas)) {
      plan.packs[at - 1].cells.push_back(folder);
    } else {
      keys.push_back(key);
      plan.packs.push_back({{folder}, cell->config.train.steps});
    }
  }
  return plan;
}

void write_inputs(const config::Experiment& experiment, const fs::path& results) {
  for (const config::Cell* cell : distinct(experiment.cells)) {
    const record::CellFolder folder = cell_folder(results, cell->id);
    if (fs::exists(folder.config())) continue;
    write_file_atomically(folder.config(), config::canonical_text(cell->config));
  }
  std::string lines;
  for (const config::Cell& cell : experiment.cells) lines += line_of(cell, experiment.axes);
  const fs::path folder = results / experiment.name;
  write_file_atomically(folder / "experiment.toml", experiment.resolved_text);
  write_file_atomically(folder / "cells.txt", lines);
}

}  // namespace layerlab::sweep
