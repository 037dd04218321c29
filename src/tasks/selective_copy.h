#pragma once

#include "tasks/sequence.h"

namespace layerlab::tasks {

// Say the `items` symbols that stand among blanks, in their order. Where they stand is random, so
// that counting positions does not help. Gu and Dao 2023, "Mamba", arXiv 2312.00752, section 4.1.1;
// athms/mad-lab. The blank is id `symbols`.
//
//   Inputs   _ 3 _ _ 1 4 _
//   Targets  3 1 4
class SelectiveCopyTask final : public SequenceTask {
 public:
  explicit SelectiveCopyTask(const Request& request);

  std::string text_of(std::int64_t id) const override;

 private:
  Problem draw_problem(RandomStream& stream) const override;

  int length_, symbols_, items_;
};

}  // namespace layerlab::tasks
