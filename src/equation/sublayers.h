// A block's statements, grouped by the sub-layer that they belong to.
#pragma once

#include <string>
#include <vector>

#include "equation/program.h"
#include "equation/syntax.h"

namespace layerlab::equation {

struct Sublayer {
  std::string name;  // "attn", "cross", "ff": parameter names and the record use it
  BranchType branch{};
  std::vector<const Statement*> statements;
  bool ends_locals = false;  // names that are not streams are forgotten after it
};

// An equation with F is each sub-layer in turn, with F standing for its branch. One with A, C or M
// describes the whole block, and a statement belongs to its last branch, else to the next
// statement's first, else to the previous one's. Two branches of one kind have suffixes: M_pre and
// M_post are the sub-layers ff_pre and ff_post.
// Without a memory (`cross` is false) a statement that contains C is left out.
// Throws UserError when there is no branch, F is mixed with others, or a branch appears twice
// (its weights would be shared silently). `statements` must outlive the result.
std::vector<Sublayer> sublayers(const Source& source, const std::vector<Statement>& statements,
                                bool cross);

// The branch calls in `expression` in the order they are written.
std::vector<const Expression*> branches_in(const Expression& expression);

// The sub-layer's name that a call of A, C or M belongs to; F belongs to `current`.
std::string sublayer_name(const Expression& branch, const std::string& current);

}  // namespace layerlab::equation
