#include "stats/bootstrap.h"

#include <gtest/gtest.h>

#include <vector>

namespace layerlab::stats {
namespace {

const std::vector<double> kSkewed = {0.12, 0.31, 0.07, 0.95, 0.44, 0.23, 1.62, 0.51, 0.18, 0.36,
                                     0.09, 0.74, 0.28, 2.41, 0.15, 0.58, 0.21, 0.66, 0.33, 1.07};

// SciPy 1.17.1: stats.bootstrap((values,), numpy.mean, method="BCa", n_resamples=400000); the
// differences are those between resamples.
TEST(BootstrapMean, HasEfronsInterval) {
  const BootstrapMean bootstrap(kSkewed);
  EXPECT_NEAR(bootstrap.interval(0.05).low, 0.3785, 0.01);
  EXPECT_NEAR(bootstrap.interval(0.05).high, 0.9190, 0.025);
  EXPECT_NEAR(bootstrap.interval(0.01).low, 0.3380, 0.015);
  EXPECT_NEAR(bootstrap.interval(0.01).high, 1.0715, 0.05);
}

TEST(BootstrapMean, GivesTheSameIntervalEachTime) {
  const Interval first = BootstrapMean(kSkewed).interval(0.05);
  const Interval second = BootstrapMean(kSkewed).interval(0.05);
  EXPECT_EQ(first.low, second.low);
  EXPECT_EQ(first.high, second.high);
}

TEST(BootstrapMean, ScalesWithItsValues) {
  std::vector<double> tiny;
  for (const double value : kSkewed) tiny.push_back(value * 0x1p-600);
  EXPECT_NEAR(BootstrapMean(tiny).interval(0.05).low * 0x1p600,
              BootstrapMean(kSkewed).interval(0.05).low, 1e-12);
}

TEST(BootstrapMean, IsAPointForEqualValues) {
  const Interval interval = BootstrapMean(std::vector<double>(25, 0.1)).interval(0.05);
  EXPECT_EQ(interval.low, 0.1);
  EXPECT_EQ(interval.high, 0.1);
}

TEST(BootstrapMean, WidensFurtherThanItsResamplesReach) {
  const BootstrapMean bootstrap(kSkewed);
  Interval narrower = bootstrap.interval(0.1);
  for (const double alpha : {0.05, 0.01, BootstrapMean::kFinestAlpha, 0.003, 1e-4, 1e-9, 1e-15}) {
    const Interval interval = bootstrap.interval(alpha);
    EXPECT_LT(interval.low, narrower.low) << alpha;
    EXPECT_GT(interval.high, narrower.high) << alpha;
    narrower = interval;
  }
}

}  // namespace
}  // namespace layerlab::stats
