#include <algorithm>
#include <cmath>

#include "equation/syntax.h"

namespace layerlab::equation {
namespace {

using Kind = Expression::Kind;

class Warner {
 public:
  std::vector<std::string> lines;

  void visit(const Block& block) {
    for (const Source* source : {&block.equation, &block.start, &block.finish}) visit(*source);
    for (const auto* scalars : {&block.constants, &block.gain, &block.deviation}) {
      for (const NamedScalar& scalar : *scalars) visit(scalar.value);
    }
    for (const ParameterEntry& entry : block.parameters) {
      for (const Source& size : entry.shape) visit(size);
      visit(entry.init);
    }
    for (const Layers& layers : block.layers) {
      visit(*layers.block);
      visit(layers.count);
    }
    for (const auto& side : {block.encoder, block.decoder}) {
      if (side != nullptr) visit(*side);
    }
  }

 private:
  void visit(const Source& source) {
    for (const Statement& statement : parse(source)) visit(source, statement.value);
  }

  void visit(const Source& source, const Expression& e) {
    if (e.kind == Kind::kQuotient) check_quotient(source, e);
    for (const Expression& operand : e.operands) visit(source, operand);
    for (const Option& option : e.options) visit(source, option.value);
  }

  // a^1/b: nobody writes a power of 1 for its own sake.
  void check_quotient(const Source& source, const Expression& e) {
    const Expression& power = e.operands[0];
    if (power.kind != Kind::kPower) return;
    const bool negative = power.operands[1].kind == Kind::kMinus;
    const Expression& exponent = negative ? power.operands[1].operands[0] : power.operands[1];
    if (exponent.kind != Kind::kNumber || exponent.number != 1) return;
    const std::string written = negative ? "^-1/" : "^1/";
    const std::string line = place_of(source, power.begin).text() + ": " + written +
                             " divides, since powers come first; write " +
                             (negative ? "^(-1/…)" : "^(1/…)") + " for a root";
    if (std::ranges::find(lines, line) == lines.end()) lines.push_back(line);
  }
};

}  // namespace

std::vector<std::string> warnings(const Block& block) {
  Warner warner;
  warner.visit(block);
  return std::move(warner.lines);
}

}  // namespace layerlab::equation
