#include "tasks/catalogue.h"
#include "tasks/require.h"
#include "tasks/sequence.h"

namespace layerlab::tasks {
namespace {

std::unique_ptr<Task> make(const Request& request) {
  require_length(request, 2, "the trigger and what follows it");
  const int length = request.task.length, symbols = request.task.symbols;
  Problems problems =
      uniform_problems(length, 1, symbols, symbols, "enlarge task.length or task.symbols");
  problems.draw = [=](RandomStream& stream) -> Problem {
    std::vector<std::int64_t> source = draw_symbols(stream, length, symbols);
    const std::uint32_t trigger = stream.below(static_cast<std::uint32_t>(length - 1));
    source[trigger] = symbols;  // GO
    return {source, {source[trigger + 1]}};
  };
  return make_sequence_task(request, std::move(problems));
}

}  // namespace

// A trigger, GO, occurs once among random symbols, and again at the end: say what followed it the
// first time. Solved by induction heads (Olsson et al. 2022, arXiv 2209.11895; in this form Gu and
// Dao 2023, "Mamba", arXiv 2312.00752, section 4.1.2).
//
//   Inputs   3 1 GO 4 1 5 GO
//   Targets  . .  . . . .  4
CatalogueEntry induction_task() {
  return {"induction",
          "recall the symbol after a trigger's first occurrence",
          {"length", "symbols"},
          make};
}

}  // namespace layerlab::tasks
