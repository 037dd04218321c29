#include "equation/functions.h"

#include <algorithm>
#include <map>

#include "core/names.h"
#include "equation/norm_text.h"
#include "equation/scalar.h"

namespace layerlab::equation {
namespace {

const std::vector<std::string> kBranches = {"F", "A", "C", "M"};
const std::vector<std::string> kTensorFunctions = {"sigmoid", "tanh", "unit",   "abs",  "stopgrad",
                                                   "T",       "sum",  "repeat", "outer"};

bool contains(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

}  // namespace

bool is_branch(const Expression& e) {
  return e.kind == Expression::Kind::kCall && contains(kBranches, split_suffix(e.name).first);
}

bool is_tensor_function(const std::string& name) { return contains(kTensorFunctions, name); }

const std::vector<std::string>& function_names() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> result = kBranches;
    result.insert(result.end(), norm_names().begin(), norm_names().end());
    result.push_back("GRU");
    result.insert(result.end(), kTensorFunctions.begin(), kTensorFunctions.end());
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

// What other code calls our branches and norms, simple()d; "" for whatever else.
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
  return contains(kBranches, split_suffix(name).first) || norm_type(name) ||
         contains(function_names(), name);
}

void check_functions(const Source& source, const Expression& e) {
  if (e.kind == Expression::Kind::kCall && !is_function(e.name)) {
    fail(source, e.begin, "expected a branch, a norm or a function, got '" + e.name + "'",
         suggest(e.name));
  }
  for (const Expression& operand : e.operands) check_functions(source, operand);
}

}  // namespace layerlab::equation
