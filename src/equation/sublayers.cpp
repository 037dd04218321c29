#include "equation/sublayers.h"

#include <algorithm>

#include "equation/branch_kinds.h"
#include "equation/context.h"
#include "equation/functions.h"

namespace layerlab::equation {
namespace {

void collect(const Expression& expression, std::vector<const Expression*>& found) {
  if (is_branch(expression)) found.push_back(&expression);
  for (const Expression& operand : expression.operands) collect(operand, found);
  for (const Option& option : expression.options) collect(option.value, found);
}

std::string letter_of(const Expression& branch) { return split_suffix(branch.name).first; }

// The first name of a branch without its brackets.
const Expression* bare_branch(const Expression& e) {
  const bool known = letter_of(e) == "F" || find_branch_kind(letter_of(e)) != nullptr;
  if (e.kind == Expression::Kind::kName && known) return &e;
  for (const Expression& operand : e.operands) {
    if (const Expression* found = bare_branch(operand)) return found;
  }
  return nullptr;
}

// Refuses branches that one block cannot have together.
void check(const Source& source, const std::vector<Statement>& statements,
           const std::vector<const Expression*>& branches) {
  if (branches.empty()) {
    for (const Statement& statement : statements) {
      if (const Expression* bare = bare_branch(statement.value)) {
        fail(source, bare->begin, "expected brackets after " + bare->name,
             "write " + bare->name + "(x)");
      }
    }
    fail(source, 0, "expected a branch: F, or A and M", "write for example x + F(LN(x))");
  }
  for (std::size_t i = 0; i < branches.size(); ++i) {
    const Expression& later = *branches[i];
    if (letter_of(later) == "F" && later.name != "F") {
      fail(source, later.begin, "expected F without a suffix");
    }
    for (std::size_t j = 0; j < i; ++j) {
      if (later.name == branches[j]->name) {
        const std::string remedy =
            "keep its value in a local, for example u = " + later.name + "(x)";
        fail(source, later.begin, "expected " + later.name + " once; twice would share its weights",
             later.name == "F"
                 ? remedy
                 : remedy + ", or name two, " + later.name + "_a and " + later.name + "_b");
      }
      if (later.name == "F" || branches[j]->name == "F") {
        fail(source, later.begin, "expected F alone, or A, C and M without it",
             "F stands for each of them in turn");
      }
    }
  }
}

}  // namespace

std::vector<const Expression*> branches_in(const Expression& expression) {
  std::vector<const Expression*> found;
  collect(expression, found);
  std::sort(found.begin(), found.end(),
            [](const Expression* a, const Expression* b) { return a->begin < b->begin; });
  return found;
}

std::string sublayer_name(const Expression& branch, const std::string& current) {
  const auto [letter, suffix] = split_suffix(branch.name);
  return letter == "F" ? current : std::string(find_branch_kind(letter)->sublayer) + suffix;
}

std::vector<Sublayer> sublayers(const Source& source, const std::vector<Statement>& statements,
                                bool cross) {
  // The statements that are there, and the branches of each.
  std::vector<const Statement*> kept;
  std::vector<std::vector<const Expression*>> inside;
  std::vector<const Expression*> all, branches;
  for (const Statement& statement : statements) {
    const auto found = branches_in(statement.value);
    all.insert(all.end(), found.begin(), found.end());
    if (!cross && std::ranges::any_of(found, [](auto* b) { return letter_of(*b) == "C"; }))
      continue;
    kept.push_back(&statement);
    inside.push_back(found);
    branches.insert(branches.end(), found.begin(), found.end());
  }
  check(source, statements, all);
  if (branches.empty()) {
    fail(source, 0, "expected a branch other than C, which needs a memory to read from");
  }

  std::vector<Sublayer> result;
  if (branches.front()->name == "F") {
    for (const BranchKind& kind : kBranchKinds) {
      if (kind.type == BranchType::kCross && !cross) continue;
      result.push_back({std::string(kind.sublayer), kind.type, kept, true});
    }
    return result;
  }
  for (const Expression* branch : branches) {
    result.push_back({sublayer_name(*branch, ""),
                      find_branch_kind(letter_of(*branch))->type,
                      {},
                      branch == branches.back()});
  }
  for (std::size_t i = 0; i < kept.size(); ++i) {
    const Expression* home = inside[i].empty() ? nullptr : inside[i].back();
    for (std::size_t j = i + 1; home == nullptr && j < kept.size(); ++j) {
      if (!inside[j].empty()) home = inside[j].front();
    }
    for (std::size_t j = i; home == nullptr && j-- > 0;) {
      if (!inside[j].empty()) home = inside[j].back();
    }
    for (Sublayer& sublayer : result) {
      if (sublayer.name == sublayer_name(*home, "")) sublayer.statements.push_back(kept[i]);
    }
  }
  return result;
}

}  // namespace layerlab::equation
