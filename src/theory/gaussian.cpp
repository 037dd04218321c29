#include "theory/gaussian.h"

#include <algorithm>
#include <array>
#include <boost/math/quadrature/gauss.hpp>
#include <cmath>
#include <numbers>

namespace layerlab::theory {
namespace {

using std::numbers::pi;

// x tanh-GELU's inner argument and its derivative.
constexpr double kGeluCubic = 0.044715;
const double kGeluScale = std::sqrt(2 / pi);

Curve curve_of(config::Activation activation) {
  switch (activation) {
    case config::Activation::kRelu:
      return {[](double u) { return std::max(u, 0.0); }, [](double u) { return u > 0 ? 1.0 : 0; }};
    case config::Activation::kGelu:
      return {[](double u) { return u * normal_below(u); },
              [](double u) { return normal_below(u) + u * density(u); }};
    case config::Activation::kGeluTanh:
      return {[](double u) {
                return u / 2 * (1 + std::tanh(kGeluScale * (u + kGeluCubic * u * u * u)));
              },
              [](double u) {
                const double t = std::tanh(kGeluScale * (u + kGeluCubic * u * u * u));
                const double inner = kGeluScale * (1 + 3 * kGeluCubic * u * u);
                return (1 + t) / 2 + u / 2 * (1 - t * t) * inner;
              }};
    case config::Activation::kSilu:
      return {[](double u) { return u / (1 + std::exp(-u)); },
              [](double u) {
                const double s = 1 / (1 + std::exp(-u));
                return s * (1 + u * (1 - s));
              }};
  }
  return {};
}

// E f(u) f(u'), where u and u' have the correlation `rho`: given what both share, they are
// independent.
double product_mean(const std::function<double(double)>& f, double deviation, double rho) {
  const double shared = std::sqrt(std::abs(rho)), own = std::sqrt(1 - std::abs(rho));
  const auto given = [&](double common) {
    return gaussian_mean([&](double z) { return f(deviation * (shared * common + own * z)); });
  };
  return gaussian_mean([&](double common) {
    const double one = given(common);
    return one * (rho < 0 ? given(-common) : one);
  });
}

Transfer relu(const SecondMoments& u) {
  const double rho = std::clamp(u.correlation(), -1.0, 1.0);
  const double angle = pi - std::acos(rho);
  return {std::sqrt(u.square / (2 * pi)),
          {u.square / 2, u.square * (std::sqrt(1 - rho * rho) + rho * angle) / (2 * pi)},
          {0.5, angle / (2 * pi)}};
}

}  // namespace

Curve tanh_curve(double inner) {
  return {[inner](double u) { return std::tanh(inner * u); },
          [inner](double u) {
            const double t = std::tanh(inner * u);
            return inner * (1 - t * t);
          }};
}

double density(double z) { return std::exp(-z * z / 2) / std::sqrt(2 * pi); }

double normal_below(double z) { return std::erfc(-z / std::numbers::sqrt2) / 2; }

double gaussian_mean(const std::function<double(double)>& f) {
  constexpr double kEnd = 8;  // beyond it lies 1e-15 of the mass
  constexpr int kPoints = 60;
  return boost::math::quadrature::gauss<double, kPoints>::integrate(
      [&f](double z) { return density(z) * f(z); }, -kEnd, kEnd);
}

Transfer transfer(const Curve& curve, const SecondMoments& u) {
  const double deviation = std::sqrt(u.square);
  const double rho = std::clamp(u.correlation(), -1.0, 1.0);
  const auto moments = [&](const std::function<double(double)>& f) -> SecondMoments {
    return {gaussian_mean([&](double z) { return f(deviation * z) * f(deviation * z); }),
            product_mean(f, deviation, rho)};
  };
  const double mean = gaussian_mean([&](double z) { return curve.value(deviation * z); });
  return {mean, moments(curve.value), moments(curve.slope)};
}

Transfer transfer(config::Activation activation, const SecondMoments& u) {
  return activation == config::Activation::kRelu ? relu(u) : transfer(curve_of(activation), u);
}

}  // namespace layerlab::theory
