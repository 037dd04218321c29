#include "claims/interim_analysis.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <set>
#include <string>
#include <utility>

namespace layerlab::claims {

double stage_alpha(int number) { return std::ldexp(kAlpha, -number); }

std::vector<std::uint64_t> stage_seeds(const config::Experiment& experiment, int number) {
  assert(number >= 1 && number <= kStages);
  std::vector<std::uint64_t> seeds;
  for (const config::Cell& cell : experiment.cells) {
    const std::uint64_t seed = cell.config.seed;
    if (std::ranges::find(seeds, seed) == seeds.end()) seeds.push_back(seed);
  }
  const std::size_t count = seeds.size() << (number - 1);
  std::uint64_t next = std::ranges::max(seeds) + 1;
  while (seeds.size() < count) seeds.push_back(next++);
  return seeds;
}

bool is_open(const ClaimResult& result) {
  return result.verdict == stats::Verdict::kInconclusive && result.estimate && !result.as_expected;
}

InterimAnalysis::InterimAnalysis(const config::Experiment& experiment,
                                 std::vector<PreparedClaim> claims, WithSeeds with_seeds,
                                 std::filesystem::path results)
    : experiment_(experiment),
      claims_(std::move(claims)),
      with_seeds_(std::move(with_seeds)),
      results_(std::move(results)) {}

void InterimAnalysis::analyse() {
  for (ClaimResult& result : judged_) result.closed = !is_open(result);
  judged_ = evaluate(claims_, results_, {stage_alpha(stage_), std::move(judged_)});
}

std::optional<config::Experiment> InterimAnalysis::next() {
  const std::size_t before = open_runs().size();
  if (before == 0 || stage_ == kStages) return std::nullopt;
  config::Experiment more = with_seeds_(stage_seeds(experiment_, stage_ + 1));
  claims_ = prepare(more);
  more.cells = open_runs();
  if (more.cells.size() == before) return std::nullopt;
  ++stage_;
  return more;
}

std::ptrdiff_t InterimAnalysis::open() const { return std::ranges::count_if(judged_, is_open); }

std::vector<config::Cell> InterimAnalysis::open_runs() const {
  std::vector<config::Cell> runs;
  std::set<std::string> ids;
  for (std::size_t i = 0; i < judged_.size(); ++i) {
    if (!is_open(judged_[i])) continue;
    for (const auto* const cells : {&claims_[i].where, &claims_[i].versus}) {
      for (const config::Cell& cell : *cells) {
        if (ids.insert(cell.id).second) runs.push_back(cell);
      }
    }
  }
  return runs;
}

}  // namespace layerlab::claims
