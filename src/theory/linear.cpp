#include "theory/linear.h"

#include <optional>

#include "config/initial_weights.h"

namespace layerlab::theory {

Linear linear(const config::ModelConfig& model, const equation::Branch& branch,
              const std::string& matrix, int in, int out, bool has_bias) {
  const auto deviation = branch.deviation.find(matrix), gain = branch.gain.find(matrix);
  const config::Distribution weights = config::adapted(
      config::weight_distribution(model.init, matrix, in, out),
      deviation != branch.deviation.end() ? std::optional(deviation->second) : std::nullopt,
      gain != branch.gain.end() ? gain->second : 1);

  Linear result{in * weights.variance(), out * weights.variance(), 0};
  if (const auto bias = config::bias_distribution(model.init, matrix, in); bias && has_bias) {
    result.bias = bias->variance();
  }
  return result;
}

}  // namespace layerlab::theory
