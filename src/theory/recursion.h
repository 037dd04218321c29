// The recursion over a program's instructions.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "theory/attention.h"
#include "theory/feed_forward.h"
#include "theory/gaussian_linearization.h"
#include "theory/predict.h"
#include "theory/stream_maps.h"
#include "theory/value.h"

namespace layerlab::theory {

// The gradient of a register, after backward(). Nothing where none arrives.
using Gradient = std::variant<std::monostate, Unknown, Signal>;

class Recursion {
 public:
  // All must outlive the recursion. `input.gradient` is read by backward() and may change before.
  Recursion(const equation::Program& program, const config::ModelConfig& model, const Input& input);

  void forward();
  void backward();  // REQUIRES: forward() was called

  // The stack's output. REQUIRES: forward() was called.
  std::optional<SecondMoments> output() const;
  // REQUIRES: backward() was called.
  Prediction prediction() const;

  const std::vector<Value>& values() const { return values_; }        // by register
  const std::vector<SecondMoments>& atoms() const { return atoms_; }  // of values
  const std::vector<Gradient>& gradients() const { return gradients_; }
  const std::vector<SecondMoments>& gradient_atoms() const { return gradient_atoms_; }
  // The gradient of the memory, from all cross-attention.
  const std::variant<Unknown, SecondMoments>& memory_gradient() const { return memory_gradient_; }

 private:
  // How an instruction acts, for the way back.
  using Linearizations = std::vector<GaussianLinearization>;  // by stream
  using Step =
      std::variant<std::monostate, Unknown, Linearity, Linearizations, Attention, FeedForward>;

  Value evaluate(const equation::Instruction& instruction, Step& step);
  Value branch(const equation::Instruction& instruction, const std::vector<Value>& operands,
               Step& step);
  Value linearized(const Curve& curve, const Signal& x, Step& step);
  void profile(int reg);
  void send_back(const equation::Instruction& instruction, const Step& step);
  Signal linearized_gradient(const Linearizations& parts, const Signal& gradient);
  void receive(int reg, const StreamMap& map, const Signal& gradient);
  void receive_unknown(int reg, const Unknown& unknown);

  const equation::Program& program_;
  const config::ModelConfig& model_;
  const Input& input_;
  std::vector<Value> values_;
  std::vector<SecondMoments> atoms_;
  std::vector<Step> steps_;  // by instruction
  std::vector<Gradient> gradients_;
  std::vector<SecondMoments> gradient_atoms_;
  std::variant<Unknown, SecondMoments> memory_gradient_ = SecondMoments{};

  // Admin's omegas, as models/admin_profile.h sets them.
  std::map<std::string, double> omegas_;  // by sub-layer, squared
  double next_omega_ = 1;                 // squared, of the sub-layer to come
  double shortcut_ = 0;                   // mean square of omega x in the present one
};

}  // namespace layerlab::theory
