#include "config/schedule.h"

#include <gmock/gmock.h>

#include "config/keys.h"

namespace layerlab::config {
namespace {

using testing::DoubleNear;
using testing::ElementsAre;

RunConfig run_with(ScheduleKind schedule, int warmup, int steps) {
  RunConfig run;
  run.train.lr = 0.01;
  run.train.schedule = schedule;
  run.train.warmup = warmup;
  run.train.steps = steps;
  return run;
}

std::vector<double> rates(const RunConfig& run, std::initializer_list<int> steps) {
  std::vector<double> result;
  for (const int step : steps) result.push_back(learning_rate(run, step));
  return result;
}

template <typename... Number>
auto are(Number... expected) {
  return ElementsAre(DoubleNear(expected, 1e-12)...);
}

TEST(Schedule, IsConstantWithoutWarmup) {
  EXPECT_THAT(rates(run_with(ScheduleKind::kConstant, 0, 400), {0, 1, 399}),
              ElementsAre(0.01, 0.01, 0.01));
}

TEST(Schedule, RisesLinearlyFromTheFirstStep) {
  EXPECT_THAT(rates(run_with(ScheduleKind::kConstant, 4, 400), {0, 1, 2, 3, 4, 399}),
              are(0.0025, 0.005, 0.0075, 0.01, 0.01, 0.01));
}

TEST(Schedule, RisesExponentiallyAndNeverQuiteArrives) {
  RunConfig run = run_with(ScheduleKind::kConstant, 4, 400);
  run.train.warmup_shape = WarmupShape::kExponential;
  EXPECT_THAT(rates(run, {0, 1, 3, 7, 39}),
              are(0.002211992169285951, 0.003934693402873666, 0.006321205588285577,
                  0.008646647167633873, 0.009999546000702375));
}

TEST(Schedule, FallsLinearlyAfterTheWarmup) {
  EXPECT_THAT(rates(run_with(ScheduleKind::kLinear, 2, 10), {0, 1, 2, 3, 6, 9, 10, 11}),
              are(0.005, 0.01, 0.01, 0.00875, 0.005, 0.00125, 0.0, 0.0));
}

TEST(Schedule, FallsLinearlyToItsFinalRate) {
  RunConfig run = run_with(ScheduleKind::kLinear, 0, 4);
  run.train.final_lr = 0.2;
  EXPECT_THAT(rates(run, {0, 1, 2, 3, 4}), are(0.01, 0.008, 0.006, 0.004, 0.002));
}

TEST(Schedule, FallsAsACosine) {
  EXPECT_THAT(rates(run_with(ScheduleKind::kCosine, 2, 10), {0, 1, 2, 4, 6, 8, 9}),
              are(0.005, 0.01, 0.01, 0.008535533905932738, 0.005, 0.001464466094067262,
                  0.000380602337443566));
  RunConfig run = run_with(ScheduleKind::kCosine, 0, 4);
  run.train.final_lr = 0.1;
  EXPECT_THAT(rates(run, {0, 2, 4}), are(0.01, 0.0055, 0.001));
}

TEST(Schedule, FallsWithTheRootOfTheSteps) {
  EXPECT_THAT(rates(run_with(ScheduleKind::kInverseSqrt, 4, 400), {0, 3, 4, 15, 399}),
              are(0.0025, 0.01, 0.00894427190999916, 0.005, 0.001));
  EXPECT_THAT(rates(run_with(ScheduleKind::kInverseSqrt, 0, 400), {0, 3, 399}),
              are(0.01, 0.005, 0.0005));
}

TEST(Schedule, FollowsTheTransformersFormula) {
  RunConfig run = run_with(ScheduleKind::kNoam, 4, 400);
  run.train.lr = 2;
  run.model.width = 64;
  EXPECT_THAT(rates(run, {0, 1, 3, 15, 399}), are(0.03125, 0.0625, 0.125, 0.0625, 0.0125));
  run.train.warmup = 0;
  EXPECT_THAT(rates(run, {0, 3, 399}), are(0.25, 0.125, 0.0125));
}

TEST(Schedule, StaysThenDecaysOverTheLastSteps) {
  RunConfig run = run_with(ScheduleKind::kWsd, 2, 20);
  run.train.decay = 4;
  run.train.final_lr = 0.2;
  EXPECT_THAT(rates(run, {0, 1, 2, 15, 16, 17, 18, 19}),
              are(0.005, 0.01, 0.01, 0.01, 0.01, 0.008, 0.006, 0.004));
}

// Nobody who writes a schedule means to waste the first update.
TEST(Schedule, NeverBeginsAtZero) {
  for (const ScheduleKind schedule :
       {ScheduleKind::kConstant, ScheduleKind::kLinear, ScheduleKind::kCosine,
        ScheduleKind::kInverseSqrt, ScheduleKind::kNoam, ScheduleKind::kWsd}) {
    for (const int warmup : {0, 1, 100}) {
      for (const int steps : {1, 100}) {
        RunConfig run = run_with(schedule, warmup, steps);
        run.train.decay = 1;
        EXPECT_GT(learning_rate(run, 0), 0) << name_of(schedule) << warmup << ' ' << steps;
      }
    }
  }
}

}  // namespace
}  // namespace layerlab::config
