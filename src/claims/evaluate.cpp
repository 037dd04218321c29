#include "claims/evaluate.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

#include "claims/estimate_claim.h"
#include "record/manifest.h"

namespace layerlab::claims {
namespace {

using config::Cell;
using config::DivergedRule;
using config::Search;
using record::CellState;

const char* why_unfinished(CellState state) {
  return state == CellState::kMissing ? "was never started" : "has not finished";
}

// A damaged manifest costs no number.
std::optional<double> seconds_of(const record::CellFolder& folder) {
  try {
    return record::training_seconds(folder);
  } catch (const UserError&) {
    return std::nullopt;
  }
}

// Asks runs for the numbers of claims, and tries each combination of a search once for all.
class Evaluation {
 public:
  explicit Evaluation(std::filesystem::path results) : results_(std::move(results)) {}

  // The result with its runs' numbers only.
  ClaimResult ask(const PreparedClaim& prepared) {
    const auto numbers = [&](const std::vector<Cell>& cells) {
      std::vector<RunNumber> runs;
      for (const Cell& cell : cells) {
        runs.push_back(prepared.search ? number_of_combination(cell, prepared)
                                       : number_of(cell, prepared));
      }
      return runs;
    };
    ClaimResult result;
    result.claim = prepared.claim;
    result.where = numbers(prepared.where);
    result.versus = numbers(prepared.versus);
    result.paired = prepared.paired;
    for (std::size_t i = 0; i < prepared.along.size(); ++i) {
      result.where[i].along = prepared.along[i];
    }
    for (const std::string& axis : prepared.mixed) {
      result.warnings.push_back("the runs differ in " + axis + ", so they sample no one setting");
    }
    return result;
  }

 private:
  record::CellFolder folder_of(const Cell& cell) const {
    return record::cell_folder(results_, cell.id);
  }

  RunNumber number_of(const Cell& cell, const PreparedClaim& prepared,
                      std::optional<double> found = std::nullopt) {
    RunNumber run{cell.id, cell.config.seed};
    run.found = found;
    run.seconds[cell.id] = seconds_of(folder_of(cell));
    const CellState state = record::read_state(folder_of(cell));
    run.diverged = state == CellState::kDiverged;
    if (run.diverged && prepared.claim.diverged == DivergedRule::kFailure) {
      run.value = 0;
    } else if (run.diverged || state == CellState::kFinished) {
      measure(cell, prepared, run);
    } else if (state == CellState::kDamaged) {
      run.missing = "is damaged: " + record::damage(folder_of(cell));
    } else {
      run.missing = why_unfinished(state);
    }
    return run;
  }

  void measure(const Cell& cell, const PreparedClaim& prepared, RunNumber& run) {
    const Facts facts{chance_losses_.of(cell),
                      run.diverged && prepared.claim.diverged == DivergedRule::kChance, run.found};
    const Measurement measured = prepared.measure.of(folder_of(cell).record(), facts);
    run.value = measured.value;
    run.missing = measured.missing;
    if (run.diverged && !run.value && !measured.damaged) run.missing = "diverged: " + run.missing;
  }

  RunNumber number_of_combination(const Cell& combination, const PreparedClaim& prepared) {
    const auto [place, is_new] =
        searched_.try_emplace(std::pair(prepared.search.get(), combination.id));
    if (is_new) place->second = prepared.search->find(combination, results_);
    const SearchResult& searched = place->second;
    const Search& search = prepared.search->search();
    RunNumber run{searched.run.id, searched.run.config.seed};
    if (searched.found) {
      run = number_of(searched.run, prepared, as_number(search.values[*searched.found]));
    } else if (!searched.damage.empty()) {
      run.missing = searched.damage;
    } else if (searched.ended) {
      run.missing = fmt::format("no rung of {} passes, the lowest is {}", search.key,
                                to_toml_value(search.values.front()));
    } else {
      run.missing = fmt::format("is still searched: {} = {} {}", search.key,
                                to_toml_value(*find_path(searched.run.settings, search.key)),
                                why_unfinished(record::read_state(folder_of(searched.run))));
    }
    for (const Cell& cell : searched.runs) run.seconds[cell.id] = seconds_of(folder_of(cell));
    return run;
  }

  std::filesystem::path results_;
  ChanceLosses chance_losses_;
  std::map<std::pair<ThresholdSearch*, std::string>, SearchResult> searched_;
};

// The true value of runs found with the largest value may be larger.
void warn_of_the_largest_value(const Search& search, ClaimResult& result) {
  const auto at_the_end = [&](const RunNumber& run) {
    return run.found == as_number(search.values.back());
  };
  const auto count = std::ranges::count_if(result.where, at_the_end) +
                     std::ranges::count_if(result.versus, at_the_end);
  if (count == 0) return;
  result.warnings.push_back(fmt::format(
      "{} of {} runs pass at the highest rung, {} = {}, and may pass above it", count,
      result.where.size() + result.versus.size(), search.key, to_toml_value(search.values.back())));
}

}  // namespace

std::vector<ClaimResult> evaluate(const std::vector<PreparedClaim>& claims,
                                  const std::filesystem::path& results, const Stage& stage) {
  std::vector<ClaimResult> judged;
  std::vector<std::optional<Estimate>> estimates;
  Evaluation evaluation(results);
  for (std::size_t i = 0; i < claims.size(); ++i) {
    if (i < stage.earlier.size() && stage.earlier[i].closed) {
      judged.push_back(stage.earlier[i]);
      estimates.emplace_back();
      continue;
    }
    judged.push_back(evaluation.ask(claims[i]));
    if (claims[i].search) warn_of_the_largest_value(claims[i].search->search(), judged.back());
    estimates.push_back(estimate_claim(judged.back()));
  }
  judge(estimates, judged, stage.alpha);
  return judged;
}

}  // namespace layerlab::claims
