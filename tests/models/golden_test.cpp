// Our blocks against PyTorch's own layers: values, and every gradient.

#include <gtest/gtest.h>
#include <torch/nn/module.h>

#include "models/blocks.h"
#include "models/parameters.h"
#include "tests/support/golden.h"
#include "tests/support/tensors.h"

namespace layerlab::models {
namespace {

// The tolerances of float64 that the goldens' makers give.
constexpr double kValues = 1e-11, kGradients = 1e-10;

struct Case {
  const char* file;
  const char* equation;
  const char* finish;
  config::Activation activation;
  bool causal;
};

class Golden : public testing::TestWithParam<Case> {};

TEST_P(Golden, AgreesInValuesAndGradients) {
  const Case& c = GetParam();
  const layerlab::Golden golden(c.file);
  equation::Block block;
  block.equation.text = c.equation;
  block.finish.text = c.finish;
  config::ModelConfig model;
  model.depth = std::stoi(golden.metadata("layers"));
  model.width = std::stoi(golden.metadata("d_model"));
  model.heads = std::stoi(golden.metadata("heads"));
  model.ff = std::stoi(golden.metadata("d_ff"));
  model.norm_eps = std::stod(golden.metadata("eps"));
  model.activation = c.activation;
  model.kind = c.causal ? config::ModelKind::kDecoder : config::ModelKind::kEncoder;

  torch::nn::Module owner;
  Blocks blocks(owner, {1, model}, equation::compile(block, config::sizes_of(model)));
  owner.to(at::kDouble);
  Parameters parameters(owner);
  {
    const c10::AutoGradMode no_gradients(false);
    for (const Parameters::Slot& slot : parameters.slots()) {
      const at::Tensor stored = golden.tensor(slot.name).unsqueeze(0);
      ASSERT_EQ(stored.sizes(), slot.value.sizes()) << slot.name;
      slot.value.copy_(stored);
    }
  }

  std::map<std::string, at::Tensor> streams;  // of the file, by name, with gradient
  const TapFunction tap = [&](int index, const at::Tensor& value) {
    for (const equation::Site& site : blocks.program().taps[index].sites) {
      const std::string layer = std::to_string(site.layer);
      if (site.layer < 0) continue;
      if (site.sublayer == "attn" && site.role == "in") streams["block_in." + layer] = value;
      if (site.sublayer == "ff" && site.role == "out") streams["block_out." + layer] = value;
    }
    if (!value.is_leaf()) value.retain_grad();
    return value;
  };
  const at::Tensor input = golden.tensor("input").unsqueeze(0).requires_grad_();
  const at::Tensor output = blocks.forward(input, tap);
  const at::Tensor loss = (output * golden.tensor("loss_weight")).sum();
  EXPECT_THAT(output[0], IsNear(golden.tensor("output"), kValues));
  EXPECT_THAT(loss.view(1), IsNear(golden.tensor("loss"), kValues));

  loss.backward();
  double largest = 0;  // parameter gradient of the file
  for (const Parameters::Slot& slot : parameters.slots()) {
    largest = std::max(largest, golden.tensor("grad." + slot.name).abs().max().item<double>());
  }
  std::size_t compared = 0;
  const auto compare_gradient = [&](const std::string& name, const at::Tensor& tensor) {
    EXPECT_LE(relative_error(tensor.grad()[0], golden.tensor("grad." + name), 0.01 * largest),
              kGradients)
        << name;
    ++compared;
  };
  for (const Parameters::Slot& slot : parameters.slots()) compare_gradient(slot.name, slot.value);
  compare_gradient("input", input);
  for (const auto& [name, tensor] : streams) {
    EXPECT_THAT(tensor[0], IsNear(golden.tensor(name), kValues)) << name;
    if (name.starts_with("block_in")) compare_gradient(name, tensor);
  }

  std::size_t stored = 0;
  for (const auto& [name, data] : golden.tensors()) stored += name.starts_with("grad.");
  EXPECT_EQ(compared, stored) << "every gradient of the file is compared";
}

INSTANTIATE_TEST_SUITE_P(PyTorch, Golden,
                         testing::Values(Case{"pt_enc_post_relu", "LN(x + F(x))", "",
                                              config::Activation::kRelu, false},
                                         Case{"pt_enc_pre_relu_finalnorm", "x + F(LN(x))", "LN(x)",
                                              config::Activation::kRelu, false},
                                         Case{"pt_enc_post_gelu_causal", "LN(x + F(x))", "",
                                              config::Activation::kGelu, true}),
                         [](const auto& instance) { return instance.param.file; });

}  // namespace
}  // namespace layerlab::models
