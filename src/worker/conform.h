// Our blocks against the numbers of another implementation: `layerlab conform`.
#pragma once

#include <ATen/core/Tensor.h>

#include <filesystem>

#include "conform/comparison.h"
#include "conform/description.h"
#include "conform/fixture.h"
#include "record/safetensors.h"

namespace layerlab::worker {

// Runs what `fixture` describes on the inputs and weights of `file`, forward and backward, in
// `dtype` (kDouble or kFloat), and compares every value and gradient that the file holds.
conform::Comparison compare(const record::SafeTensors& file, const conform::Fixture& fixture,
                            at::ScalarType dtype);

// The file at `path` against what its metadata or `choice` says. Where the two disagree, tries
// what people often confuse (conform/common_mistakes.h) and adds the changes that make them agree.
// Throws UserError for files that cannot be read or say too little.
conform::Comparison conform_file(const std::filesystem::path& path, const conform::Choice& choice,
                                 at::ScalarType dtype);

}  // namespace layerlab::worker
