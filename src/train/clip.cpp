#include "train/clip.h"

#include <ATen/ATen.h>

namespace layerlab::train {

GradientNorms gradient_norms(const models::Parameters& parameters) {
  const at::Tensor& gradients = parameters.gradients();
  if (!gradients.is_cpu()) return {at::linalg_vector_norm(gradients, 2, {1}), {}};
  const at::Tensor slots = models::slot_norms(gradients, parameters.all());
  return {at::linalg_vector_norm(slots, 2, {1}).to(gradients.scalar_type()), slots};
}

at::Tensor clip_gradients(models::Parameters& parameters, const at::Tensor& norms,
                          const at::Tensor& limits) {
  const at::Tensor factor = at::where(norms > limits, limits / norms, 1.0);
  parameters.gradients().mul_(factor.unsqueeze(1));
  return norms * factor;
}

}  // namespace layerlab::train
