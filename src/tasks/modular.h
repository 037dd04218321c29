#pragma once

#include "tasks/sequence.h"

namespace layerlab::tasks {

// a ∘ b modulo p, for ∘ one of + - * /. Training sees `train_fraction` of all problems: with a
// small one a model first learns them by heart, and much later the rule (Power et al. 2022,
// "Grokking", arXiv 2201.02177; openai/grok). 0 … p-1 are numbers, p is the operation and p+1, GO,
// is =. Division is by b ≠ 0, modulo a prime.
//
//   Inputs   5 ∘ 4 =            5 + 4, modulo 7
//   Targets  . . . 2
class ModularTask final : public SequenceTask {
 public:
  explicit ModularTask(const Request& request);

  std::string text_of(std::int64_t id) const override;

 private:
  static Problems problems(const Request& request);
  Problem draw_problem(RandomStream& stream) const override;

  std::int64_t p_;
  Operation operation_;
};

}  // namespace layerlab::tasks
