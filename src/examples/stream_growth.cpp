#include <ATen/ATen.h>

#include <cmath>
#include <cstdint>
#include <numeric>

#include "core/toml.h"
#include "equation/block_toml.h"
#include "examples/all.h"
#include "examples/network.h"
#include "stats/interval.h"
#include "stats/welford.h"

namespace layerlab::examples {
namespace {

// With these deviations all that a branch returns has variance 1 over its weights: u = LN(x) has
// mean square 1, so W_up u has variance 1; relu halves its mean square; W_down adds up ff of them,
// each times 2/ff.
constexpr const char* kBlock = R"toml(
equation = "x + M(LN(x, eps=0))"
init     = { up = "1/sqrt(D)", down = "sqrt(2/ff)" }
)toml";

constexpr int kDepth = 96, kWidth = 16, kSeeds = 400;

// sqrt(Var(x)) of a stream [R, 1, 1, D] with mean 0 over the seeds.
Simulated deviation(const at::Tensor& stream) {
  stats::Welford variances;
  for (const double variance : numbers(stream.square().mean(-1))) variances.add(variance);
  const auto [low, high] = stats::t_interval(variances.mean(), variances.variance(),
                                             static_cast<double>(variances.count()), kMiss);
  return {std::sqrt(variances.mean()), {std::sqrt(low), std::sqrt(high)}};
}

}  // namespace

Example stream_growth() {
  std::vector<std::uint64_t> seeds(kSeeds);
  std::iota(seeds.begin(), seeds.end(), 1);
  config::ModelConfig model = sizes(kDepth, kWidth, /*ff=*/16);
  model.init = config::Init::kXavierNormal;
  Network network(equation::read_block("growth", parse_toml_text(kBlock, "")), model, seeds);

  std::vector<at::Tensor> after(kDepth + 1);  // the stream after so many blocks
  const models::TapFunction keep = [&](int tap, const at::Tensor& value) {
    for (const equation::Site& site : network.program().taps[tap].sites) {
      if (site.role == "out" && site.layer >= 0) after[site.layer + 1] = value;
    }
    return value;
  };
  // Not quite 0, of which there is no norm.
  const at::Tensor first = 1e-9 * at::linspace(-1, 1, kWidth, at::kDouble);
  const c10::AutoGradMode no_gradients(false);
  network.forward(first.expand({kSeeds, 1, 1, kWidth}), keep);

  Example example{"Ex 6  x + M(LN(x)), Var(x_0) = 0, Var(M) = 1 over 400 random weights; 99 %", {}};
  const auto add = [&](int depth, const char* stated) {
    example.rows.push_back(compare_by_interval("deviation after block " + std::to_string(depth),
                                               stated, deviation(after[depth])));
  };
  add(1, "1");
  add(24, "4.8990");
  add(96, "9.7980");
  return example;
}

}  // namespace layerlab::examples
