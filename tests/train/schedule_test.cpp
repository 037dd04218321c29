#include "train/schedule.h"

#include <gtest/gtest.h>

namespace layerlab::train {
namespace {

config::TrainConfig train_with(double lr, int warmup) {
  config::TrainConfig train;
  train.lr = lr;
  train.warmup = warmup;
  return train;
}

TEST(Schedule, IsConstantWithoutWarmup) {
  EXPECT_EQ(learning_rate(train_with(1e-2, 0), 0), 1e-2);
  EXPECT_EQ(learning_rate(train_with(1e-2, 0), 1000), 1e-2);
}

TEST(Schedule, RisesLinearlyFromTheFirstStep) {
  const config::TrainConfig train = train_with(1e-2, 4);
  EXPECT_DOUBLE_EQ(learning_rate(train, 0), 0.25e-2);
  EXPECT_DOUBLE_EQ(learning_rate(train, 1), 0.5e-2);
  EXPECT_DOUBLE_EQ(learning_rate(train, 3), 1e-2);
  EXPECT_DOUBLE_EQ(learning_rate(train, 4), 1e-2);
}

}  // namespace
}  // namespace layerlab::train
