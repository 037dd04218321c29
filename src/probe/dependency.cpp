#include "probe/dependency.h"

#include <ATen/ATen.h>

#include <cassert>
#include <utility>

#include "probe/lengths.h"

namespace layerlab::probe {
namespace {

// Least squares over vectors that come one by one, by modified Gram-Schmidt: a vector is made
// orthogonal to its predecessors one after the other, and so is what is to be reached (Björck 1967,
// "Solving linear least squares problems by Gram-Schmidt orthogonalization"). LAPACK's bits depend
// on where its memory lies; these do not.
class GrowingBasis {
 public:
  // a: [n]. One that depends on its predecessors gets the factor 0.
  void add(const at::Tensor& a) {
    std::vector<double> column;
    at::Tensor rest = a;
    for (const at::Tensor& q : orthogonal_) column.push_back(take_out(q, rest));
    const double length = length_of(rest);
    const bool dependent = length <= 1e-12 * length_of(a);
    orthogonal_.push_back(dependent ? at::zeros_like(rest) : rest / length);
    column.push_back(dependent ? 1.0 : length);
    triangle_.push_back(std::move(column));
  }

  // The factors of the vectors whose sum comes nearest to x, in the order of add().
  std::vector<double> nearest(at::Tensor x) const {
    std::vector<double> factors;
    for (const at::Tensor& q : orthogonal_) factors.push_back(take_out(q, x));
    for (std::size_t j = factors.size(); j-- > 0;) {
      factors[j] /= triangle_[j][j];
      for (std::size_t i = 0; i < j; ++i) factors[i] -= triangle_[j][i] * factors[j];
    }
    return factors;
  }

 private:
  static double length_of(const at::Tensor& a) { return a.square().sum().sqrt().item<double>(); }
  // Takes q's part out of x and returns how much that is.
  static double take_out(const at::Tensor& q, at::Tensor& x) {
    const double part = (q * x).sum().item<double>();
    x = x - q * part;
    return part;
  }

  std::vector<at::Tensor> orthogonal_;         // of length 1
  std::vector<std::vector<double>> triangle_;  // [j][i]: q_i's part in vector j, i <= j
};

// Replica r's values that play `role` in the sub-layers, from the bottom: [n] at a root mean
// square of 1, zeros where there is padding.
std::vector<at::Tensor> with_role(const std::vector<equation::Tap>& taps,
                                  const std::vector<at::Tensor>& values, const char* role,
                                  std::int64_t r, const at::Tensor& real) {
  std::vector<at::Tensor> result;
  for (std::size_t i = 0; i < taps.size(); ++i) {
    for (const equation::Site& site : taps[i].sites) {
      if (site.layer < 0 || site.role != role) continue;
      at::Tensor value = values[i].slice(0, r, r + 1);
      if (real.defined()) value = at::where(real.slice(0, r, r + 1).unsqueeze(-1), value, 0.0);
      const at::Tensor flat = value.to(at::kCPU, at::kDouble).flatten();
      result.push_back(flat / flat.square().mean().sqrt());
    }
  }
  return result;
}

}  // namespace

at::Tensor branch_dependency(const std::vector<equation::Tap>& taps,
                             const std::vector<at::Tensor>& values, const at::Tensor& lengths) {
  const at::Tensor real = real_positions(lengths, values.front());
  const std::int64_t R = values.front().size(0);
  at::Tensor beta;
  for (std::int64_t r = 0; r < R; ++r) {
    const auto streams = with_role(taps, values, "out", r, real),
               branches = with_role(taps, values, "branch", r, real);
    assert(streams.size() == branches.size() && !streams.empty());
    const std::int64_t S = std::ssize(streams);
    if (r == 0) beta = at::zeros({R, S, S + 1}, at::kDouble);
    GrowingBasis basis;
    basis.add(with_role(taps, values, "in", r, real).front());
    for (std::int64_t i = 0; i < S; ++i) {
      basis.add(branches[i]);
      const std::vector<double> nearest = basis.nearest(streams[i]);
      beta[r][i].narrow(0, 0, i + 2).copy_(at::tensor(nearest, at::kDouble));
    }
  }
  return beta;
}

}  // namespace layerlab::probe
