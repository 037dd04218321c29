#include "stats/bootstrap.h"

#include <algorithm>
#include <boost/math/distributions/normal.hpp>
#include <cassert>
#include <cmath>
#include <numeric>

#include "core/random.h"

namespace layerlab::stats {
namespace {

std::vector<double> resampled_means(std::span<const double> values) {
  RandomStream draws(0, Purpose::kResampling, "mean");
  const auto n = static_cast<std::uint32_t>(values.size());
  std::vector<double> means(BootstrapMean::kResamples);
  for (double& mean : means) {
    double sum = 0;
    for (std::uint32_t i = 0; i < n; ++i) sum += values[draws.below(n)];
    mean = sum / n;
  }
  std::ranges::sort(means);
  return means;
}

}  // namespace

BootstrapMean::BootstrapMean(std::span<const double> values)
    : n_(static_cast<double>(values.size())),
      mean_(std::accumulate(values.begin(), values.end(), 0.0) / n_) {
  assert(values.size() >= 2);
  const auto [least, most] = std::ranges::minmax(values);
  if (least == most) {
    mean_ = least;
    return;
  }
  double squares = 0, cubes = 0;
  for (const double value : values) {
    const double deviation = (value - mean_) / (most - least);  // cubes of tiny ones would be 0
    squares += deviation * deviation;
    cubes += deviation * deviation * deviation;
  }
  acceleration_ = cubes / (6 * std::pow(squares, 1.5));
  means_ = resampled_means(values);
  // Means equal to the sample's count half: few different values make many of them.
  const auto [first, last] = std::ranges::equal_range(means_, mean_);
  const double below =
      static_cast<double>(first - means_.begin()) + 0.5 * static_cast<double>(last - first);
  bias_ =
      boost::math::quantile(boost::math::normal(),
                            std::clamp(below / kResamples, 1.0 / kResamples, 1 - 1.0 / kResamples));
}

Interval BootstrapMean::interval(double alpha) const {
  assert(alpha > 0 && alpha <= 1);
  if (means_.empty()) return {mean_, mean_};
  const double resolved = std::max(alpha, kFinestAlpha);
  const double z = boost::math::quantile(boost::math::normal(), resolved / 2);
  const double stretch = t_quantile(n_ - 1, alpha) / t_quantile(n_ - 1, resolved);
  const double low = quantile(z);
  const double high = quantile(-z);
  if (alpha >= kFinestAlpha) return {low, high};
  return {mean_ + (low - mean_) * stretch, mean_ + (high - mean_) * stretch};
}

double BootstrapMean::quantile(double z) const {
  const double shifted = bias_ + z;
  const double level =
      boost::math::cdf(boost::math::normal(), bias_ + shifted / (1 - acceleration_ * shifted));
  const double last = static_cast<double>(means_.size() - 1);
  const double at = std::clamp(level * kResamples - 0.5, 0.0, last);
  const std::size_t i = std::min(static_cast<std::size_t>(at), means_.size() - 2);
  return std::lerp(means_[i], means_[i + 1], at - static_cast<double>(i));
}

}  // namespace layerlab::stats
