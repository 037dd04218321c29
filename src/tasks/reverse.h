#pragma once

#include "tasks/sequence.h"

namespace layerlab::tasks {

// Say the sequence backwards: the last symbol first.
//
//   Inputs   3 1 4 1
//   Targets  1 4 1 3
class ReverseTask final : public SequenceTask {
 public:
  explicit ReverseTask(const Request& request);

 private:
  Problem draw_problem(RandomStream& stream) const override;

  int length_, symbols_;
};

}  // namespace layerlab::tasks
