// All parameters of a model in one tensor.
//   Parameters parameters(*model);
//   parameters.backward(loss.sum());
//   for (const Parameters::Slot& slot : parameters.slots()) slot.part(parameters.gradients()) ...
#pragma once

#include <ATen/core/Tensor.h>
#include <torch/nn/module.h>

#include <span>
#include <string>
#include <vector>

namespace layerlab::models {

// Moves a model's parameters into one tensor [R, P] and makes each of them a view of it: [R, ...]
// with rows P apart. Row r is replica r, whole and contiguous, so that optimiser, clipping and
// norms are a few calls whatever the depth, and each replica can have settings of its own.
// Gradients lie in a second tensor of the same layout.
// REQUIRES: parameters of one dtype on one device, and no others added later.
class Parameters {
 public:
  struct Slot {
    std::string name;                   // "blocks.0.attn.q.weight"
    at::Tensor value;                   // the model's own parameter, [R, ...]
    std::int64_t begin = 0, count = 0;  // within a row of [R, P]

    // This parameter's part of a tensor [R, P], in the parameter's shape.
    at::Tensor part(const at::Tensor& flat) const;
  };

  // Neighbouring slots, and the columns of [R, P] up to where the next group begins.
  struct Group {
    std::span<const Slot> slots;
    std::int64_t begin = 0, count = 0;  // within a row of [R, P]

    at::Tensor part(const at::Tensor& flat) const;  // [R, P] -> [R, count]
  };

  explicit Parameters(torch::nn::Module& model);

  std::int64_t replicas() const { return values_.size(0); }
  const at::Tensor& values() const { return values_; }        // [R, P]
  const at::Tensor& gradients() const { return gradients_; }  // [R, P], of the last backward()
  const std::vector<Slot>& slots() const { return slots_; }
  // All slots from the first, each group as many as `most` columns hold, one at least.
  std::vector<Group> groups(std::int64_t most) const;
  // On the CPU, groups that fit into a second-level cache together with their gradients and
  // moments, to be updated and measured at once; elsewhere all slots as one.
  std::vector<Group> groups_in_cache() const;
  Group all() const { return {slots_, 0, values_.size(1)}; }

  // Replaces the gradients by those of `loss`, a scalar, or adds those to them. Parameters that it
  // does not depend on get zeros.
  void backward(const at::Tensor& loss, bool add = false);

 private:
  at::Tensor values_, gradients_;
  std::vector<Slot> slots_;
};

// The L2 norm of each slot's part of group.part() of a tensor like Parameters::values():
// [R, count] -> [R, slots], in double. On the CPU the numbers are read once (kernels/sums.h).
at::Tensor slot_norms(const at::Tensor& part, const Parameters::Group& group);

}  // namespace layerlab::models
