#include <algorithm>

#include "tasks/catalogue.h"
#include "tasks/sequence.h"

namespace layerlab::tasks {
namespace {

std::unique_ptr<Task> make(const Request& request) {
  const int length = request.task.length, symbols = request.task.symbols;
  Problems problems =
      uniform_problems(length, length, symbols, symbols, "enlarge task.length or task.symbols");
  problems.draw = [=](RandomStream& stream) -> Problem {
    const std::vector<std::int64_t> source = draw_symbols(stream, length, symbols);
    std::vector<std::int64_t> answer = source;
    std::ranges::rotate(answer, answer.begin() + 1);
    return {source, answer};
  };
  return make_sequence_task(request, std::move(problems));
}

}  // namespace

// The first symbol moves to the end.
//
//   Inputs   3 1 4 5
//   Targets  1 4 5 3
CatalogueEntry rotate_task() {
  return {"rotate", "move the first symbol to the end", {"length", "symbols"}, make};
}

}  // namespace layerlab::tasks
