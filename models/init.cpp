#include "models/init.h"

#include <ATen/ATen.h>
#include <c10/core/GradMode.h>

#include <cassert>
#include <cmath>
#include <string>

#include "config/initial_weights.h"
#include "core/random.h"
#include "models/embedding.h"
#include "models/gru.h"
#include "models/linear.h"

namespace layerlab::models {
namespace {

using config::Distribution;
using config::Init;

double draw(const Distribution& distribution, RandomStream& stream) {
  switch (distribution.shape) {
    case Distribution::kNormal:
      return distribution.deviation * stream.normal();
    case Distribution::kUniform:
      return distribution.deviation * std::sqrt(3.0) * (2 * stream.uniform() - 1);
  }
  return 0;
}

// `parameter` is [R, ...]. Drawn in double on the CPU and rounded once.
void fill(at::Tensor& parameter, const std::string& name, const std::vector<std::uint64_t>& seeds,
          const Distribution& distribution) {
  assert(static_cast<std::size_t>(parameter.size(0)) == seeds.size());
  at::Tensor values = at::empty(parameter.sizes(), at::kDouble);
  double* out = values.data_ptr<double>();
  const std::int64_t count = parameter.numel() / parameter.size(0);
  for (const std::uint64_t seed : seeds) {
    RandomStream stream(seed, Purpose::kWeights, name);
    for (std::int64_t i = 0; i < count; ++i) *out++ = draw(distribution, stream);
  }
  parameter.copy_(values);
}

}  // namespace

void initialize(torch::nn::Module& model, Init init, const std::vector<std::uint64_t>& seeds) {
  const c10::AutoGradMode no_gradients(false);
  for (auto& entry : model.named_modules("", /*include_self=*/false)) {
    torch::nn::Module& module = *entry.value();
    const std::string& path = entry.key();
    if (auto* linear = module.as<LinearImpl>()) {
      const std::string matrix = path.substr(path.rfind('.') + 1);
      const int in = static_cast<int>(linear->options.in);
      const Distribution distribution = config::adapted(
          config::weight_distribution(init, matrix, in, static_cast<int>(linear->options.out)),
          linear->options.deviation, linear->options.gain);
      fill(linear->weight, path + ".weight", seeds, distribution);
      const auto bias = config::bias_distribution(init, matrix, in);
      if (linear->bias.defined() && bias) fill(linear->bias, path + ".bias", seeds, *bias);
    } else if (auto* embedding = module.as<EmbeddingImpl>()) {
      const Distribution distribution =
          config::embedding_distribution(init, static_cast<int>(embedding->options.width));
      const Distribution of_tokens =
          config::adapted(distribution, embedding->options.deviation, embedding->options.gain);
      if (embedding->token.defined()) fill(embedding->token, path + ".token", seeds, of_tokens);
      if (embedding->position.defined() && embedding->position.requires_grad()) {
        fill(embedding->position, path + ".position", seeds, distribution);
      }
    } else if (auto* gru = module.as<GruImpl>()) {
      const Distribution distribution =
          config::gru_distribution(static_cast<int>(gru->options.width));
      for (auto& parameter : gru->named_parameters(/*recurse=*/false)) {
        fill(parameter.value(), path + "." + parameter.key(), seeds, distribution);
      }
    }
  }
}

}  // namespace layerlab::models
