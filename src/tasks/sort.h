#pragma once

#include "tasks/sequence.h"

namespace layerlab::tasks {

// Say the symbols in ascending order. After karpathy/minGPT, demo.ipynb.
//
//   Inputs   3 1 4 1
//   Targets  1 1 3 4
class SortTask final : public SequenceTask {
 public:
  explicit SortTask(const Request& request);

 private:
  Problem draw_problem(RandomStream& stream) const override;

  int length_, symbols_;
};

}  // namespace layerlab::tasks
