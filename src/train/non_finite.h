// Where a run broke: the first value of a step that is not finite.
//   if (const auto event = find_non_finite(trainer, r, step)) writer.add(*event);
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "record/record.h"
#include "train/trainer.h"

namespace layerlab::train {

// Repeats `step` of replica r on a copy, looking at every place, and says where in the order of
// computation a value is not finite first:
//   non_finite_weights     a parameter, before the first step
//   non_finite_update      a parameter, as the optimiser left it the step before
//   non_finite_activation  a place of the equation, or the loss, on the way forward
//   non_finite_gradient    a place or a parameter, on the way back; or the gradients' norm alone
// Nothing where the step is finite when it is repeated.
// REQUIRES: the replica's weights are those before `step`, as the optimiser leaves those of a
// replica whose loss or gradient was not finite. `trainer` stays as it is.
std::optional<record::EventRow> find_non_finite(const Trainer& trainer, std::size_t r,
                                                std::int64_t step);

}  // namespace layerlab::train
