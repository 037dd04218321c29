// The quantities of quantities.h by torch's own operations: for devices and types that loops.h
// cannot read. Same arguments, same results up to rounding.
#pragma once

#include <ATen/core/Tensor.h>

#include "models/parameters.h"

namespace layerlab::probe::reductions {

at::Tensor value_quantities(const at::Tensor& x, bool cosine);
at::Tensor total_norm(const at::Tensor& x);
at::Tensor slot_norms(const at::Tensor& part, const models::Parameters::Group& group);
at::Tensor attention_quantities(const at::Tensor& logits, const at::Tensor& weights);

}  // namespace layerlab::probe::reductions
