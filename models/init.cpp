#include "models/init.h"

#include <ATen/ATen.h>
#include <c10/core/GradMode.h>

#include <algorithm>
#include <cassert>
#include <cmath>
#include <string>

#include "core/random.h"
#include "models/embedding.h"
#include "models/gru.h"
#include "models/linear.h"

namespace layerlab::models {
namespace {

using config::Init;

struct Distribution {
  enum Shape { kUniform, kNormal } shape;
  double deviation;
  double draw(RandomStream& stream) const {
    if (shape == kNormal) return deviation * stream.normal();
    return deviation * std::sqrt(3.0) * (2 * stream.uniform() - 1);
  }
};

Distribution uniform(double variance) { return {Distribution::kUniform, std::sqrt(variance)}; }
Distribution normal(double variance) { return {Distribution::kNormal, std::sqrt(variance)}; }

bool is_one_of(const std::string& name, std::initializer_list<const char*> names) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

// Of the weights of a matrix called "q", "k", "v", "o", "up", "gate", "down" or "head".
Distribution weights(Init init, const std::string& matrix, const LinearOptions& linear) {
  const double in = static_cast<double>(linear.in), out = static_cast<double>(linear.out);
  switch (init) {
    case Init::kXavierUniform:
      return uniform(2 / (in + out));
    case Init::kXavierNormal:
      return normal(2 / (in + out));
    case Init::kTorchDefault:
      return uniform(1 / (3 * in));
    case Init::kGpt2:
      return normal(0.02 * 0.02);
    case Init::kFairseq:
      if (matrix == "head") return normal(1 / in);
      if (matrix == "o") return uniform(2 / (in + out));
      return is_one_of(matrix, {"q", "k", "v"}) ? uniform(1 / (in + out)) : uniform(1 / (3 * in));
    case Init::kSmall:
      return normal(2 / (5 * (matrix == "down" ? out : in)));
  }
  return {};
}

bool draws_biases(Init init, const std::string& matrix) {
  if (init == Init::kFairseq) return !is_one_of(matrix, {"o", "head"});
  return init == Init::kTorchDefault;
}

Distribution embeddings(Init init, std::int64_t width) {
  const double D = static_cast<double>(width);
  switch (init) {
    case Init::kXavierUniform:
    case Init::kXavierNormal:
    case Init::kTorchDefault:
      return normal(1);
    case Init::kGpt2:
      return normal(0.02 * 0.02);
    case Init::kFairseq:
      return normal(1 / D);
    case Init::kSmall:
      return normal(2 / (5 * D));
  }
  return {};
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
    for (std::int64_t i = 0; i < count; ++i) *out++ = distribution.draw(stream);
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
      Distribution distribution = weights(init, matrix, linear->options);
      if (linear->options.deviation) distribution.deviation = *linear->options.deviation;
      distribution.deviation *= linear->options.gain;
      fill(linear->weight, path + ".weight", seeds, distribution);
      if (linear->bias.defined() && draws_biases(init, matrix)) {
        const double in = static_cast<double>(linear->options.in);
        fill(linear->bias, path + ".bias", seeds, uniform(1 / (3 * in)));
      }
    } else if (auto* embedding = module.as<EmbeddingImpl>()) {
      const Distribution distribution = embeddings(init, embedding->options.width);
      Distribution of_tokens = distribution;
      if (embedding->options.deviation) of_tokens.deviation = *embedding->options.deviation;
      of_tokens.deviation *= embedding->options.gain;
      if (embedding->token.defined()) fill(embedding->token, path + ".token", seeds, of_tokens);
      if (embedding->position.defined() && embedding->position.requires_grad()) {
        fill(embedding->position, path + ".position", seeds, distribution);
      }
    } else if (auto* gru = module.as<GruImpl>()) {
      const Distribution distribution =
          uniform(1 / (3.0 * static_cast<double>(gru->options.width)));
      for (auto& parameter : gru->named_parameters(/*recurse=*/false)) {
        fill(parameter.value(), path + "." + parameter.key(), seeds, distribution);
      }
    }
  }
}

}  // namespace layerlab::models
