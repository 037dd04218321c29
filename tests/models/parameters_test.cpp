#include "models/parameters.h"

#include <gtest/gtest.h>

#include "models/linear.h"
#include "tests/support/tensors.h"

namespace layerlab::models {
namespace {

struct Pair : torch::nn::Module {
  explicit Pair(std::int64_t replicas)
      : first(register_module("first", Linear(LinearOptions{replicas, 3, 4}))),
        second(register_module("second", Linear(LinearOptions{replicas, 4, 2}))) {}
  Linear first, second;
};

TEST(Parameters, KeepTheirValuesAndNames) {
  Pair model(2);
  const at::Tensor before = at::randn({2, 4, 3});
  {
    const c10::AutoGradMode no_gradients(false);
    model.first->weight.copy_(before);
  }
  const Parameters parameters(model);
  EXPECT_EQ(parameters.slots()[0].name, "first.weight");
  EXPECT_THAT(model.first->weight.detach(), BitEqual(before));
}

TEST(Parameters, ChangeTheModelWhenTheirRowChanges) {
  Pair model(2);
  const Parameters parameters(model);
  parameters.values()[1].fill_(5);
  EXPECT_TRUE(model.second->bias[1].eq(5).all().item<bool>());
  EXPECT_TRUE(model.second->bias[0].eq(0).all().item<bool>());
}

TEST(Parameters, FallIntoGroupsOfNeighbours) {
  Pair model(2);
  const Parameters parameters(model);  // of 12, 4, 8 and 2 numbers, at multiples of 16
  const auto sizes = [&](std::int64_t most) {
    std::vector<std::size_t> result;
    std::int64_t end = 0;
    for (const Parameters::Group& group : parameters.groups(most)) {
      EXPECT_EQ(group.begin, end);
      EXPECT_EQ(group.begin, group.slots.front().begin);
      end = group.begin + group.count;
      result.push_back(group.slots.size());
    }
    EXPECT_EQ(end, parameters.values().size(1));
    return result;
  };
  EXPECT_EQ(sizes(1), (std::vector<std::size_t>{1, 1, 1, 1})) << "one slot at least";
  EXPECT_EQ(sizes(39), (std::vector<std::size_t>{2, 2}));
  EXPECT_EQ(sizes(40), (std::vector<std::size_t>{3, 1}));
  EXPECT_EQ(sizes(1000), (std::vector<std::size_t>{4}));
}

TEST(Parameters, GetTheGradientsOfTheLoss) {
  Pair model(2);
  Parameters parameters(model);
  at::manual_seed(1);
  parameters.values().normal_();
  const at::Tensor x = at::randn({2, 1, 5, 3});
  const auto loss = [&] { return model.second(model.first(x)).square().sum(); };
  parameters.backward(loss());
  loss().backward();
  for (const Parameters::Slot& slot : parameters.slots()) {
    EXPECT_THAT(slot.part(parameters.gradients()), IsNear(slot.value.grad(), 1e-6)) << slot.name;
  }
}

TEST(Parameters, GetZeroGradientsWhereTheLossDoesNotReach) {
  Pair model(1);
  Parameters parameters(model);
  parameters.values().fill_(1);
  const at::Tensor x = at::ones({1, 1, 1, 3});
  parameters.backward(model.second(model.first(x)).sum());
  parameters.backward(model.first(x).sum());
  EXPECT_TRUE(parameters.slots()[2].part(parameters.gradients()).eq(0).all().item<bool>());
}

}  // namespace
}  // namespace layerlab::models
