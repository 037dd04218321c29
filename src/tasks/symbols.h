// Sequence-to-sequence tasks on task.length symbols, each as likely as the others.
#pragma once

#include <string>
#include <vector>

#include "tasks/sequence.h"

namespace layerlab::tasks {

// The answer is a function of the source, as long as it, of the same symbols.
class SymbolsTask : public SequenceTask {
 protected:
  using Symbols = std::vector<std::int64_t>;

  // task.symbols of them.
  explicit SymbolsTask(const Request& request)
      : SymbolsTask(request, request.task.symbols, "enlarge task.length or task.symbols") {}
  // `remedy`: what makes the problems more.
  SymbolsTask(const Request& request, int symbols, const std::string& remedy);

  virtual Symbols answer(const Symbols& source) const = 0;

 private:
  Problem draw_problem(RandomStream& stream) const final;

  int length_, symbols_;
};

}  // namespace layerlab::tasks
