#include "models/init.h"

#include <ATen/ATen.h>
#include <c10/core/GradMode.h>

#include <cassert>
#include <cmath>
#include <functional>
#include <string>

#include "core/random.h"
#include "models/embedding.h"
#include "models/linear.h"

namespace layerlab::models {
namespace {

using Draw = std::function<double(RandomStream&)>;

double standard_normal(RandomStream& stream) { return stream.normal(); }

Draw xavier(config::Init init, const LinearOptions& linear) {
  const double fans = static_cast<double>(linear.in + linear.out);
  switch (init) {
    case config::Init::kXavierUniform:
      return [bound = std::sqrt(6 / fans)](RandomStream& stream) {
        return (2 * stream.uniform() - 1) * bound;
      };
    case config::Init::kXavierNormal:
      return [deviation = std::sqrt(2 / fans)](RandomStream& stream) {
        return stream.normal() * deviation;
      };
  }
  return {};
}

// `parameter` is [R, ...]. Drawn in double on the CPU and rounded once.
void fill(at::Tensor& parameter, const std::string& name, const std::vector<std::uint64_t>& seeds,
          const Draw& draw) {
  assert(static_cast<std::size_t>(parameter.size(0)) == seeds.size());
  at::Tensor values = at::empty(parameter.sizes(), at::kDouble);
  double* out = values.data_ptr<double>();
  const std::int64_t count = parameter.numel() / parameter.size(0);
  for (const std::uint64_t seed : seeds) {
    RandomStream stream(seed, Purpose::kWeights, name);
    for (std::int64_t i = 0; i < count; ++i) *out++ = draw(stream);
  }
  parameter.copy_(values);
}

}  // namespace

void initialize(torch::nn::Module& model, config::Init init,
                const std::vector<std::uint64_t>& seeds) {
  const c10::AutoGradMode no_gradients(false);
  for (auto& entry : model.named_modules("", /*include_self=*/false)) {
    torch::nn::Module& module = *entry.value();
    if (auto* linear = module.as<LinearImpl>()) {
      fill(linear->weight, entry.key() + ".weight", seeds, xavier(init, linear->options));
    } else if (auto* embedding = module.as<EmbeddingImpl>()) {
      fill(embedding->token, entry.key() + ".token", seeds, standard_normal);
      if (embedding->position.requires_grad()) {
        fill(embedding->position, entry.key() + ".position", seeds, standard_normal);
      }
    }
  }
}

}  // namespace layerlab::models
