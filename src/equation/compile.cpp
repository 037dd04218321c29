#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <set>
#include <tuple>
#include <utility>

#include "core/names.h"
#include "equation/program.h"
#include "equation/sublayers.h"
#include "equation/syntax.h"

namespace layerlab::equation {
namespace {

using Kind = Expression::Kind;

const std::vector<std::string> kFunctions = {"F", "A", "M", "LN", "RMS", "N"};
// Names with a meaning of their own: sizes in scalar expressions, and roles of sites.
const std::set<std::string> kReserved = {"L",  "l",  "S",   "s",      "D",   "H",        "K",
                                         "ff", "in", "out", "branch", "sum", "branch_in"};

// What an expression denotes: a number known now, or a tensor in a register.
struct Value {
  int reg = -1;
  double number = 0;
  bool is_tensor() const { return reg >= 0; }
};

// Where the text being compiled stands.
struct Context {
  const Source* source;
  int layer;                // -1 outside the blocks
  std::string sublayer;     // the statement's own
  std::string norm_prefix;  // outside the blocks: "final_" or "start_"
  bool branches_allowed;
};

// "LN_out" is LN with the suffix "_out".
std::pair<std::string, std::string> split_suffix(const std::string& name) {
  const std::size_t underscore = name.find('_');
  if (underscore == std::string::npos) return {name, ""};
  return {name.substr(0, underscore), name.substr(underscore)};
}

std::optional<NormType> norm_type(const std::string& function) {
  if (function == "LN") return NormType::kLayerNorm;
  if (function == "RMS") return NormType::kRmsNorm;
  if (function == "N") return NormType::kModel;
  return std::nullopt;
}

// Refuses calls of unknown functions, before anything is made of the known ones.
void check_functions(const Source& source, const Expression& e) {
  if (e.kind == Kind::kCall && !norm_type(split_suffix(e.name).first) &&
      std::find(kFunctions.begin(), kFunctions.end(), e.name) == kFunctions.end()) {
    fail(source, e.begin, "expected a branch or a norm, got '" + e.name + "'",
         suggestion(e.name, kFunctions));
  }
  for (const Expression& operand : e.operands) check_functions(source, operand);
  for (const Option& option : e.options) check_functions(source, option.value);
}

std::vector<Statement> checked(const Source& source) {
  std::vector<Statement> statements = parse(source);
  for (const Statement& statement : statements) check_functions(source, statement.value);
  return statements;
}

class Compiler {
 public:
  Compiler(const Block& block, int depth) : block_(block), depth_(depth) {}

  Program run() {
    const Context input{&block_.start, -1, "embedding", "start_", false};
    names_["x"] = 0;
    streams_ = {"x"};
    site(0, input, "out", true);
    for (const Statement& statement : checked(block_.start)) {
      streams_.insert(statement.target);  // every target of `start` is a stream from here on
      assign(statement, input);
    }

    const std::vector<Statement> statements = checked(block_.equation);
    const std::vector<Sublayer> parts = sublayers(block_.equation, statements);
    for (int layer = 0; layer < depth_; ++layer) {
      stream_ = names_.at("x");
      for (const Sublayer& part : parts) run_sublayer(part, layer);
    }

    const Context output{&block_.finish, -1, "finish", "final_", false};
    site(names_.at("x"), output, "in", true);
    for (const Statement& statement : checked(block_.finish)) assign(statement, output);
    end_locals(output);
    site(names_.at("x"), output, "out", true);

    program_.output = names_.at("x");
    for (auto& [reg, tap] : taps_) program_.taps.push_back(std::move(tap));
    return std::move(program_);
  }

 private:
  void run_sublayer(const Sublayer& part, int layer) {
    const Context context{&block_.equation, layer, part.name, "", true};
    site(stream_, context, "in", true);
    branches_[part.name] = static_cast<int>(program_.branches.size());
    program_.branches.push_back({part.branch, prefix(layer, part.name)});
    int out = -1;
    bool assigned_x = false;
    for (const Statement* statement : part.statements) {
      const int value = assign(*statement, context);
      if (!assigned_x || statement->target == "x") out = value;
      assigned_x = assigned_x || statement->target == "x";
    }
    if (out >= 0) {  // else parallel branches: the statement belongs to the other sub-layer
      site(out, context, "out", true);
      stream_ = out;
    }
    if (part.ends_locals) end_locals(context);
  }

  // Runs one statement and returns the register of its value.
  int assign(const Statement& statement, const Context& context) {
    const std::string& target = statement.target;
    const std::string stem = split_suffix(target).first;
    if (kReserved.contains(target) || stem == "norm" || norm_type(stem) ||
        std::find(kFunctions.begin(), kFunctions.end(), target) != kFunctions.end()) {
      fail(*context.source, statement.begin,
           "expected a free name, and " + target + " has a meaning", "take another, for example h");
    }
    const Value value = evaluate(statement.value, context, "", false);
    if (!value.is_tensor()) {
      fail(*context.source, statement.value.begin, "expected a tensor, got a number",
           "an equation works on x, for example x + F(LN(x))");
    }
    joined_.clear();
    if (target != "x") {
      if (!named_.insert({context.layer, context.sublayer, target}).second) {
        fail(*context.source, statement.begin,
             "expected one value of " + target + " in a sub-layer",
             "use another name for the second");
      }
      site(value.reg, context, target, streams_.contains(target));
    }
    if (!streams_.contains(target)) unread_[target] = statement.begin;
    names_[target] = value.reg;
    return value.reg;
  }

  void end_locals(const Context& context) {
    if (!unread_.empty()) {
      const auto& [name, begin] = *unread_.begin();
      fail(*context.source, begin, "expected " + name + " to be used",
           "use it, or remove the statement");
    }
    std::erase_if(names_, [&](const auto& entry) { return !streams_.contains(entry.first); });
  }

  // `enclosing`: the sub-layer of the innermost branch around the expression, "" outside of one.
  // `in_sum`: the parent is a sum, so this one is a part of it.
  Value evaluate(const Expression& e, const Context& c, const std::string& enclosing, bool in_sum) {
    const auto operand = [&](int i) { return evaluate(e.operands[i], c, enclosing, false); };
    switch (e.kind) {
      case Kind::kNumber:
        return {-1, e.number};
      case Kind::kName:
        return named(e, c);
      case Kind::kCall:
        return call(e, c, enclosing);
      case Kind::kSum:
      case Kind::kDifference:
        return sum(e, c, enclosing, in_sum);
      case Kind::kMinus:
        return scaled(operand(0), -1);
      case Kind::kProduct:
      case Kind::kQuotient: {
        const Value a = operand(0), b = operand(1);
        const bool divides = e.kind == Kind::kQuotient;
        if (b.is_tensor() && (a.is_tensor() || divides)) {
          fail(*c.source, e.begin,
               divides ? "expected a number to divide by" : "expected a number on one side",
               "tensors are added, or scaled by numbers");
        }
        if (b.is_tensor()) return scaled(b, a.number);
        return scaled(a, divides ? 1 / b.number : b.number);
      }
      case Kind::kPower: {
        const Value a = operand(0), b = operand(1);
        if (a.is_tensor() || b.is_tensor()) fail(*c.source, e.begin, "expected numbers around ^");
        return {-1, std::pow(a.number, b.number)};
      }
    }
    return {};
  }

  Value named(const Expression& e, const Context& c) {
    const auto found = names_.find(e.name);
    if (found == names_.end()) {
      std::vector<std::string> known = kFunctions;
      for (const auto& [name, reg] : names_) known.push_back(name);
      fail(*c.source, e.begin, "expected a known name, got '" + e.name + "'",
           suggestion(e.name, known));
    }
    unread_.erase(e.name);
    return {found->second, 0};
  }

  Value sum(const Expression& e, const Context& c, const std::string& enclosing, bool in_sum) {
    // A branch that was evaluated inside this sum, and in no sum within it, joins here.
    std::vector<std::string> outer;
    if (!in_sum) std::swap(outer, joined_);
    const Value a = evaluate(e.operands[0], c, enclosing, true);
    const Value right = evaluate(e.operands[1], c, enclosing, true);
    const Value b = e.kind == Kind::kDifference ? scaled(right, -1) : right;
    if (a.is_tensor() != b.is_tensor()) {
      fail(*c.source, e.begin, "expected tensors or numbers on both sides, got one of each");
    }
    Value result{-1, a.number + b.number};
    if (a.is_tensor()) result.reg = emit({Op::kAdd, 0, a.reg, b.reg});
    if (!in_sum) {
      for (const std::string& sublayer : joined_) {
        site(result.reg, {c.source, c.layer, sublayer, "", true}, "sum", true);
      }
      joined_ = std::move(outer);
    }
    return result;
  }

  Value scaled(Value value, double factor) {
    if (!value.is_tensor()) return {-1, value.number * factor};
    return {emit({Op::kScale, 0, value.reg, -1, -1, factor}), 0};
  }

  Value call(const Expression& e, const Context& c, const std::string& enclosing) {
    const std::optional<NormType> norm = norm_type(split_suffix(e.name).first);
    if (!norm && !c.branches_allowed) {
      fail(*c.source, e.begin, "expected no branch outside the blocks", "move it into `equation`");
    }
    if (e.operands.size() != 1) {
      fail(*c.source, e.begin, "expected one value in " + e.name + "(...)");
    }
    return norm ? call_norm(e, c, enclosing, *norm) : call_branch(e, c);
  }

  Value call_norm(const Expression& e, const Context& c, const std::string& enclosing,
                  NormType type) {
    const int input = tensor(e, c, enclosing);
    const auto inside = branches_in(e.operands[0]);
    std::string owner = c.sublayer;
    if (!inside.empty()) owner = sublayer_name(*inside.back(), c.sublayer);
    if (!enclosing.empty()) owner = enclosing;

    const std::string name = c.norm_prefix + "norm" + split_suffix(e.name).second;
    Norm norm{type, -1, c.layer < 0 ? name : prefix(c.layer, owner) + "." + name};
    if (!norm_names_.insert(norm.name).second) {
      fail(*c.source, e.begin, "expected norms of one sub-layer to have different names",
           "name this one, for example " + e.name + "_out");
    }
    for (const Option& option : e.options) {
      if (option.name != "eps") {
        fail(*c.source, option.begin, "expected an option of a norm, got '" + option.name + "'",
             suggestion(option.name, {"eps"}));
      }
      const Value eps = evaluate(option.value, c, enclosing, false);
      if (eps.is_tensor() || !(eps.number >= 0)) {
        fail(*c.source, option.value.begin, "expected a number of at least 0 for eps");
      }
      norm.eps = eps.number;
    }
    program_.norms.push_back(norm);
    const int index = static_cast<int>(program_.norms.size()) - 1;
    const int out = emit({Op::kNorm, 0, input, -1, index});
    site(out, {c.source, c.layer, owner, "", true}, name, false);
    return {out, 0};
  }

  Value call_branch(const Expression& e, const Context& c) {
    if (!e.options.empty()) {
      fail(*c.source, e.options[0].begin, "expected no options in " + e.name + "(...)");
    }
    const std::string sublayer = sublayer_name(e, c.sublayer);
    std::vector<std::string> outer;
    std::swap(outer, joined_);
    const int input = tensor(e, c, sublayer);
    joined_ = std::move(outer);
    joined_.push_back(sublayer);
    const Context own{c.source, c.layer, sublayer, "", true};
    site(input, own, "branch_in", false);
    const int out = emit({Op::kBranch, 0, input, -1, branches_.at(sublayer)});
    site(out, own, "branch", false);
    return {out, 0};
  }

  // The register of a call's only operand.
  int tensor(const Expression& e, const Context& c, const std::string& enclosing) {
    const Value value = evaluate(e.operands[0], c, enclosing, false);
    if (!value.is_tensor()) {
      fail(*c.source, e.operands[0].begin,
           "expected a tensor in " + e.name + "(...), got a number");
    }
    return value.reg;
  }

  int emit(Instruction instruction) {
    instruction.out = program_.registers++;
    program_.instructions.push_back(instruction);
    return instruction.out;
  }

  void site(int reg, const Context& c, const std::string& role, bool stream) {
    Tap& tap = taps_[reg];
    tap.reg = reg;
    tap.stream = tap.stream || stream;
    tap.sites.push_back({c.layer, c.sublayer, role});
  }

  static std::string prefix(int layer, const std::string& sublayer) {
    return "blocks." + std::to_string(layer) + "." + sublayer;
  }

  const Block& block_;
  int depth_;
  Program program_;
  std::map<std::string, int> names_;  // to registers
  std::set<std::string> streams_;
  std::map<std::string, std::size_t> unread_;  // locals nobody has read, and where they stand
  std::set<std::string> norm_names_;
  std::set<std::tuple<int, std::string, std::string>> named_;  // (layer, sub-layer, target)
  std::map<std::string, int> branches_;                        // this block's, by sub-layer
  std::vector<std::string> joined_;  // sub-layers whose branch awaits its sum
  std::map<int, Tap> taps_;          // by register
  int stream_ = 0;                   // what the last sub-layer left
};

}  // namespace

Program compile(const Block& block, int depth) { return Compiler(block, depth).run(); }

}  // namespace layerlab::equation
