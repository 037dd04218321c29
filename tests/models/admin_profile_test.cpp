// Our profiling pass against Transformer-Clinic's, on the inputs that it saw.

#include "models/admin_profile.h"

#include <gtest/gtest.h>
#include <torch/nn/module.h>

#include "config/model_parts.h"
#include "tests/models/features.h"
#include "tests/support/golden.h"
#include "tests/support/tensors.h"

namespace layerlab::models {
namespace {

class AdminProfile : public testing::TestWithParam<const char*> {};

TEST_P(AdminProfile, FindsTheOmegasOfPublicCode) {
  const Golden golden(GetParam());
  config::ModelConfig model;
  model.depth = std::stoi(golden.metadata("layers"));
  model.width = std::stoi(golden.metadata("d_model"));
  model.heads = std::stoi(golden.metadata("heads"));
  model.ff = std::stoi(golden.metadata("d_ff"));
  if (golden.metadata("causal") == "True") model.kind = config::ModelKind::kDecoder;
  equation::Sizes sizes = config::sizes_of(model);
  sizes.cross = golden.tensors().contains("memory");

  torch::nn::Module owner;
  Blocks blocks(owner, {1, model}, equation::compile(find_feature("admin").block, sizes));
  owner.to(at::kDouble);
  const c10::AutoGradMode no_gradients(false);
  for (auto& parameter : owner.named_parameters()) {
    if (!parameter.key().ends_with(".omega")) {
      parameter.value().copy_(golden.tensor(parameter.key()).unsqueeze(0));
    }
  }
  ForwardContext around;
  if (sizes.cross) around.memory = golden.tensor("memory").unsqueeze(0);
  at::Tensor output;
  profile_omegas(omegas_of(blocks), blocks.program().taps, [&](const TapFunction& tap) {
    output = blocks.forward(golden.tensor("input").unsqueeze(0), tap, around);
  });

  int found = 0;
  for (const auto& parameter : owner.named_parameters()) {
    if (!parameter.key().ends_with(".omega")) continue;
    ++found;
    EXPECT_THAT(parameter.value()[0], IsNear(golden.tensor(parameter.key()), 1e-11))
        << parameter.key();
  }
  EXPECT_EQ(found, model.depth * (sizes.cross ? 3 : 2));
  EXPECT_THAT(output[0], IsNear(golden.tensor("output"), 1e-11)) << "already with these omegas";
}

INSTANTIATE_TEST_SUITE_P(TransformerClinic, AdminProfile,
                         testing::Values("admin_profile_enc", "admin_profile_dec"),
                         [](const auto& instance) { return std::string(instance.param); });

TEST(Omegas, AreFoundWhereTheyAreDeclared) {
  const auto omegas = [](const char* name, const std::string& side) {
    const Feature& feature = find_feature(name);
    torch::nn::Module owner;
    equation::Sizes sizes = config::sizes_of(feature.model);
    sizes.side = side;
    return omegas_of(Blocks(owner, {1, feature.model}, equation::compile(feature.block, sizes)));
  };
  EXPECT_TRUE(omegas("gates", "").empty());
  EXPECT_EQ(omegas("admin", "").size(), 4u);
  EXPECT_TRUE(omegas("admin", "decoder").contains("decoder.blocks.1.ff"));
}

}  // namespace
}  // namespace layerlab::models
