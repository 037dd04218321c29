#include "sweep/search_scheduler.h"

#include <utility>

namespace layerlab::sweep {

SearchScheduler::SearchScheduler(const Experiments& experiments, std::filesystem::path results)
    : results_(std::move(results)) {
  for (const config::Experiment* const experiment : experiments) {
    if (!experiment->search) {
      others_.push_back(experiment);
      continue;
    }
    searching_.push_back({experiment, claims::ThresholdSearch(*experiment->search), *experiment});
    searching_.back().round.cells.clear();
  }
  advance();
}

Experiments SearchScheduler::experiments() const {
  Experiments all = others_;
  for (const Searching& searching : searching_) all.push_back(&searching.round);
  return all;
}

bool SearchScheduler::advance() {
  bool more = false;
  for (Searching& searching : searching_) more |= advance(searching);
  return more;
}

bool SearchScheduler::advance(Searching& searching) const {
  std::vector<config::Cell> runs;
  for (const config::Cell& combination : searching.experiment->cells) {
    const auto tried = searching.search.find(combination, results_).runs;
    runs.insert(runs.end(), tried.begin(), tried.end());
  }
  const bool more = runs.size() > searching.round.cells.size();
  searching.round.cells = std::move(runs);
  return more;
}

}  // namespace layerlab::sweep
