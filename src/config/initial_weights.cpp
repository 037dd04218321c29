#include "config/initial_weights.h"

#include <algorithm>
#include <cmath>
#include <initializer_list>

namespace layerlab::config {
namespace {

Distribution uniform(double variance) { return {Distribution::kUniform, std::sqrt(variance)}; }
Distribution normal(double variance) { return {Distribution::kNormal, std::sqrt(variance)}; }

bool is_one_of(const std::string& name, std::initializer_list<const char*> names) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

}  // namespace

Distribution adapted(Distribution distribution, std::optional<double> deviation, double gain) {
  distribution.deviation = gain * deviation.value_or(distribution.deviation);
  return distribution;
}

Distribution weight_distribution(Init init, const std::string& matrix, int in, int out) {
  const double n_in = in, n_out = out;
  switch (init) {
    case Init::kXavierUniform:
      return uniform(2 / (n_in + n_out));
    case Init::kXavierNormal:
      return normal(2 / (n_in + n_out));
    case Init::kTorchDefault:
      return uniform(1 / (3 * n_in));
    case Init::kGpt2:
      return normal(0.02 * 0.02);
    case Init::kFairseq:
      if (matrix == "head") return normal(1 / n_in);
      if (matrix == "o") return uniform(2 / (n_in + n_out));
      return is_one_of(matrix, {"q", "k", "v"}) ? uniform(1 / (n_in + n_out))
                                                : uniform(1 / (3 * n_in));
    case Init::kSmall:
      return normal(2 / (5 * (matrix == "down" ? n_out : n_in)));
  }
  return {};
}

std::optional<Distribution> bias_distribution(Init init, const std::string& matrix, int in) {
  const bool drawn =
      init == Init::kTorchDefault || (init == Init::kFairseq && !is_one_of(matrix, {"o", "head"}));
  if (!drawn) return std::nullopt;
  return uniform(1 / (3.0 * in));
}

Distribution gru_distribution(int width) { return uniform(1 / (3.0 * width)); }

Distribution embedding_distribution(Init init, int width) {
  switch (init) {
    case Init::kXavierUniform:
    case Init::kXavierNormal:
    case Init::kTorchDefault:
      return normal(1);
    case Init::kGpt2:
      return normal(0.02 * 0.02);
    case Init::kFairseq:
      return normal(1.0 / width);
    case Init::kSmall:
      return normal(2 / (5.0 * width));
  }
  return {};
}

}  // namespace layerlab::config
