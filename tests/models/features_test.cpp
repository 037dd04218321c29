// What must hold of every feature of the language and every block of the catalogue: replicas are
// independent, and gradients are those of the forward pass.

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <torch/csrc/autograd/autograd.h>
#include <torch/nn/module.h>

#include <set>
#include <string>

#include "config/model_parts.h"
#include "models/blocks.h"
#include "models/parameters.h"
#include "tests/models/features.h"
#include "tests/support/tensors.h"

namespace layerlab::models {
namespace {

using at::Tensor;

constexpr int kSequences = 3, kTokens = 5, kMemoryTokens = 4;

// Blocks of a feature with random parameters and inputs, the same in each row for each replica.
struct Fixture {
  torch::nn::Module owner;
  Blocks blocks;
  Parameters parameters;
  Tensor x, weight;
  ForwardContext around;

  Fixture(const Feature& feature, std::int64_t replicas, at::ScalarType type)
      : blocks(owner, {replicas, feature.model}, program(feature)),
        parameters((owner.to(type), owner)) {
    at::manual_seed(1);
    parameters.values().normal_(0, 0.3);
    const std::int64_t D = feature.model.width;
    x = at::randn({replicas, kSequences, kTokens, D}, type);
    weight = at::randn({replicas, kSequences, kTokens, D}, type);
    if (!feature.memory) return;
    around.memory = at::randn({replicas, kSequences, kMemoryTokens, D}, type);
    around.mask = at::ones({replicas, kSequences, kTokens}, at::kBool);
    around.mask.select(1, 1).narrow(1, 3, 2).fill_(false);
    around.memory_mask = at::ones({replicas, kSequences, kMemoryTokens}, at::kBool);
    around.memory_mask.select(1, 2).narrow(1, 1, 3).fill_(false);
  }

  static equation::Program program(const Feature& feature) {
    equation::Sizes sizes = config::sizes_of(feature.model);
    sizes.cross = feature.memory;
    return equation::compile(feature.block, sizes);
  }

  Tensor forward() { return blocks.forward(x, {}, around); }

  // Replica r's parameters and inputs, in a model of one replica.
  void take(const Fixture& packed, std::int64_t r) {
    const auto row = [&](const Tensor& of_all) {
      return of_all.defined() ? of_all.narrow(0, r, 1).clone() : Tensor();
    };
    parameters.values().copy_(row(packed.parameters.values()));
    x = row(packed.x);
    weight = row(packed.weight);
    around = {row(packed.around.memory), row(packed.around.mask), row(packed.around.memory_mask)};
  }
};

class EveryFeature : public testing::TestWithParam<Feature> {};

TEST_P(EveryFeature, GivesAReplicaTheBitsThatItHasAlone) {
  Fixture packed(GetParam(), 3, at::kFloat), solo(GetParam(), 1, at::kFloat);
  const Tensor outputs = packed.forward();
  packed.parameters.backward((outputs * packed.weight).sum());
  for (std::int64_t r = 0; r < 3; ++r) {
    solo.take(packed, r);
    const Tensor output = solo.forward();
    EXPECT_THAT(outputs.detach().narrow(0, r, 1), BitEqual(output.detach())) << r;
    solo.parameters.backward((output * solo.weight).sum());
    for (std::size_t i = 0; i < solo.parameters.slots().size(); ++i) {
      const Parameters::Slot& slot = solo.parameters.slots()[i];
      const Tensor among_others =
          packed.parameters.slots()[i].part(packed.parameters.gradients()).narrow(0, r, 1);
      EXPECT_THAT(among_others, BitEqual(slot.part(solo.parameters.gradients()))) << slot.name;
    }
  }
}

// Central differences along a random direction of all parameters, and of what comes in.
TEST_P(EveryFeature, HasTheGradientsOfItsForwardPass) {
  Fixture fixture(GetParam(), 1, at::kDouble);
  const auto loss = [&] { return (fixture.forward() * fixture.weight).sum(); };
  std::vector<std::pair<Tensor, Tensor>> points = {{fixture.x, {}}};
  if (fixture.around.memory.defined()) points.push_back({fixture.around.memory, {}});
  for (auto& [point, gradient] : points) point.requires_grad_();
  fixture.parameters.backward(loss());
  for (auto& [point, gradient] : points) {
    gradient = torch::autograd::grad({loss()}, {point})[0];
  }
  for (auto& [point, gradient] : points) point.requires_grad_(false);
  points.push_back({fixture.parameters.values(), fixture.parameters.gradients()});

  const c10::AutoGradMode no_gradients(false);
  const double h = 1e-5;
  for (auto& [point, gradient] : points) {
    const Tensor direction = at::randn_like(point);
    point.add_(direction, h);
    const double above = loss().item<double>();
    point.add_(direction, -2 * h);
    const double below = loss().item<double>();
    point.add_(direction, h);
    const double expected = (gradient * direction).sum().item<double>();
    EXPECT_NEAR((above - below) / (2 * h) / expected, 1, 1e-6);
  }
}

// What a stream carries from the first block to the last when every branch returns zero.
Tensor carried(Feature preset, const std::string& stream, const Tensor& x) {
  if (preset.block.start.text.starts_with("x =")) preset.block.start.text = "";
  preset.block.finish.text = stream == "h" ? "x = h[0]" : "x = 1*" + stream;
  torch::nn::Module owner;
  Blocks blocks(owner, {1, preset.model}, Fixture::program(preset));
  Parameters parameters(owner);
  const c10::AutoGradMode no_gradients(false);
  for (const Parameters::Slot& slot : parameters.slots()) {
    const auto of = [&](const char* part) { return slot.name.find(part) != std::string::npos; };
    if (of(".o.") || of(".down.")) slot.value.zero_();
    if (of(".q.") || of(".k.") || of(".v.") || of(".up.") || of(".gate.")) slot.value.normal_();
  }
  return blocks.forward(x);
}

// Zeroing the branches returns the input where a skip is unnormalised. That this holds for these
// streams, and for no others, is part of what the blocks are. (mix_ln has no Post-LN block at
// depth 2.)
TEST(Catalogue, HasAnIdentityPathWhereTheEquationPromisesOne) {
  at::manual_seed(1);
  std::set<std::string> found;
  for (const Feature& preset : presets()) {
    const Tensor x = at::randn({1, kSequences, kTokens, preset.model.width});
    const equation::Program program = Fixture::program(preset);
    for (const auto& [stream, reg] : program.block_begins.front().streams) {
      if (program.block_begins.back().streams.at(stream) == reg) continue;  // nothing writes it
      if (at::equal(carried(preset, stream, x), x)) found.insert(preset.name + "." + stream);
    }
  }
  EXPECT_THAT(found,
              testing::ElementsAre("gemma2.x", "gpt2.x", "gpt_j.x", "hyper_connections_dynamic.h",
                                   "hyper_connections_static.h", "layer_scale.x", "lns.x",
                                   "mix_ln.x", "normformer.x", "olmo2.x", "peri_ln.x", "pre_ln.x",
                                   "resi_dual.y", "residual_only.x", "rezero.x", "sandwich.x",
                                   "siamese_norm.y", "skipinit.x", "sub_ln.x", "t_fixup.x"));
}

INSTANTIATE_TEST_SUITE_P(Blocks, EveryFeature, testing::ValuesIn(features()),
                         [](const auto& instance) { return instance.param.name; });

INSTANTIATE_TEST_SUITE_P(Catalogue, EveryFeature, testing::ValuesIn(presets()),
                         [](const auto& instance) { return instance.param.name; });

}  // namespace
}  // namespace layerlab::models
