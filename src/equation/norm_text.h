// Norms as equations write them: LN, LN(eps=1e-7), RMS_out(x, offset=1).
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "equation/context.h"
#include "equation/syntax.h"

namespace layerlab::equation {

// LN, RMS, L2, ScaleNorm, DyT, N, with or without a suffix.
std::optional<NormType> norm_type(const std::string& name);
std::string norm_name(NormType type);  // without a suffix
const std::vector<std::string>& norm_names();

struct NormText {
  Norm norm;  // without a name and a weight shape
  Scope scope = Scope::kSublayer;
  bool affine = true;
};

// Reads the kind and the options of a name or a call; operands are not looked at. Throws UserError
// with a caret for unknown kinds and options, and values that do not fit.
NormText read_norm(const Source& source, const Expression& text, Scalars& scalars);

}  // namespace layerlab::equation
