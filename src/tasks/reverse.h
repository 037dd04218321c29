#pragma once

#include "tasks/sequence.h"

namespace layerlab::tasks {

// Say the sequence backwards: the last symbol first.
//
//   Inputs   3 1 4 1
//   Targets  1 4 1 3
class ReverseTask final : public SequenceTask {
 public:
  using SequenceTask::SequenceTask;

 private:
  void answer(std::span<const std::int64_t> source, std::span<std::int64_t> result) const override;
};

}  // namespace layerlab::tasks
