#pragma once

#include "tasks/symbols.h"

namespace layerlab::tasks {

// Say the sequence backwards: the last symbol first.
//
//   Inputs   3 1 4 1
//   Targets  1 4 1 3
class ReverseTask final : public SymbolsTask {
 public:
  explicit ReverseTask(const Request& request) : SymbolsTask(request) {}

 private:
  Symbols answer(const Symbols& source) const override;
};

}  // namespace layerlab::tasks
