#pragma once

#include "tasks/sequence.h"

namespace layerlab::tasks {

// Say the sequence again.
//
//   Inputs   3 1 4 1
//   Targets  3 1 4 1
class CopyTask final : public SequenceTask {
 public:
  explicit CopyTask(const Request& request);

 private:
  Problem draw_problem(RandomStream& stream) const override;

  int length_, symbols_;
};

}  // namespace layerlab::tasks
