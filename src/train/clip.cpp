#include "train/clip.h"

#include <ATen/ATen.h>

namespace layerlab::train {

at::Tensor gradient_norms(const models::Parameters& parameters) {
  return at::linalg_vector_norm(parameters.gradients(), 2, {1});
}

at::Tensor clip_gradients(models::Parameters& parameters, const at::Tensor& norms,
                          const at::Tensor& limits) {
  const at::Tensor factor = at::where(norms > limits, limits / norms, 1.0);
  parameters.gradients().mul_(factor.unsqueeze(1));
  return norms * factor;
}

}  // namespace layerlab::train
