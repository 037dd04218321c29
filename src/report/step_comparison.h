// A replayed step beside the step on record.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "record/record.h"

namespace layerlab::report {

// Why two records of one step are not equal, a line for each number: "loss 2.5, on record 2.4".
// Empty where every number on record was repeated bit for bit; the repetition may measure more.
//
// Compared are scalars (those of analyses too), sites, parameters, dependency, and the events that
// tell of a value that is not finite. Left out is what a step cannot give alone: evaluations, and
// events that look back at earlier steps (docs/failures.md).
std::vector<std::string> differences(const record::Reader& on_record,
                                     const record::Reader& repeated, std::int64_t step);

}  // namespace layerlab::report
