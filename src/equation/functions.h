// The names that an equation can call.
#pragma once

#include <string>
#include <vector>

#include "equation/program.h"
#include "equation/syntax.h"

namespace layerlab::equation {

// F, A, C or M, with or without a suffix: M_pre.
bool is_branch(const Expression& e);

// Branches, norms, operations on tensors and functions of numbers.
const std::vector<std::string>& function_names();

// Whether `name` is one of them, with or without a suffix where that is allowed.
bool is_function(const std::string& name);

// Throws UserError at the first call of something else, suggesting what may be meant.
void check_functions(const Source& source, const Expression& e);

}  // namespace layerlab::equation
