#include "equation/functions.h"

#include <algorithm>
#include <map>

#include "core/names.h"
#include "equation/branch_kinds.h"
#include "equation/norm_text.h"
#include "equation/operations.h"
#include "equation/scalar.h"

namespace layerlab::equation {
namespace {

// F, A, C or M, with or without a suffix.
bool names_branch(const std::string& name) {
  const std::string letter = split_suffix(name).first;
  return letter == "F" || find_branch_kind(letter) != nullptr;
}

}  // namespace

bool is_branch(const Expression& e) {
  return e.kind == Expression::Kind::kCall && names_branch(e.name);
}

const std::vector<std::string>& function_names() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> result = {"F"};
    for (const BranchKind& kind : kBranchKinds) result.emplace_back(kind.letter);
    result.insert(result.end(), norm_names().begin(), norm_names().end());
    for (const Operation& row : kOperations) {
      if (!row.name.empty()) result.emplace_back(row.name);
    }
    result.insert(result.end(), scalar_functions().begin(), scalar_functions().end());
    return result;
  }();
  return names;
}

namespace {

std::string simple(const std::string& name) {
  std::string result;
  for (const char c : name) {
    if (c != '_') result += c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  }
  return result;
}

// Our name for a branch or norm that other code calls `name`; "" where there is none.
std::string translated(const std::string& name) {
  static const std::map<std::string, std::string> ours = {
      {"layernorm", "LN"}, {"norm", "LN"},          {"rmsnorm", "RMS"},     {"attn", "A"},
      {"attention", "A"},  {"selfattn", "A"},       {"selfattention", "A"}, {"mha", "A"},
      {"crossattn", "C"},  {"crossattention", "C"}, {"ffn", "M"},           {"ff", "M"},
      {"mlp", "M"},        {"feedforward", "M"},    {"dynamictanh", "DyT"}, {"l2norm", "L2"}};
  const auto [stem, suffix] = split_suffix(name);
  if (const auto whole = ours.find(simple(name)); whole != ours.end()) return whole->second;
  const auto found = ours.find(simple(stem));
  return found == ours.end() ? "" : found->second + suffix;
}

std::string suggest(const std::string& name) {
  const std::string ours = translated(name);
  return ours.empty() ? suggestion(name, function_names()) : "did you mean '" + ours + "'?";
}

}  // namespace

bool is_function(const std::string& name) {
  return names_branch(name) || norm_type(name) ||
         std::ranges::find(function_names(), name) != function_names().end();
}

void check_functions(const Source& source, const Expression& e) {
  if (e.kind == Expression::Kind::kCall && !is_function(e.name)) {
    fail(source, e.begin, "expected a branch, a norm or a function, got '" + e.name + "'",
         suggest(e.name));
  }
  for (const Expression& operand : e.operands) check_functions(source, operand);
}

}  // namespace layerlab::equation
