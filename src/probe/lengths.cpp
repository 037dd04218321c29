#include "probe/lengths.h"

#include <ATen/ATen.h>

#include <algorithm>

namespace layerlab::probe {
namespace {

bool has_padding(const at::Tensor& lengths, const at::Tensor& x) {
  return lengths.defined() && lengths.size(1) == x.size(1);
}

}  // namespace

at::Tensor lengths_of(const at::Tensor& ids, std::int64_t padding) {
  return ids.defined() && padding >= 0 ? (ids != padding).sum(-1) : at::Tensor();
}

std::vector<std::int64_t> real_tokens(const at::Tensor& lengths, const at::Tensor& x) {
  std::vector<std::int64_t> result(static_cast<std::size_t>(x.size(0) * x.size(1)), x.size(2));
  if (!has_padding(lengths, x)) return result;
  const at::Tensor whole = lengths.contiguous();
  const std::int64_t* const counts = whole.const_data_ptr<std::int64_t>();
  for (std::size_t i = 0; i < result.size(); ++i) result[i] = std::min(result[i], counts[i]);
  return result;
}

at::Tensor real_positions(const at::Tensor& lengths, const at::Tensor& x) {
  if (!has_padding(lengths, x)) return {};
  return at::arange(x.size(2), lengths.options()) < lengths.unsqueeze(-1);
}

}  // namespace layerlab::probe
