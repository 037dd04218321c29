#pragma once

#include "tasks/symbols.h"

namespace layerlab::tasks {

// Say at each bit whether an odd number of ones has been seen. After HazyResearch/zoology,
// circuits/parity.
//
//   Inputs   1 0 1 1
//   Targets  1 1 0 1
class ParityTask final : public SymbolsTask {
 public:
  explicit ParityTask(const Request& request)
      : SymbolsTask(request, /*symbols=*/2, "enlarge task.length") {}

 private:
  Symbols answer(const Symbols& source) const override;
};

}  // namespace layerlab::tasks
