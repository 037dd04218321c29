// Sequence-to-sequence tasks: the answer is a function of a source of the same length.
#pragma once

#include "tasks/task.h"

namespace layerlab::tasks {

// Draws a source s_1 .. s_n of uniform symbols, asks answer() for r_1 .. r_n, and lays both out:
//
//   encoder   inputs   s_1 s_2 … s_n
//             targets  r_1 r_2 … r_n
//   decoder   inputs   s_1 … s_n  GO  r_1 … r_{n-1}
//             targets   .  …  .  r_1 r_2 … r_n          (. is not scored; GO is id `symbols`)
class SequenceTask : public Task {
 public:
  SequenceTask(const config::TaskConfig& task, config::ModelKind kind);

  void draw(RandomStream& stream, std::span<std::int64_t> inputs,
            std::span<std::int64_t> targets) const final;

 protected:
  virtual void answer(std::span<const std::int64_t> source,
                      std::span<std::int64_t> result) const = 0;

 private:
  config::TaskConfig task_;
  config::ModelKind kind_;
};

}  // namespace layerlab::tasks
