// Dropout whose masks are a pure function of seed, place and step.
//   const Dropout dropout(0.1, {1, 2}, step);
//   x = dropout(x, "blocks.0.attn");
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <string>
#include <vector>

namespace layerlab::models {

// Zeroes each value with probability p and divides the others by 1 - p (Srivastava et al. 2014,
// JMLR 15). Replica r's mask at a place depends on (seeds[r], place, step, part) alone, so it is
// the same in any company, and a step can be repeated.
class Dropout {
 public:
  // `part` numbers the parts of a batch that are computed one after the other.
  Dropout(double p, std::vector<std::uint64_t> seeds, std::int64_t step, std::int64_t part = 0);

  // x: [R, ...] -> the same shape. REQUIRES: one seed for each replica.
  at::Tensor operator()(const at::Tensor& x, const std::string& place) const;

 private:
  double p_;
  std::vector<std::uint64_t> seeds_;
  std::string when_;
};

}  // namespace layerlab::models
