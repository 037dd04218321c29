#include "train/device.h"

#include <gtest/gtest.h>
#include <torch/cuda.h>

#include "tests/support/user_error.h"

namespace layerlab::train {
namespace {

TEST(Device, IsWhatWasAskedFor) { EXPECT_TRUE(pick_device("cpu").is_cpu()); }

TEST(Device, RefusesOtherWords) {
  EXPECT_EQ(refusal([] { pick_device("gpu"); }),
            "--device: expected auto, cpu, cuda or cuda:N, got 'gpu'");
  EXPECT_THAT([] { pick_device("cuda:x"); }, throws_user_error("got 'cuda:x'"));
}

TEST(Device, RefusesAGpuThatIsNotThere) {
  const std::string beyond = "cuda:" + std::to_string(torch::cuda::device_count());
  EXPECT_THAT([&] { pick_device(beyond); }, throws_user_error("--device: expected a GPU"));
}

TEST(Device, IsTheGpuWhereThereIsOne_CUDA) {
  EXPECT_TRUE(pick_device("auto").is_cuda());
  EXPECT_EQ(pick_device("cuda:0").index(), 0);
}

}  // namespace
}  // namespace layerlab::train
