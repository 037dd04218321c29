#include "stats/holm.h"

#include <gmock/gmock.h>

namespace layerlab::stats {
namespace {

using testing::DoubleEq;
using testing::ElementsAre;
using testing::IsEmpty;

// statsmodels 0.15.0: multipletests(p, 0.05, "holm").
TEST(Holm, AdjustsPValues) {
  const std::vector<double> p = {0.01, 0.04, 0.03, 0.005, 0.5};
  EXPECT_THAT(holm(p, 0.05).adjusted, ElementsAre(DoubleEq(0.04), DoubleEq(0.09), DoubleEq(0.09),
                                                  DoubleEq(0.025), DoubleEq(0.5)));
}

TEST(Holm, HoldsTheFirstFailureAndAllBehindItAgainstTheSameThreshold) {
  const std::vector<double> p = {0.01, 0.04, 0.03, 0.005, 0.5};
  const double failed = 0.05 / 3;  // 0.005 < 0.05/5 and 0.01 < 0.05/4 pass, 0.03 does not
  EXPECT_THAT(holm(p, 0.05).threshold,
              ElementsAre(DoubleEq(0.05 / 4), DoubleEq(failed), DoubleEq(failed),
                          DoubleEq(0.05 / 5), DoubleEq(failed)));
}

TEST(Holm, ThresholdsAgreeWithAdjustedValues) {
  for (const std::vector<double>& p : {std::vector<double>{0.001, 0.02, 0.03},
                                       {0.04, 0.04, 0.04},
                                       {0, 0, 0.9, 1},
                                       {0.013, 0.012, 0.011}}) {
    const Holm result = holm(p, 0.05);
    for (std::size_t i = 0; i < p.size(); ++i) {
      EXPECT_EQ(p[i] <= result.threshold[i], result.adjusted[i] <= 0.05) << i;
    }
  }
}

TEST(Holm, LeavesASingleTestAsItIs) {
  const std::vector<double> p = {0.03};
  EXPECT_THAT(holm(p, 0.05).adjusted, ElementsAre(0.03));
  EXPECT_THAT(holm(p, 0.05).threshold, ElementsAre(0.05));
  EXPECT_THAT(holm({}, 0.05).adjusted, IsEmpty());
}

}  // namespace
}  // namespace layerlab::stats
