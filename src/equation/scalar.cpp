#include "equation/scalar.h"

#include <algorithm>
#include <cmath>

#include "core/names.h"

namespace layerlab::equation {
namespace {

using Kind = Expression::Kind;

struct Function {
  const char* name;
  std::size_t arguments;
  double (*apply)(const double*);
};

constexpr Function kFunctions[] = {
    {"sqrt", 1, [](const double* a) { return std::sqrt(a[0]); }},
    {"log", 1, [](const double* a) { return std::log(a[0]); }},
    {"exp", 1, [](const double* a) { return std::exp(a[0]); }},
    {"min", 2, [](const double* a) { return std::min(a[0], a[1]); }},
    {"max", 2, [](const double* a) { return std::max(a[0], a[1]); }},
    {"round", 1, [](const double* a) { return std::round(a[0]); }},
    {"floor", 1, [](const double* a) { return std::floor(a[0]); }},
    {"mod", 2, [](const double* a) { return a[0] - a[1] * std::floor(a[0] / a[1]); }},
    {"eq", 2, [](const double* a) { return a[0] == a[1] ? 1.0 : 0.0; }},
};

const Function* find_function(const std::string& name) {
  const auto found = std::find_if(std::begin(kFunctions), std::end(kFunctions),
                                  [&](const Function& f) { return name == f.name; });
  return found == std::end(kFunctions) ? nullptr : found;
}

std::string where_known(const std::string& name) {
  if (name == "i" || name == "j") {
    return "i counts the elements of a vector in its init, i and j the rows and columns of a "
           "matrix";
  }
  if (name == "N_enc" || name == "M_dec") return "it is known in an encoder-decoder";
  if (name == "l") return "it differs from block to block";
  if (name == "s") return "it differs from sub-layer to sub-layer";
  return {};
}

bool mentions(const Expression& e, const std::string& name) {
  if (e.kind == Kind::kName) return e.name == name;
  return std::ranges::any_of(e.operands, [&](const auto& part) { return mentions(part, name); });
}

}  // namespace

bool is_scalar_function(const std::string& name) { return find_function(name) != nullptr; }

const std::vector<std::string>& scalar_functions() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> result;
    for (const Function& function : kFunctions) result.emplace_back(function.name);
    return result;
  }();
  return names;
}

ScalarText::ScalarText(const Source& text) : source(text) {
  std::vector<Statement> statements = parse(text);
  if (statements.size() != 1 || statements[0].target != "x") {
    fail(text, 0, "expected one scalar expression", "write for example (2*L)^(1/4)");
  }
  expression = std::move(statements[0].value);
}

bool ScalarText::names(const std::string& name) const { return mentions(expression, name); }

bool is_size_name(const std::string& name) {
  static const std::set<std::string> names = {"L", "l",  "S",     "s",     "D", "H",
                                              "K", "ff", "N_enc", "M_dec", "i", "j"};
  return names.contains(name);
}

void set_sizes(const Sizes& sizes, Scalars& scalars) {
  scalars.set("L", sizes.depth);
  scalars.set("D", sizes.width);
  scalars.set("H", sizes.heads);
  scalars.set("K", sizes.width / sizes.heads);
  scalars.set("ff", sizes.ff);
  if (sizes.encoder_depth > 0) scalars.set("N_enc", sizes.encoder_depth);
  if (sizes.decoder_depth > 0) scalars.set("M_dec", sizes.decoder_depth);
}

Scalars::Scalars(const std::vector<NamedScalar>& constants) : constants_(constants) {
  std::set<std::string> names;
  for (const NamedScalar& constant : constants) {
    if (is_size_name(constant.name)) {
      throw UserError(constant.place,
                      "expected a free name, and " + constant.name + " stands for a size");
    }
    if (!names.insert(constant.name).second) {
      throw UserError(constant.place, "expected one constant named " + constant.name);
    }
  }
}

bool Scalars::knows(const std::string& name) const {
  return values_.contains(name) ||
         std::ranges::find(constants_, name, &NamedScalar::name) != constants_.end();
}

double Scalars::value(const std::string& name) {
  if (const auto found = values_.find(name); found != values_.end()) return found->second;
  const auto constant = std::ranges::find(constants_, name, &NamedScalar::name);
  if (!resolving_.insert(name).second) {
    throw UserError(constant->place, "expected " + name + " not to depend on itself");
  }
  const double result = evaluate(constant->value);
  resolving_.erase(name);
  return result;
}

double Scalars::evaluate(const ScalarText& text) {
  const double result = evaluate_part(text.source, text.expression);
  if (!std::isfinite(result)) {
    fail(text.source, 0, "expected a finite number, got " + std::to_string(result));
  }
  return result;
}

double Scalars::evaluate_part(const Source& source, const Expression& e) {
  const auto operand = [&](int i) { return evaluate_part(source, e.operands[i]); };
  switch (e.kind) {
    case Kind::kNumber:
      return e.number;
    case Kind::kName:
      if (!knows(e.name) && is_size_name(e.name)) {
        fail(source, e.begin, "expected a number that is known here, got '" + e.name + "'",
             where_known(e.name));
      }
      if (!knows(e.name)) {
        fail(source, e.begin, "expected a known number, got '" + e.name + "'",
             suggestion(e.name, names()));
      }
      return value(e.name);
    case Kind::kCall: {
      if (!e.options.empty()) {
        fail(source, e.options[0].begin, "expected no options in " + e.name + "(...)");
      }
      const Function* function = find_function(e.name);
      if (function == nullptr) {
        fail(source, e.begin, "expected a function of numbers, got '" + e.name + "'",
             suggestion(e.name, scalar_functions()));
      }
      std::vector<double> arguments;
      for (const Expression& part : e.operands) arguments.push_back(evaluate_part(source, part));
      if (arguments.size() == function->arguments) return function->apply(arguments.data());
      fail(source, e.begin,
           "expected " + counted(static_cast<std::int64_t>(function->arguments), "number") +
               " in " + e.name + "(...)");
    }
    case Kind::kSum:
      return operand(0) + operand(1);
    case Kind::kDifference:
      return operand(0) - operand(1);
    case Kind::kProduct:
      return operand(0) * operand(1);
    case Kind::kQuotient:
      return operand(0) / operand(1);
    case Kind::kPower:
      return std::pow(operand(0), operand(1));
    case Kind::kMinus:
      return -operand(0);
    case Kind::kMatrixProduct:
    case Kind::kIndex:
    case Kind::kSliceFrom:
      break;
  }
  fail(source, e.begin, "expected numbers here, not tensors");
}

std::vector<std::string> Scalars::names() const {
  std::vector<std::string> result;
  for (const auto& [name, number] : values_) result.push_back(name);
  for (const NamedScalar& constant : constants_) result.push_back(constant.name);
  return result;
}

}  // namespace layerlab::equation
