#include "theory/recursion.h"

#include <algorithm>
#include <cmath>

#include "theory/constants.h"
#include "theory/norm.h"
#include "theory/operations.h"

namespace layerlab::theory {
namespace {

using equation::BranchType;
using equation::Instruction;
using equation::Op;

const Unknown* unknown_in(const std::vector<Value>& operands) {
  for (const Value& operand : operands) {
    if (const auto* unknown = std::get_if<Unknown>(&operand)) return unknown;
  }
  return nullptr;
}

// Where all are constants.
std::vector<Constant> constants(const std::vector<Value>& operands) {
  std::vector<Constant> result;
  for (const Value& operand : operands) {
    if (const auto* constant = std::get_if<Constant>(&operand)) result.push_back(*constant);
  }
  if (result.size() < operands.size()) result.clear();
  return result;
}

std::size_t streams(const Linearity& linearity) {
  std::size_t rows = 0;
  for (const StreamMap& map : linearity.maps) rows = std::max(rows, map.size());
  return rows;
}

// A new atom by itself.
Combination new_atom(std::vector<SecondMoments>& atoms, const SecondMoments& moments) {
  atoms.push_back(moments);
  Combination one(atoms.size());
  one.back() = 1;
  return one;
}

Signal as_atom(std::vector<SecondMoments>& atoms, const SecondMoments& moments) {
  return {{new_atom(atoms, moments)}, false};
}

// The name of a parameter's or a site's sub-layer: "blocks.0.attn".
std::string owner_of(const std::string& parameter) {
  return parameter.substr(0, parameter.rfind('.'));
}

std::string owner_of(const equation::Site& site) {
  return "blocks." + std::to_string(site.layer) + "." + site.sublayer;
}

bool any_pointwise(const equation::Branch& branch) {
  return std::ranges::any_of(
      std::initializer_list<const std::optional<equation::Norm>*>{&branch.mid, &branch.q, &branch.k,
                                                                  &branch.v},
      [](const auto* norm) { return *norm && is_pointwise(**norm); });
}

}  // namespace

Recursion::Recursion(const equation::Program& program, const config::ModelConfig& model,
                     const Input& input)
    : program_(program),
      model_(model),
      input_(input),
      values_(program.registers),
      gradients_(program.registers) {}

void Recursion::forward() {
  values_[0] = as_atom(atoms_, input_.embedding);
  profile(0);
  for (const Instruction& instruction : program_.instructions) {
    values_[instruction.out] = evaluate(instruction, steps_.emplace_back());
    profile(instruction.out);
  }
}

Value Recursion::evaluate(const Instruction& instruction, Step& step) {
  if (instruction.op == Op::kParameter) {
    const equation::Parameter& parameter = program_.parameters[instruction.index];
    if (!parameter.profiled) return Constant{parameter.shape, parameter.init};
    const double omega = std::sqrt(omegas_[owner_of(parameter.name)]);
    return Constant{parameter.shape, std::vector<double>(parameter.init.size(), omega)};
  }
  std::vector<Value> operands;
  for (const int reg : instruction.in) operands.push_back(values_[reg]);
  const auto fail = [&step](const Unknown& unknown) {
    step.emplace<Unknown>(unknown);
    return unknown;
  };
  if (const Unknown* unknown = unknown_in(operands)) return fail(*unknown);
  if (instruction.op == Op::kBranch) return branch(instruction, operands, step);
  const MeanField rule = mean_field(instruction.op);
  if (const std::vector<Constant> numbers = constants(operands); !numbers.empty()) {
    if (rule.constants == nullptr) return fail({rule.reason});
    return rule.constants(instruction, numbers);
  }
  if (rule.signals == nullptr) return fail({rule.reason});
  auto answer = rule.signals({program_, model_, instruction, operands, atoms_});
  if (const auto* unknown = std::get_if<Unknown>(&answer)) return fail(*unknown);
  if (const auto* constant = std::get_if<Constant>(&answer)) return *constant;
  if (const auto* curve = std::get_if<Curve>(&answer)) {
    return linearized(*curve, std::get<Signal>(operands[0]), step);
  }
  auto& linear = std::get<Linearity>(answer);
  Signal result{std::vector<Combination>(streams(linear)), linear.several};
  for (std::size_t i = 0; i < operands.size(); ++i) {
    if (const auto* signal = std::get_if<Signal>(&operands[i])) {
      add_mapped(linear.maps[i], *signal, result);
    }
  }
  if (linear.passes_gradient) step.emplace<Linearity>(std::move(linear));
  return result;
}

Value Recursion::branch(const Instruction& instruction, const std::vector<Value>& operands,
                        Step& step) {
  const equation::Branch& branch = program_.branches[instruction.index];
  const auto* x = std::get_if<Signal>(&operands[0]);
  const auto fail = [&step](const char* reason) -> Value {
    step.emplace<Unknown>(Unknown{reason});
    return Unknown{reason};
  };
  if (!x) return fail("a branch reads a learned tensor");
  if (any_pointwise(branch)) return fail("DyT inside a branch is not linear");
  double gains[] = {1, 1, 1};
  const int places[] = {branch.qk_gain, branch.up_gain, branch.gate_gain};
  for (int i = 0; i < 3; ++i) {
    if (places[i] < 0) continue;
    const auto* gain = std::get_if<Constant>(&operands[places[i]]);
    if (!gain) return fail("a factor inside a branch depends on the token");
    gains[i] = mean_square(*gain);
  }

  const SecondMoments read = moments(x->streams[0], atoms_);
  if (branch.type == BranchType::kFeedForward) {
    auto& made = step.emplace<FeedForward>(model_, branch, gains[1], gains[2]);
    return as_atom(atoms_, made.forward(read));
  }
  const bool cross = branch.type == BranchType::kCross;
  if (cross && !input_.memory) return fail("what cross-attention reads is unknown");
  auto& made = step.emplace<Attention>(model_, branch, gains[0], input_.tokens,
                                       cross ? input_.memory_tokens : input_.tokens);
  return as_atom(atoms_, made.forward(read, cross ? *input_.memory : read));
}

Value Recursion::linearized(const Curve& curve, const Signal& x, Step& step) {
  auto& parts = step.emplace<Linearizations>();
  Signal result{{}, x.several};
  for (const Combination& stream : x.streams) {
    const GaussianLinearization& made =
        parts.emplace_back(gaussian_linearization(curve, moments(stream, atoms_)));
    result.streams.push_back(made.slope * stream);
    result.streams.back() += new_atom(atoms_, made.rest);
  }
  return result;
}

Signal Recursion::linearized_gradient(const Linearizations& parts, const Signal& gradient) {
  Signal result{{}, gradient.several};
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const SecondMoments arriving = moments(gradient.streams[i], gradient_atoms_);
    const SecondMoments& rest = parts[i].slope_rest;
    result.streams.push_back(parts[i].slope * gradient.streams[i]);
    result.streams.back() +=
        new_atom(gradient_atoms_, {rest.square * arriving.square, rest.cross * arriving.cross});
  }
  return result;
}

void Recursion::profile(int reg) {
  const auto tap = std::ranges::lower_bound(program_.taps, reg, {}, &equation::Tap::reg);
  const auto* signal = std::get_if<Signal>(&values_[reg]);
  if (tap == program_.taps.end() || tap->reg != reg || !signal || signal->several) return;
  const double square = moments(signal->streams[0], atoms_).square;
  for (const equation::Site& site : tap->sites) {
    if (site.role == "in") {
      omegas_[owner_of(site)] = next_omega_;
      shortcut_ = next_omega_ * square;
    } else if (site.role == "branch") {
      next_omega_ = shortcut_ + square;
    }
  }
}

void Recursion::backward() {
  Gradient& last = gradients_[program_.output];
  if (input_.gradient) {
    last = as_atom(gradient_atoms_, *input_.gradient);
  } else {
    last = Unknown{"the gradient of what leaves the stack is unknown"};
  }
  for (std::size_t i = program_.instructions.size(); i-- > 0;) {
    send_back(program_.instructions[i], steps_[i]);
  }
}

void Recursion::send_back(const Instruction& instruction, const Step& step) {
  const Gradient& gradient = gradients_[instruction.out];
  if (std::holds_alternative<std::monostate>(gradient) ||
      std::holds_alternative<std::monostate>(step)) {
    return;
  }
  const auto* unknown = std::get_if<Unknown>(&gradient);
  if (!unknown) unknown = std::get_if<Unknown>(&step);
  if (unknown) {
    const Unknown reason = *unknown;
    for (const int reg : instruction.in) receive_unknown(reg, reason);
    if (instruction.op == Op::kBranch &&
        program_.branches[instruction.index].type == BranchType::kCross) {
      memory_gradient_ = reason;
    }
    return;
  }
  const Signal signal = std::get<Signal>(gradient);
  if (const auto* linear = std::get_if<Linearity>(&step)) {
    for (std::size_t i = 0; i < instruction.in.size(); ++i) {
      receive(instruction.in[i], linear->maps[i], signal);
    }
    return;
  }

  if (const auto* parts = std::get_if<Linearizations>(&step)) {
    receive(instruction.in[0], identity(static_cast<int>(parts->size())),
            linearized_gradient(*parts, signal));
    return;
  }

  const SecondMoments arriving = moments(signal.streams[0], gradient_atoms_);
  SecondMoments sent;
  if (const auto* feed_forward = std::get_if<FeedForward>(&step)) {
    sent = feed_forward->backward(arriving);
  } else {
    const Attention::Gradients gradients = std::get<Attention>(step).backward(arriving);
    sent = gradients.x;
    if (program_.branches[instruction.index].type == BranchType::kCross) {
      auto* sum = std::get_if<SecondMoments>(&memory_gradient_);
      if (sum) *sum = *sum + gradients.source;
    } else {
      sent = sent + gradients.source;
    }
  }
  receive(instruction.in[0], {{1.0}}, as_atom(gradient_atoms_, sent));
}

void Recursion::receive(int reg, const StreamMap& map, const Signal& gradient) {
  const auto* value = std::get_if<Signal>(&values_[reg]);
  if (!value || std::holds_alternative<Unknown>(gradients_[reg])) return;
  if (std::holds_alternative<std::monostate>(gradients_[reg])) {
    gradients_[reg] = Signal{std::vector<Combination>(value->streams.size()), value->several};
  }
  add_transposed(map, gradient, std::get<Signal>(gradients_[reg]));
}

void Recursion::receive_unknown(int reg, const Unknown& unknown) { gradients_[reg] = unknown; }

}  // namespace layerlab::theory
