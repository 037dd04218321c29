#pragma once

#include "tasks/sequence.h"

namespace layerlab::tasks {

// Say the sequence again.
//
//   Inputs   3 1 4 1
//   Targets  3 1 4 1
class CopyTask final : public SequenceTask {
 public:
  using SequenceTask::SequenceTask;

 private:
  void answer(std::span<const std::int64_t> source, std::span<std::int64_t> result) const override;
};

}  // namespace layerlab::tasks
