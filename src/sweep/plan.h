// What of experiments is left to do, and which runs are trained together.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "config/experiment.h"
#include "record/cell.h"

namespace layerlab::sweep {

// A cell's config.toml. Throws UserError when it was changed: an id names one run and no other.
config::RunConfig read_settings(const record::CellFolder& folder);

// Runs that one worker trains as replicas of one model, from the same step on.
struct Pack {
  std::vector<record::CellFolder> cells;
  int steps = 0;  // that each of them takes in all
};

struct Plan {
  std::vector<Pack> packs;                  // what is missing, in the grids' order
  int finished = 0, diverged = 0;           // runs that have ended; they are skipped
  int begun = 0, missing = 0;               // runs that are in `packs`
  int waiting = 0;                          // for the weights of runs that have not finished
  std::vector<record::CellFolder> damaged;  // left as they are
  int cells() const {
    return finished + diverged + begun + missing + waiting + static_cast<int>(damaged.size());
  }
};

// Experiments that are trained together; runs that several of them have are trained once.
using Experiments = std::vector<const config::Experiment*>;

// Origins count as runs of their experiment. Looks at the results folder, which need not exist. A
// pack holds at most `replicas` runs, all with the same pack_key and the same newest checkpoint, so
// that no run starts over for another's sake; packs of the same kind are of equal size, give or
// take one. Throws UserError for a run that begins with the weights of one that there is not.
Plan make_plan(const Experiments& experiments, const std::filesystem::path& results, int replicas);

// Writes what workers and readers need before training starts: config.toml of every run of the
// experiment and of its origins, and the experiment's folder results/NAME with experiment.toml and
// cells.txt (a line for each run: its id, then its values on the grid's axes). Throws UserError
// when the disk refuses.
void write_inputs(const config::Experiment& experiment, const std::filesystem::path& results);

}  // namespace layerlab::sweep
