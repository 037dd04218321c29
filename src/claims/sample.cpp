#include "claims/sample.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "config/claims.h"
#include "core/table_reader.h"
#include "stats/slope.h"

namespace layerlab::claims {
namespace {

using config::ClaimKind;

bool all_positive(const std::vector<RunNumber>& runs) {
  return std::ranges::all_of(runs, [](const RunNumber& run) { return *run.value > 0; });
}

Sample each_run(const ClaimResult& result) {
  Sample sample;
  for (const RunNumber& run : result.where) sample.numbers.push_back({run.seed, *run.value});
  for (const RunNumber& run : result.versus) sample.versus.push_back({run.seed, *run.value});
  return sample;
}

Sample each_pair(const ClaimResult& result, double (*compare)(double, double)) {
  if (!result.paired) return each_run(result);
  Sample sample;
  for (std::size_t i = 0; i < result.where.size(); ++i) {
    const RunNumber& run = result.where[i];
    sample.numbers.push_back({run.seed, compare(*run.value, *result.versus[i].value)});
  }
  return sample;
}

// One call of `summary(x, y)` for each seed.
Sample each_seed(const ClaimResult& result, double (*scale)(double),
                 double (*summary)(std::span<const double>, std::span<const double>)) {
  Sample sample;
  const std::vector<RunNumber>& runs = result.where;
  for (auto begin = runs.begin(); begin != runs.end();) {
    std::vector<double> x, y;
    auto run = begin;
    for (; run != runs.end() && run->seed == begin->seed; ++run) {
      x.push_back(scale(run->along));
      y.push_back(scale(*run->value));
    }
    sample.numbers.push_back({begin->seed, summary(x, y)});
    begin = run;
  }
  return sample;
}

double same(double value) { return value; }
double logarithm(double value) { return std::log(value); }

}  // namespace

Sample sample_of(const ClaimResult& result) {
  const auto refuse = [&] {
    return Sample{{},
                  {},
                  fmt::format("kind = \"{}\" needs positive numbers, and some runs gave others",
                              name_of(result.claim.kind))};
  };
  switch (result.claim.kind) {
    case ClaimKind::kMean:
    case ClaimKind::kFraction:
      return each_run(result);
    case ClaimKind::kRatio:
      if (!all_positive(result.where) || !all_positive(result.versus)) return refuse();
      return each_pair(result, [](double a, double b) { return a / b; });
    case ClaimKind::kDifference:
    case ClaimKind::kEquivalence:
      return each_pair(result, [](double a, double b) { return a - b; });
    case ClaimKind::kSlope:
      return each_seed(result, same, stats::least_squares_slope);
    case ClaimKind::kExponent:
      if (!all_positive(result.where)) return refuse();
      return each_seed(result, logarithm, stats::least_squares_slope);
    case ClaimKind::kTrend:
      return each_seed(result, same, stats::kendall_tau);
  }
  return {};
}

}  // namespace layerlab::claims
