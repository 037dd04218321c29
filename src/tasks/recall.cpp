#include "tasks/catalogue.h"
#include "tasks/distinct.h"
#include "tasks/sequence.h"

namespace layerlab::tasks {
namespace {

Problem recall(RandomStream& stream, int pairs, int symbols) {
  const std::vector<std::int64_t> keys = draw_distinct(stream, pairs, symbols);
  const std::vector<std::int64_t> values = draw_symbols(stream, pairs, symbols);
  Problem problem;
  for (std::size_t i = 0; i < keys.size(); ++i) {
    problem.source.insert(problem.source.end(), {symbols + keys[i], values[i]});
  }
  const std::uint32_t asked = stream.below(static_cast<std::uint32_t>(pairs));
  problem.source.push_back(symbols + keys[asked]);
  problem.answer = {values[asked]};
  return problem;
}

std::unique_ptr<Task> make(const Request& request) {
  require_distinct_keys(request);
  const int pairs = request.task.pairs, symbols = request.task.symbols;
  Problems problems = uniform_problems(2 * pairs + 1, 1, 2 * symbols, symbols,
                                       "enlarge task.pairs or task.symbols");
  problems.draw = [=](RandomStream& stream) { return recall(stream, pairs, symbols); };
  return make_sequence_task(request, std::move(problems));
}

}  // namespace

// Associative recall: key-value pairs, then one of the keys; say its value. Ba et al. 2016,
// arXiv 1610.06258, section 4.1. Values are the ids below `symbols`, keys the `symbols` ids from
// there on; the keys of a problem differ.
//
//   Inputs   c 3 a 1 d 1 a GO
//   Targets  . . . . . . .  1
CatalogueEntry recall_task() {
  return {"recall", "say the value of a key", {"pairs", "symbols"}, make};
}

}  // namespace layerlab::tasks
