#include "tasks/symbols.h"

namespace layerlab::tasks {

SymbolsTask::SymbolsTask(const Request& request, int symbols, const std::string& remedy)
    : SequenceTask(request,
                   uniform(request.task.length, request.task.length, symbols, symbols, remedy)),
      length_(request.task.length),
      symbols_(symbols) {}

SequenceTask::Problem SymbolsTask::draw_problem(RandomStream& stream) const {
  const Symbols source = draw_symbols(stream, length_, symbols_);
  return {source, answer(source)};
}

}  // namespace layerlab::tasks
