#pragma once

#include "tasks/sequence.h"

namespace layerlab::tasks {

// Add two numbers of `digits` digits. They come as they are written, without signs between them;
// the sum comes with its lowest digit first, in the order in which it is computed. After
// karpathy/minGPT, projects/adder.
//
//   Inputs   9 5 4 7      95 + 47
//   Targets  2 4 1        142
class AdditionTask final : public SequenceTask {
 public:
  explicit AdditionTask(const Request& request);

 private:
  static Problems problems(int digits);
  Problem draw_problem(RandomStream& stream) const override;

  int digits_;
};

}  // namespace layerlab::tasks
