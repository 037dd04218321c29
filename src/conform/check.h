// Checks of a file's tensors before anything is built.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/error.h"
#include "record/safetensors.h"

namespace layerlab::conform {

// "[2, 5, 16]".
std::string shape_text(const std::vector<std::int64_t>& shape);

// Throws UserError at `place` where the inputs or the output are missing or have another number of
// dimensions; where a tensor is not of numbers (F64, F32), or input_ids not of whole ones (I64);
// where a gradient's shape is not that of its tensor, or loss_weight's not the output's; where a
// parameter, an input or loss_weight holds a value that is not finite; and where ids or tokens have
// no row in the tables of embeddings.
void check_tensors(const record::SafeTensors& file, const Place& place);

}  // namespace layerlab::conform
