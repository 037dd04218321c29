#pragma once

#include "tasks/sequence.h"

namespace layerlab::tasks {

// Say at each bit whether an odd number of ones has been seen. After HazyResearch/zoology,
// circuits/parity.
//
//   Inputs   1 0 1 1
//   Targets  1 1 0 1
class ParityTask final : public SequenceTask {
 public:
  explicit ParityTask(const Request& request);

 private:
  Problem draw_problem(RandomStream& stream) const override;

  int length_;
};

}  // namespace layerlab::tasks
