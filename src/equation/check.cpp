#include "equation/check.h"

#include <algorithm>
#include <set>

#include "equation/functions.h"
#include "equation/norm_text.h"
#include "equation/scalar.h"

namespace layerlab::equation {
namespace {

// Roles of sites, which a name of the equation's own would be taken for.
const std::set<std::string> kRoles = {"in", "out", "branch", "sum", "branch_in", "norm"};

// Names that texts mention, and those that constants among them mention in turn.
class Mentions {
 public:
  explicit Mentions(const std::vector<NamedScalar>& constants) : constants_(constants) {}

  bool contains(const std::string& name) const { return names_.contains(name); }

  void add(const Source& source) {
    for (const Statement& statement : parse(source)) add(statement.value);
  }

 private:
  void add(const Expression& e) {
    if (e.kind == Expression::Kind::kName && names_.insert(e.name).second) {
      for (const NamedScalar& constant : constants_) {
        if (constant.name == e.name) add(constant.value);
      }
    }
    for (const Expression& operand : e.operands) add(operand);
    for (const Option& option : e.options) add(option.value);
  }

  const std::vector<NamedScalar>& constants_;
  std::set<std::string> names_;
};

[[noreturn]] void refuse(const std::string& name, const Place& place) {
  throw UserError(place, "expected " + name + " to be used",
                  "use it in the equation, or remove it");
}

}  // namespace

std::vector<Statement> checked_statements(const Source& source) {
  std::vector<Statement> statements = parse(source);
  for (const Statement& statement : statements) check_functions(source, statement.value);
  return statements;
}

bool assigns_x(const std::vector<Statement>& statements) {
  return std::ranges::find(statements, "x", &Statement::target) != statements.end();
}

void refuse_taken_names(const Block& block) {
  const auto refuse_x = [](const std::string& name, const Place& place) {
    if (name != "x") return;
    throw UserError(place, "expected a free name, and x is the stream",
                    "take another, for example alpha");
  };
  for (const NamedScalar& constant : block.constants) refuse_x(constant.name, constant.place);
  for (const ParameterEntry& entry : block.parameters) {
    refuse_x(entry.name, entry.place);
    if (is_size_name(entry.name)) {
      throw UserError(entry.place,
                      "expected a free name, and " + entry.name + " stands for a size");
    }
    if (std::ranges::find(block.constants, entry.name, &NamedScalar::name) !=
        block.constants.end()) {
      throw UserError(entry.place, "expected a free name, and " + entry.name + " is a const too",
                      "take another name for one of them");
    }
  }
}

void refuse_taken_target(const Source& source, const Statement& statement, const Block& block) {
  const std::string& target = statement.target;
  const std::string stem = split_suffix(target).first;
  if (kRoles.contains(target) || stem == "norm" || is_size_name(target) || norm_type(target) ||
      std::ranges::find(function_names(), stem) != function_names().end()) {
    fail(source, statement.begin, "expected a free name, and " + target + " has a meaning",
         "take another, for example h");
  }
  if (std::ranges::find(block.constants, target, &NamedScalar::name) != block.constants.end() ||
      std::ranges::find(block.parameters, target, &ParameterEntry::name) !=
          block.parameters.end()) {
    fail(source, statement.begin,
         "expected a free name, and " + target + " is declared under const or param");
  }
}

void refuse_unused(const Block& block, const Source& finish) {
  Mentions mentions(block.constants);
  for (const Source* source : {&block.equation, &block.start, &finish}) mentions.add(*source);
  for (const auto* entries : {&block.gain, &block.deviation}) {
    for (const NamedScalar& entry : *entries) mentions.add(entry.value);
  }
  for (const ParameterEntry& entry : block.parameters) {
    if (!mentions.contains(entry.name)) refuse(entry.name, entry.place);
    for (const Source& size : entry.shape) mentions.add(size);
    mentions.add(entry.init);
  }
  for (const NamedScalar& constant : block.constants) {
    if (!mentions.contains(constant.name)) refuse(constant.name, constant.place);
  }
}

void refuse_name_of_branch(const Block& block, const Branch& branch, bool has_parameter) {
  if (branch.head_scale == HeadScale::kNone || !has_parameter) return;
  const auto entry = std::ranges::find(block.parameters, "head_scale", &ParameterEntry::name);
  if (entry == block.parameters.end()) return;
  throw UserError(entry->place, "expected a free name, and head_scale is the branch's own scale",
                  "take another, for example scale");
}

void refuse_idle_profile(const Block& block, const std::map<std::string, int>& parameters,
                         const std::string& prefix, const Flow& flow) {
  for (const ParameterEntry& entry : block.parameters) {
    const auto found = parameters.find(prefix + entry.name);
    if (!entry.profiled || found == parameters.end() || flow.weighs_skip(found->second)) continue;
    throw UserError(entry.place,
                    "expected " + entry.name + ", as it is profiled, to weigh the skip",
                    "write for example LN(" + entry.name + "*x + F(x)), or leave profiled out");
  }
}

}  // namespace layerlab::equation
