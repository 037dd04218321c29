// Checks of the compiler, before and after it runs a statement. All throw UserError.
#pragma once

#include <vector>

#include "equation/block.h"
#include "equation/flow.h"
#include "equation/program.h"
#include "equation/syntax.h"

namespace layerlab::equation {

// The statements of `source`; refuses calls of what is no function.
std::vector<Statement> checked_statements(const Source& source);

bool assigns_x(const std::vector<Statement>& statements);

// Refuses constants and learned tensors of `block` whose names mean something else already.
void refuse_taken_names(const Block& block);

// Refuses a target that is a role, a function, a size, a constant or a learned tensor.
void refuse_taken_target(const Source& source, const Statement& statement, const Block& block);

// Refuses constants and learned tensors of `block` that no text of it names, be it used at this
// depth or not. `finish` is what follows the last block.
void refuse_unused(const Block& block, const Source& finish);

// A learned tensor of the equation's own must not take the name of the branch's: head_scale.
// `has_parameter` is whether the sub-layer has one of that name.
void refuse_name_of_branch(const Block& block, const Branch& branch, bool has_parameter);

// A profiled parameter has to weigh the skip of its sub-layer. `parameters` are registers by name,
// `prefix` is what the sub-layer's names begin with.
void refuse_idle_profile(const Block& block, const std::map<std::string, int>& parameters,
                         const std::string& prefix, const Flow& flow);

}  // namespace layerlab::equation
