#pragma once

#include "tasks/sequence.h"

namespace layerlab::tasks {

// Associative recall: key-value pairs, then one of the keys; say its value. Ba et al. 2016,
// arXiv 1610.06258, section 4.1. Values are the ids below `symbols`, keys the `symbols` ids from
// there on; the keys of a problem differ.
//
//   Inputs   c 3 a 1 d 1 a GO
//   Targets  . . . . . . .  1
class RecallTask final : public SequenceTask {
 public:
  explicit RecallTask(const Request& request);

 private:
  Problem draw_problem(RandomStream& stream) const override;

  int pairs_, symbols_;
};

}  // namespace layerlab::tasks
