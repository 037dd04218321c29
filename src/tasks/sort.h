#pragma once

#include "tasks/symbols.h"

namespace layerlab::tasks {

// Say the symbols in ascending order. After karpathy/minGPT, demo.ipynb.
//
//   Inputs   3 1 4 1
//   Targets  1 1 3 4
class SortTask final : public SymbolsTask {
 public:
  explicit SortTask(const Request& request) : SymbolsTask(request) {}

 private:
  Symbols answer(const Symbols& source) const override;
};

}  // namespace layerlab::tasks
