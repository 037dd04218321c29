#include "train/batch.h"

#include <ATen/ATen.h>

#include <span>

namespace layerlab::train {
namespace {

// The numbers of example i, of `examples` in a tensor that may be undefined.
template <typename Number>
std::span<Number> part(const at::Tensor& all, std::int64_t i, std::int64_t examples) {
  if (!all.defined() || all.scalar_type() != c10::CppTypeToScalarType<Number>::value) return {};
  const std::int64_t size = all.numel() / examples;
  return {all.mutable_data_ptr<Number>() + i * size, static_cast<std::size_t>(size)};
}

tasks::Row row_of(const Batch& batch, std::int64_t i, std::int64_t examples) {
  return {part<std::int64_t>(batch.source, i, examples),
          part<std::int64_t>(batch.inputs, i, examples), part<float>(batch.inputs, i, examples),
          part<std::int64_t>(batch.targets, i, examples), part<float>(batch.targets, i, examples)};
}

Batch empty_batch(const tasks::TaskShape& shape, std::int64_t replicas, std::int64_t batch,
                  bool pinned) {
  const auto options = at::TensorOptions(at::kLong).pinned_memory(pinned);
  const std::int64_t R = replicas, B = batch, S = shape.source_tokens, T = shape.tokens;
  Batch result;
  if (S > 0) result.source = at::empty({R, B, S}, options);
  result.inputs = shape.features > 0
                      ? at::empty({R, B, T, shape.features}, options.dtype(at::kFloat))
                      : at::empty({R, B, T}, options);
  result.targets = at::empty({R, B, T}, options.dtype(shape.real ? at::kFloat : at::kLong));
  return result;
}

}  // namespace

Batch draw_batch(const tasks::Task& task, tasks::Split split,
                 const std::vector<std::uint64_t>& seeds, std::int64_t step, std::int64_t batch,
                 at::Device device) {
  const bool training = split == tasks::Split::kTraining;
  const auto replicas = static_cast<std::int64_t>(seeds.size());
  const std::int64_t distinct = training ? replicas : 1;
  Batch result = empty_batch(task.shape(), distinct, batch, device.is_cuda());
  for (std::int64_t r = 0; r < distinct; ++r) {
    RandomStream stream(training ? seeds[static_cast<std::size_t>(r)] : 0,
                        training ? Purpose::kBatch : Purpose::kHeldOut,
                        static_cast<std::uint64_t>(step));
    for (std::int64_t b = 0; b < batch; ++b) {
      task.draw(stream, split, row_of(result, r * batch + b, distinct * batch));
    }
  }
  result.seeds = seeds;
  for (at::Tensor* tensor : {&result.source, &result.inputs, &result.targets}) {
    if (!tensor->defined()) continue;
    if (device.is_cuda()) *tensor = tensor->to(device, /*non_blocking=*/true);
    if (!training) {
      std::vector<std::int64_t> sizes = tensor->sizes().vec();
      sizes[0] = replicas;
      *tensor = tensor->expand(sizes);
    }
  }
  return result;
}

Batch part_of(const Batch& batch, std::int64_t i, std::int64_t n) {
  const auto part = [&](const at::Tensor& all) {
    return all.defined() ? all.chunk(n, 1)[i] : at::Tensor();
  };
  return {part(batch.source), part(batch.inputs), part(batch.targets), batch.seeds};
}

}  // namespace layerlab::train
