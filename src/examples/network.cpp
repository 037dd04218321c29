#include "examples/network.h"

#include <ATen/ATen.h>
#include <torch/csrc/autograd/autograd.h>

#include "config/model_parts.h"
#include "equation/program.h"
#include "models/init.h"

namespace layerlab::examples {

config::ModelConfig sizes(int depth, int width, int ff) {
  config::ModelConfig model;
  model.depth = depth;
  model.width = width;
  model.heads = 1;
  model.ff = ff;
  return model;
}

equation::Block block_of(const std::string& equation) {
  equation::Block block;
  block.equation.text = equation;
  return block;
}

Network::Network(const equation::Block& block, const config::ModelConfig& model,
                 const std::vector<std::uint64_t>& seeds)
    : model_(model),
      blocks_(owner_, {static_cast<std::int64_t>(seeds.size()), model},
              equation::compile(block, config::sizes_of(model))) {
  models::initialize(owner_, model.init, seeds);
  owner_.to(at::kDouble);
}

Network::Network(const equation::Block& block, const config::ModelConfig& model)
    : Network(block, model, {0}) {
  for (const auto& parameter : owner_.named_parameters()) {
    if (parameter.key().find("norm") == std::string::npos) set(parameter.key(), at::zeros({}));
  }
}

Network::Network(const std::string& equation, const config::ModelConfig& model)
    : Network(block_of(equation), model) {}

void Network::let_branch_return(const std::vector<double>& values) {
  for (int layer = 0; layer < model_.depth; ++layer) {
    set("blocks." + std::to_string(layer) + ".ff.down.bias", at::tensor(values, at::kDouble));
  }
}

void Network::let_branch_multiply(double factor) {
  const at::Tensor one = at::eye(model_.width, at::kDouble);
  for (int layer = 0; layer < model_.depth; ++layer) {
    const std::string branch = "blocks." + std::to_string(layer) + ".ff.";
    set(branch + "up.weight", at::cat({one, -one}, 0));
    set(branch + "down.weight", at::cat({factor * one, -factor * one}, 1));
  }
}

void Network::set(const std::string& parameter, const at::Tensor& value) {
  const c10::AutoGradMode no_gradients(false);
  owner_.named_parameters()[parameter].copy_(value);
}

at::Tensor Network::forward(const at::Tensor& x, const models::TapFunction& tap) {
  return blocks_.forward(x, tap);
}

at::Tensor token(const std::vector<double>& features) {
  return at::tensor(features, at::kDouble).view({1, 1, 1, -1});
}

at::Tensor jacobian(Network& network, const at::Tensor& x) {
  const at::Tensor input = x.detach().clone().requires_grad_();
  const at::Tensor output = network.forward(input).flatten();
  std::vector<at::Tensor> rows;
  for (std::int64_t i = 0; i < output.numel(); ++i) {
    rows.push_back(
        torch::autograd::grad({output[i]}, {input}, {}, /*retain_graph=*/true)[0].flatten());
  }
  return at::stack(rows);
}

std::vector<double> numbers(const at::Tensor& tensor) {
  const at::Tensor flat = tensor.detach().contiguous().flatten();
  return {flat.const_data_ptr<double>(), flat.const_data_ptr<double>() + flat.numel()};
}

std::vector<double> mean_and_variance(const at::Tensor& tensor) {
  return {tensor.mean().item<double>(), tensor.var(/*unbiased=*/false).item<double>()};
}

}  // namespace layerlab::examples
