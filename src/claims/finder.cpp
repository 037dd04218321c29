#include "claims/finder.h"

#include <fmt/format.h>

namespace layerlab::claims {

using config::Cell;
using record::CellState;

Finder::Finder(const config::Search& search)
    : search_(search), passes_(search.passes, search.passes_place) {}

Finding Finder::find(const Cell& combination, const CellFolders& folders) {
  Finding finding;
  const Bisection bisection = bisect(search_.values.size(), [&](std::size_t rung) {
    const Cell run = config::at_rung(combination, search_, rung);
    finding.runs.push_back(run);
    const Rung outcome = outcome_of(run, folders(run.id));
    if (outcome == Rung::kPasses) finding.run = run;
    return outcome;
  });
  finding.ended = !bisection.next;
  finding.found = bisection.found;
  if (!finding.found) finding.run = finding.runs.back();
  return finding;
}

Rung Finder::outcome_of(const Cell& run, const record::CellFolder& folder) {
  switch (record::read_state(folder)) {
    case CellState::kMissing:
    case CellState::kBegun:
      return Rung::kUnknown;
    case CellState::kDiverged:
      return Rung::kFails;
    case CellState::kFinished:
      break;
  }
  const double passes =
      passes_.of(record::Reader(folder.record()), {chance_losses_.of(run)}).value.value_or(0);
  if (passes != 0 && passes != 1) {
    throw UserError(search_.passes_place,
                    fmt::format("search.passes must be 0 or 1; it was {}", passes),
                    "compare it with something: final('loss') < 0.3");
  }
  return passes == 1 ? Rung::kPasses : Rung::kFails;
}

}  // namespace layerlab::claims
