#include "claims/threshold_search.h"

#include <fmt/format.h>

namespace layerlab::claims {

using config::Cell;
using record::CellState;

ThresholdSearch::ThresholdSearch(const config::Search& search)
    : search_(search), passes_(search.passes, search.passes_place) {}

SearchResult ThresholdSearch::find(const Cell& combination, const std::filesystem::path& results) {
  SearchResult result;
  const Bisection bisection = bisect(search_.values.size(), [&](std::size_t index) {
    const Cell run = config::at_candidate(combination, search_, index);
    result.runs.push_back(run);
    const Trial trial = try_run(run, record::cell_folder(results, run.id), result.damage);
    if (trial == Trial::kPasses) result.run = run;
    return trial;
  });
  result.ended = !bisection.next;
  result.found = bisection.found;
  if (!result.found) result.run = result.runs.back();
  return result;
}

Trial ThresholdSearch::try_run(const Cell& run, const record::CellFolder& folder,
                               std::string& damage) {
  const CellState state = record::read_state(folder);
  if (state == CellState::kDamaged) damage = "is damaged: " + record::damage(folder);
  if (!record::has_ended(state)) return Trial::kUnknown;
  if (state == CellState::kDiverged) return Trial::kFails;
  const Measurement measured = passes_.of(folder.record(), {chance_losses_.of(run)});
  if (measured.damaged) {
    damage = measured.missing;
    return Trial::kUnknown;
  }
  const double passes = measured.value.value_or(0);
  if (passes != 0 && passes != 1) {
    throw UserError(search_.passes_place,
                    fmt::format("search.passes must be 0 or 1; it was {}", passes),
                    "compare it with something: final('loss') < 0.3");
  }
  return passes == 1 ? Trial::kPasses : Trial::kFails;
}

}  // namespace layerlab::claims
