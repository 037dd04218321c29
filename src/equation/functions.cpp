#include "equation/functions.h"

#include <algorithm>

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

std::string suggest(const std::string& name, const std::vector<std::string>& more) {
  std::vector<std::string> all = function_names();
  all.insert(all.end(), more.begin(), more.end());
  if (!nearest(name, all).empty()) return suggestion(name, all);
  // The long list of functions would hide what most equations consist of.
  std::vector<std::string> common = kBranches;
  common.insert(common.end(), norm_names().begin(), norm_names().end());
  common.insert(common.end(), more.begin(), more.end());
  return suggestion(name, common);
}

void check_functions(const Source& source, const Expression& e) {
  if (e.kind == Expression::Kind::kCall && !is_branch(e) && !norm_type(e.name) &&
      !contains(function_names(), e.name)) {
    fail(source, e.begin, "expected a branch, a norm or a function, got '" + e.name + "'",
         suggest(e.name, {}));
  }
  for (const Expression& operand : e.operands) check_functions(source, operand);
}

}  // namespace layerlab::equation
