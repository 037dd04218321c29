#pragma once

#include "tasks/sequence.h"

namespace layerlab::tasks {

// A trigger, GO, stands once among random symbols, and again at the end: say what followed it the
// first time. Solved by induction heads (Olsson et al. 2022, arXiv 2209.11895; in this form Gu and
// Dao 2023, "Mamba", arXiv 2312.00752, section 4.1.2).
//
//   Inputs   3 1 GO 4 1 5 GO
//   Targets  . .  . . . .  4
class InductionTask final : public SequenceTask {
 public:
  explicit InductionTask(const Request& request);

 private:
  Problem draw_problem(RandomStream& stream) const override;

  int length_, symbols_;
};

}  // namespace layerlab::tasks
