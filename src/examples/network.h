// An equation as it is trained, compiled and run on the modules of models/, in float64 and with
// weights that an example chooses.
#pragma once

#include <torch/nn/module.h>

#include <cstdint>
#include <string>
#include <vector>

#include "config/run_config.h"
#include "equation/block.h"
#include "models/blocks.h"

namespace layerlab::examples {

// Blocks of `depth` with a feed-forward branch W_down relu(W_up x) whose inner width is `ff`.
config::ModelConfig sizes(int depth, int width, int ff);

// A block that is this equation.
equation::Block block_of(const std::string& equation);

class Network {
 public:
  // One replica. Its branches return 0 at first; norms have gain 1 and bias 0.
  Network(const equation::Block& block, const config::ModelConfig& model);
  explicit Network(const std::string& equation, const config::ModelConfig& model = sizes(1, 4, 8));

  // A replica for each seed, with the initial weights that training would begin with.
  Network(const equation::Block& block, const config::ModelConfig& model,
          const std::vector<std::uint64_t>& seeds);

  // M(x) = values in every block, whatever x.
  void let_branch_return(const std::vector<double>& values);
  // M(x) = factor*x in every block, as factor*relu(x) - factor*relu(-x). REQUIRES: ff = 2 D.
  void let_branch_multiply(double factor);
  // Gives "blocks.0.ff.up.weight" a value of its shape, or one number for all elements.
  void set(const std::string& parameter, const at::Tensor& value);

  // x: [R, B, T, D] -> the same shape.
  at::Tensor forward(const at::Tensor& x, const models::TapFunction& tap = {});

  const equation::Program& program() const { return blocks_.program(); }

 private:
  torch::nn::Module owner_;
  config::ModelConfig model_;
  models::Blocks blocks_;
};

// One token [1, 1, 1, D].
at::Tensor token(const std::vector<double>& features);

// By autograd: d y / d x of a function of one token, [D, D], row i that of y_i.
at::Tensor jacobian(Network& network, const at::Tensor& x);

std::vector<double> numbers(const at::Tensor& tensor);
// The sum of squares is divided by their count, as in LN.
std::vector<double> mean_and_variance(const at::Tensor& tensor);

}  // namespace layerlab::examples
