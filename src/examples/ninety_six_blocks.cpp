#include <ATen/ATen.h>
#include <torch/csrc/autograd/autograd.h>

#include <cmath>
#include <limits>

#include "core/random.h"
#include "equation/block.h"
#include "examples/all.h"
#include "examples/network.h"
#include "stats/interval.h"
#include "stats/welford.h"

namespace layerlab::examples {
namespace {

constexpr int kDepth = 96, kTokens = 16;
const std::vector<std::uint64_t> kSeeds = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10};

// Standard normal [R, 1, T, D].
at::Tensor random_tokens(int width, const std::string& name) {
  at::Tensor tokens =
      at::empty({static_cast<std::int64_t>(kSeeds.size()), 1, kTokens, width}, at::kDouble);
  double* next = tokens.data_ptr<double>();
  for (const std::uint64_t seed : kSeeds) {
    RandomStream random(seed, Purpose::kBatch, name);
    for (int i = 0; i < kTokens * width; ++i) *next++ = random.normal();
  }
  return tokens;
}

// Of 96 blocks of the catalogue with the weights that training begins with: the gradient's norm
// where the stream enters the first over that where it leaves the last; geometric mean over seeds.
Simulated gradient_ratio(const std::string& block) {
  config::ModelConfig model;
  model.depth = kDepth;
  Network network(equation::find_block(block, {}), model, kSeeds);

  at::Tensor last;
  const models::TapFunction keep = [&](int tap, const at::Tensor& value) {
    for (const equation::Site& site : network.program().taps[tap].sites) {
      if (site.layer == kDepth - 1 && site.sublayer == "ff" && site.role == "out") last = value;
    }
    return value;
  };
  const at::Tensor first = random_tokens(model.width, "tokens").requires_grad_();
  const at::Tensor loss = (network.forward(first, keep) * random_tokens(model.width, "loss")).sum();
  const auto gradients = torch::autograd::grad({loss}, {first, last});
  const auto norm = [](const at::Tensor& gradient) { return gradient.norm(2, {1, 2, 3}); };
  stats::Welford logs;
  for (const double ratio : numbers(norm(gradients[0]) / norm(gradients[1]))) {
    logs.add(std::log(ratio));
  }
  const auto [low, high] =
      stats::t_interval(logs.mean(), logs.variance(), static_cast<double>(logs.count()), kMiss);
  return {std::exp(logs.mean()), {std::exp(low), std::exp(high)}};
}

}  // namespace

Example ninety_six_blocks() {
  Network halved("0.5*(x + M(x))", sizes(kDepth, /*width=*/1, /*ff=*/2));
  halved.let_branch_multiply(0.3);
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  return {
      "Ex 7  96 blocks: those of Ex 5, and of the catalogue with initial weights of 10 seeds; 99 %",
      {compare_with_error("0.5*(x + M(x)): dy/dx", "1.9e-18", "1.1e-18",
                          numbers(jacobian(halved, token({1})))),
       // About a tenth, and far from the same for all seeds.
       compare_with_error("post_ln: gradient, first/last", "1.9e-18", {1e-3, 1},
                          gradient_ratio("post_ln")),
       compare_with_region("pre_ln: gradient, first/last", ">= 1", {1, kInfinity},
                           gradient_ratio("pre_ln"))}};
}

}  // namespace layerlab::examples
