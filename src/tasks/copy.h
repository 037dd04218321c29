#pragma once

#include "tasks/symbols.h"

namespace layerlab::tasks {

// Say the sequence again.
//
//   Inputs   3 1 4 1
//   Targets  3 1 4 1
class CopyTask final : public SymbolsTask {
 public:
  explicit CopyTask(const Request& request) : SymbolsTask(request) {}

 private:
  Symbols answer(const Symbols& source) const override;
};

}  // namespace layerlab::tasks
