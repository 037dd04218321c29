// Which positions of a batch are padding.
//   probe.begin({.source = lengths_of(batch.source, padding), .tokens = lengths_of(batch.inputs,
//   padding)});
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <vector>

namespace layerlab::probe {

// How many of a sequence's T positions stand in front of its padding: [R, B] int64 on the model's
// device; undefined: nothing is padded.
struct Lengths {
  at::Tensor source;  // of what the encoder of a pair reads
  at::Tensor tokens;  // of what the (last) stack reads
};

// The lengths of ids [R, B, T] that `padding` fills up; undefined without ids or with padding < 0.
at::Tensor lengths_of(const at::Tensor& ids, std::int64_t padding);

// For values x [R, B, T, ...] with lengths [R, B] or undefined. Values that all tokens share,
// [R, 1, 1, ...], have no padding.
// How many tokens of each sequence are real, R x B numbers; on the CPU.
std::vector<std::int64_t> real_tokens(const at::Tensor& lengths, const at::Tensor& x);
// True where a token is real: bool [R, B, T]; undefined where all are.
at::Tensor real_positions(const at::Tensor& lengths, const at::Tensor& x);

}  // namespace layerlab::probe
