#include "theory/linear.h"

#include "config/initial_weights.h"

namespace layerlab::theory {

Linear linear(const config::ModelConfig& model, const equation::Branch& branch,
              const std::string& matrix, int in, int out, bool has_bias) {
  config::Distribution weights = config::weight_distribution(model.init, matrix, in, out);
  const auto deviation = branch.deviation.find(matrix);
  if (deviation != branch.deviation.end()) weights.deviation = deviation->second;
  const auto gain = branch.gain.find(matrix);
  if (gain != branch.gain.end()) weights.deviation *= gain->second;

  Linear result{in * weights.variance(), out * weights.variance(), 0};
  if (const auto bias = config::bias_distribution(model.init, matrix, in); bias && has_bias) {
    result.bias = bias->variance();
  }
  return result;
}

}  // namespace layerlab::theory
