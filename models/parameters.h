// All parameters of a model in one tensor.
#pragma once

#include <ATen/core/Tensor.h>
#include <torch/nn/module.h>

#include <string>
#include <vector>

namespace layerlab::models {

// Moves a model's parameters into one tensor [R, P], and their gradients into another, and makes
// each parameter a view of it: [R, ...] with rows P apart. Row r is replica r, whole and
// contiguous, so that optimiser, clipping and norms are a few calls whatever the depth, and each
// replica can have settings of its own. REQUIRES: parameters of one dtype and device, final.
class Parameters {
 public:
  struct Slot {
    std::string name;                               // "blocks.0.attn.q.weight"
    at::Tensor value;                               // the model's own parameter, [R, ...]
    at::Tensor gradient;                            // the view its gradient accumulates into
    at::Tensor rows(const at::Tensor& flat) const;  // this parameter's part of a tensor [R, P]
    std::int64_t begin = 0, count = 0;              // within a row
  };

  explicit Parameters(torch::nn::Module& model);

  std::int64_t replicas() const { return values_.size(0); }
  const at::Tensor& values() const { return values_; }        // [R, P]
  const at::Tensor& gradients() const { return gradients_; }  // [R, P]
  const std::vector<Slot>& slots() const { return slots_; }

  void zero_gradients() { gradients_.zero_(); }

 private:
  at::Tensor values_, gradients_;
  std::vector<Slot> slots_;
};

}  // namespace layerlab::models
