#include "equation/sublayers.h"

#include <algorithm>

namespace layerlab::equation {
namespace {

constexpr const char* kAttention = "attn";
constexpr const char* kFeedForward = "ff";

void collect(const Expression& expression, std::vector<const Expression*>& found) {
  const bool is_call = expression.kind == Expression::Kind::kCall;
  if (is_call && (expression.name == "F" || expression.name == "A" || expression.name == "M")) {
    found.push_back(&expression);
  }
  for (const Expression& operand : expression.operands) collect(operand, found);
}

// Refuses branches that one block cannot have together.
void check(const Source& source, const std::vector<const Expression*>& branches) {
  if (branches.empty()) {
    fail(source, 0, "expected a branch: F, or A and M", "write for example x + F(LN(x))");
  }
  for (std::size_t i = 1; i < branches.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      const Expression& later = *branches[i];
      if (later.name == branches[j]->name) {
        fail(source, later.begin, "expected " + later.name + " once; twice would share its weights",
             "keep its value in a local, for example u = " + later.name + "(x)");
      }
      if (later.name == "F" || branches[j]->name == "F") {
        fail(source, later.begin, "expected F alone, or A and M without it",
             "F stands for A and then M");
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
  if (branch.name == "A") return kAttention;
  if (branch.name == "M") return kFeedForward;
  return current;
}

std::vector<Sublayer> sublayers(const Source& source, const std::vector<Statement>& statements) {
  std::vector<const Expression*> branches;
  std::vector<std::string> homes;  // of each statement; empty where it has no branch
  for (const Statement& statement : statements) {
    const auto found = branches_in(statement.value);
    homes.push_back(found.empty() ? "" : sublayer_name(*found.back(), "F"));
    branches.insert(branches.end(), found.begin(), found.end());
  }
  check(source, branches);

  std::vector<Sublayer> result;
  if (branches.front()->name == "F") {
    result = {{kAttention, BranchType::kAttention, {}, true},
              {kFeedForward, BranchType::kFeedForward, {}, true}};
    for (const Statement& statement : statements) {
      for (Sublayer& sublayer : result) sublayer.statements.push_back(&statement);
    }
    return result;
  }
  for (const Expression* branch : branches) {
    const bool attention = branch->name == "A";
    result.push_back({sublayer_name(*branch, ""),
                      attention ? BranchType::kAttention : BranchType::kFeedForward,
                      {},
                      branch == branches.back()});
  }
  for (std::size_t i = 0; i < statements.size(); ++i) {
    std::string home = homes[i];
    for (std::size_t j = i + 1; home.empty() && j < statements.size(); ++j) {
      const auto next = branches_in(statements[j].value);
      if (!next.empty()) home = sublayer_name(*next.front(), "");
    }
    for (std::size_t j = i; home.empty() && j-- > 0;) home = homes[j];
    for (Sublayer& sublayer : result) {
      if (sublayer.name == home) sublayer.statements.push_back(&statements[i]);
    }
  }
  return result;
}

}  // namespace layerlab::equation
