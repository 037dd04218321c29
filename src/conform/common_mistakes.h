// Common mistakes as hypotheses: changes of a description (common_mistakes.toml) or of a file.
#pragma once

#include <string>
#include <vector>

#include "core/toml.h"
#include "record/safetensors.h"

namespace layerlab::conform {

struct Hypothesis {
  std::string text;                          // "eps = 1e-6 instead of 1e-05"
  TomlNode description;                      // as describe() makes it; it may not compile
  std::vector<std::string> transposed = {};  // tensors of the file that are to be transposed
};

// Changes of the description.
std::vector<Hypothesis> common_mistakes(const TomlNode& description);

// Square matrices may be stored [in, out] without a shape that tells: one, all of one name, or all
// there are, each with its gradient and without.
std::vector<Hypothesis> transpositions(const TomlNode& description,
                                       const record::SafeTensors& file);

// The file with these tensors transposed. REQUIRES: they are matrices.
record::SafeTensors transposed(record::SafeTensors file, const std::vector<std::string>& names);

}  // namespace layerlab::conform
