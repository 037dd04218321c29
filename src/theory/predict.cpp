#include "theory/predict.h"

#include <cmath>

#include "theory/constants.h"
#include "theory/depth.h"
#include "theory/recursion.h"

namespace layerlab::theory {
namespace {

// The moments of all streams together.
SecondMoments total(const Signal& signal, const std::vector<SecondMoments>& atoms) {
  SecondMoments sum;
  for (const Combination& stream : signal.streams) sum = sum + moments(stream, atoms);
  return sum;
}

void describe(const Value& value, const std::vector<SecondMoments>& atoms, SitePrediction& site) {
  if (const auto* unknown = std::get_if<Unknown>(&value)) {
    site.no_value = unknown->reason;
  } else if (const auto* constant = std::get_if<Constant>(&value)) {
    site.rms = std::sqrt(mean_square(*constant));
  } else {
    const auto& signal = std::get<Signal>(value);
    const SecondMoments sum = total(signal, atoms);
    site.rms = std::sqrt(sum.square / static_cast<double>(signal.streams.size()));
    site.token_cosine = sum.correlation();
  }
}

void describe(const Gradient& gradient, const Value& value, const std::vector<SecondMoments>& atoms,
              double numbers, SitePrediction& site) {
  if (const auto* unknown = std::get_if<Unknown>(&gradient)) {
    site.no_gradient = unknown->reason;
  } else if (const auto* signal = std::get_if<Signal>(&gradient)) {
    site.grad_norm = std::sqrt(numbers * total(*signal, atoms).square);
  } else if (std::holds_alternative<Signal>(value)) {
    site.grad_norm = 0;  // nothing that the loss depends on reads it
  } else {
    site.no_gradient = "only gradients of values of tokens are followed";
  }
}

}  // namespace

std::optional<SecondMoments> Recursion::output() const {
  const auto* signal = std::get_if<Signal>(&values_[program_.output]);
  return signal == nullptr ? std::nullopt : std::optional(total(*signal, atoms_));
}

Prediction Recursion::prediction() const {
  Prediction prediction;
  prediction.blocks = block_outputs(program_);
  const double numbers = static_cast<double>(input_.batch) * input_.tokens * model_.width;
  for (const equation::Tap& tap : program_.taps) {
    SitePrediction& site = prediction.taps.emplace_back();
    describe(values_[tap.reg], atoms_, site);
    describe(gradients_[tap.reg], values_[tap.reg], gradient_atoms_, numbers, site);
  }
  prediction.output = output();
  if (const auto* gradient = std::get_if<SecondMoments>(&memory_gradient_)) {
    prediction.memory_gradient = *gradient;
  }
  return prediction;
}

Prediction predict(const equation::Program& program, const config::ModelConfig& model,
                   const Input& input) {
  Recursion recursion(program, model, input);
  recursion.forward();
  recursion.backward();
  return recursion.prediction();
}

}  // namespace layerlab::theory
