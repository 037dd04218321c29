#include "tasks/catalogue.h"
#include "tasks/require.h"
#include "tasks/sequence.h"

namespace layerlab::tasks {
namespace {

// Each choice of places for the items is equally likely. The blank is id `symbols`.
Problem hide(RandomStream& stream, int length, int symbols, int items) {
  Problem problem{{}, draw_symbols(stream, items, symbols)};
  std::size_t next = 0;
  for (int left = length; left > 0; --left) {
    const auto missing = static_cast<std::uint32_t>(problem.answer.size() - next);
    const bool here = stream.below(static_cast<std::uint32_t>(left)) < missing;
    problem.source.push_back(here ? problem.answer[next++] : symbols);
  }
  return problem;
}

std::unique_ptr<Task> make(const Request& request) {
  const int length = request.task.length, symbols = request.task.symbols;
  const int items = request.task.items;
  require_length(request, items, "the task.items = " + std::to_string(items));
  Problems problems =
      uniform_problems(length, items, symbols + 1, symbols, "enlarge task.length or task.symbols");
  problems.names = {{symbols, "_"}};
  problems.draw = [=](RandomStream& stream) { return hide(stream, length, symbols, items); };
  return make_sequence_task(request, std::move(problems));
}

}  // namespace

// Say the `items` symbols that occur among blanks, in their order. Their places are random, so that
// counting positions does not help. Gu and Dao 2023, "Mamba", arXiv 2312.00752, section 4.1.1;
// athms/mad-lab.
//
//   Inputs   _ 3 _ _ 1 4 _
//   Targets  3 1 4
CatalogueEntry selective_copy_task() {
  return {"selective_copy",
          "say the symbols that stand among blanks",
          {"length", "symbols", "items"},
          make};
}

}  // namespace layerlab::tasks
