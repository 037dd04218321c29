// From the expressions of an equation to instructions.
#pragma once

#include <set>
#include <string>
#include <utility>
#include <vector>

#include "equation/context.h"
#include "equation/norm_text.h"
#include "equation/operations.h"
#include "equation/syntax.h"

namespace layerlab::equation {

// The value of an expression: a number known now, or a tensor in a register.
struct Value {
  int reg = -1;
  double number = 0;
  bool is_tensor() const { return reg >= 0; }
};

class ExpressionCompiler {
 public:
  // All must outlive this.
  ExpressionCompiler(Builder& builder, Environment& environment, Scalars& scalars,
                     const Sizes& sizes)
      : builder_(builder), names_(environment), scalars_(scalars), sizes_(sizes) {}

  // Compiles the right side of a statement. Throws UserError with a caret.
  Value compile(const Expression& expression, const Context& context);

 private:
  // The surroundings of an expression.
  struct Around {
    const Context& context;
    std::string branch;   // sub-layer of the innermost branch; empty outside of one
    bool in_sum = false;  // the parent is a sum, so this is a part of it
    Around inside(const std::string& sublayer) const { return {context, sublayer, false}; }
    Around part_of_sum() const { return {context, branch, true}; }
    Around plain() const { return {context, branch, false}; }
  };

  // Whether `e` is of numbers only, which Scalars evaluates.
  bool is_number(const Expression& e, const Around& around) const;
  Value evaluate(const Expression& e, const Around& around);
  Value evaluate_tensor(const Expression& e, const Around& around);
  static const ParameterEntry* find_parameter(const std::string& name, const Around& around);
  Value named(const Expression& e, const Around& around);
  Value parameter(const ParameterEntry& entry, const Expression& e, const Around& around);
  std::vector<double> initial_values(const ParameterEntry& entry, const Shape& shape, int count,
                                     Scalars& scalars);
  Value sum(const Expression& e, const Around& around);
  // Says that the branches of these sub-layers join the stream in the register `sum`.
  void join(const std::set<std::string>& branches, int sum, const Around& around);
  Value product(const Expression& e, const Around& around);
  Value element(const Expression& e, const Around& around);
  Value matrix_product(const Expression& e, const Around& around);
  Value scaled(Value value, double factor);
  // Emits an operation by its row, or refuses operands whose shapes do not fit.
  Value operation(Op op, const std::vector<int>& in, const Expression& e, const Around& around,
                  int index = -1, const std::string& remedy = {});
  [[noreturn]] void refuse_operands(const Operation& row, const Expression& e, const Around& around,
                                    const std::vector<Shape>& shapes = {},
                                    const std::string& remedy = {}) const;
  Value call(const Expression& e, const Around& around);
  Value call_norm(const Expression& e, const Around& around);
  Value call_branch(const Expression& e, const Around& around);
  Value call_gru(const Expression& e, const Around& around);
  Value call_operation(const Operation& row, const Expression& e, const Around& around);

  // Options of a branch call; `sublayer` is its own.
  void read_options(const Expression& e, const Around& around, Branch& branch,
                    std::vector<int>& operands);
  void read_option(const Option& option, const Around& around, Branch& branch,
                   std::vector<int>& operands);
  Norm inner_norm(const Option& option, const Around& around, const std::string& name,
                  Shape weight);
  Norm head_norm(const Option& option, const Around& around, NormType type);
  void refuse_scope(const Option& option, const Around& around) const;
  void read_qk_norm(const Option& option, const Around& around, Branch& branch);
  int learned_factor(const Option& option, const Around& around, int size,
                     std::vector<int>& operands);

  // The only operand of a call, which must be a tensor.
  int only_tensor(const Expression& e, const Around& around);
  const Shape& shape(const Value& value) const { return builder_.shape(value.reg); }
  [[noreturn]] void refuse(const Expression& e, const Around& around, const std::string& expected,
                           const std::string& remedy = {}) const {
    fail(*around.context.source, e.begin, expected, remedy);
  }

  Builder& builder_;
  Environment& names_;
  Scalars& scalars_;
  const Sizes& sizes_;
  std::set<std::string> joined_;  // sub-layers whose branch meets the stream in this chain of sums
};

}  // namespace layerlab::equation
