#include "cli/rounds.h"

#include <utility>

namespace layerlab::cli {

Rounds::Rounds(const sweep::Experiments& experiments, claims::CellFolders folders)
    : folders_(std::move(folders)) {
  for (const config::Experiment* const experiment : experiments) {
    if (!experiment->search) {
      others_.push_back(experiment);
      continue;
    }
    searching_.push_back({experiment, claims::Finder(*experiment->search), *experiment});
    searching_.back().round.cells.clear();
  }
  advance();
}

sweep::Experiments Rounds::experiments() const {
  sweep::Experiments all = others_;
  for (const Searching& searching : searching_) all.push_back(&searching.round);
  return all;
}

bool Rounds::advance() {
  bool more = false;
  for (Searching& searching : searching_) more |= advance(searching);
  return more;
}

bool Rounds::advance(Searching& searching) const {
  std::vector<config::Cell> runs;
  for (const config::Cell& combination : searching.experiment->cells) {
    const claims::Finding finding = searching.finder.find(combination, folders_);
    runs.insert(runs.end(), finding.runs.begin(), finding.runs.end());
  }
  const bool more = runs.size() > searching.round.cells.size();
  searching.round.cells = std::move(runs);
  return more;
}

}  // namespace layerlab::cli
