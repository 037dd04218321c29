// Tasks whose answer is a function of `length` equally likely symbols, and as long as they are.
#include <algorithm>
#include <functional>
#include <numeric>

#include "tasks/catalogue.h"
#include "tasks/sequence.h"

namespace layerlab::tasks {
namespace {

using Symbols = std::vector<std::int64_t>;

template <auto answer>
std::unique_ptr<Task> make(const Request& request, int symbols, std::string remedy) {
  const int length = request.task.length;
  Problems problems = uniform_problems(length, length, symbols, symbols, std::move(remedy));
  problems.draw = [=](RandomStream& stream) -> Problem {
    const Symbols source = draw_symbols(stream, length, symbols);
    return {source, answer(source)};
  };
  return make_sequence_task(request, std::move(problems));
}

template <auto answer>
std::unique_ptr<Task> make(const Request& request) {
  return make<answer>(request, request.task.symbols, "enlarge task.length or task.symbols");
}

Symbols copied(const Symbols& source) { return source; }

Symbols reversed(const Symbols& source) { return {source.rbegin(), source.rend()}; }

Symbols sorted(Symbols source) {
  std::ranges::sort(source);
  return source;
}

Symbols parities(const Symbols& source) {
  Symbols result(source.size());
  std::partial_sum(source.begin(), source.end(), result.begin(), std::bit_xor<>());
  return result;
}

}  // namespace

// Repeat the sequence.
//
//   Inputs   3 1 4 1
//   Targets  3 1 4 1
CatalogueEntry copy_task() {
  return {"copy", "say the sequence again", {"length", "symbols"}, make<copied>};
}

// The last symbol first.
//
//   Inputs   3 1 4 1
//   Targets  1 4 1 3
CatalogueEntry reverse_task() {
  return {"reverse", "say the sequence backwards", {"length", "symbols"}, make<reversed>};
}

// After karpathy/minGPT, demo.ipynb.
//
//   Inputs   3 1 4 1
//   Targets  1 1 3 4
CatalogueEntry sort_task() {
  return {"sort", "say the symbols in ascending order", {"length", "symbols"}, make<sorted>};
}

// At each bit, whether an odd number of ones has been seen. After HazyResearch/zoology,
// circuits/parity.
//
//   Inputs   1 0 1 1
//   Targets  1 1 0 1
CatalogueEntry parity_task() {
  return {"parity",
          "say at each bit whether the ones so far are odd",
          {"length"},
          [](const Request& request) { return make<parities>(request, 2, "enlarge task.length"); }};
}

}  // namespace layerlab::tasks
