#include "theory/predict.h"

#include <cmath>

#include "theory/constants.h"
#include "theory/recursion.h"

namespace layerlab::theory {
namespace {

// Of all streams together.
Moments total(const Signal& signal, const std::vector<Moments>& atoms) {
  Moments sum;
  for (const Combination& stream : signal.streams) sum = sum + moments(stream, atoms);
  return sum;
}

void describe(const Value& value, const std::vector<Moments>& atoms, Place& place) {
  if (const auto* unknown = std::get_if<Unknown>(&value)) {
    place.no_value = unknown->reason;
  } else if (const auto* constant = std::get_if<Constant>(&value)) {
    place.rms = std::sqrt(mean_square(*constant));
  } else {
    const auto& signal = std::get<Signal>(value);
    const Moments sum = total(signal, atoms);
    place.rms = std::sqrt(sum.square / static_cast<double>(signal.streams.size()));
    place.token_cosine = sum.correlation();
  }
}

void describe(const Gradient& gradient, const Value& value, const std::vector<Moments>& atoms,
              double numbers, Place& place) {
  if (const auto* unknown = std::get_if<Unknown>(&gradient)) {
    place.no_gradient = unknown->reason;
  } else if (const auto* signal = std::get_if<Signal>(&gradient)) {
    place.grad_norm = std::sqrt(numbers * total(*signal, atoms).square);
  } else if (std::holds_alternative<Signal>(value)) {
    place.grad_norm = 0;  // nothing that the loss depends on reads it
  } else {
    place.no_gradient = "only gradients of values of tokens are followed";
  }
}

}  // namespace

Prediction predict(const equation::Program& program, const config::ModelConfig& model,
                   const Input& input) {
  Recursion recursion(program, model, input);
  recursion.forward();
  recursion.backward();

  Prediction prediction;
  const double numbers = static_cast<double>(input.batch) * input.tokens * model.width;
  for (const equation::Tap& tap : program.taps) {
    Place& place = prediction.taps.emplace_back();
    describe(recursion.values()[tap.reg], recursion.atoms(), place);
    describe(recursion.gradients()[tap.reg], recursion.values()[tap.reg],
             recursion.gradient_atoms(), numbers, place);
  }
  if (const auto* output = std::get_if<Signal>(&recursion.values()[program.output])) {
    prediction.output = total(*output, recursion.atoms());
  }
  if (const auto* gradient = std::get_if<Moments>(&recursion.memory_gradient())) {
    prediction.memory_gradient = *gradient;
  }
  return prediction;
}

}  // namespace layerlab::theory
