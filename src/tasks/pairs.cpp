#include <algorithm>
#include <utility>

#include "tasks/catalogue.h"
#include "tasks/entropy.h"
#include "tasks/pair_file.h"
#include "tasks/sequence.h"
#include "tasks/user_file.h"

namespace layerlab::tasks {
namespace {

// Lengths and frequencies of these pairs, whose tokens have ids below `ids`.
Problems describe(const std::vector<Problem>& pairs, int ids) {
  Problems result;
  result.ids = result.classes = ids;
  result.aligned = true;
  result.remedy = "add pairs, or take another task.train_fraction";
  std::vector<double> counts(static_cast<std::size_t>(ids));
  for (const auto& [source, answer] : pairs) {
    const int n = static_cast<int>(source.size()), m = static_cast<int>(answer.size());
    result.source = std::max(result.source, n);
    result.answer = std::max(result.answer, m);
    result.both = std::max(result.both, n + m);
    result.aligned = result.aligned && n == m;
    for (const std::int64_t token : answer) ++counts[static_cast<std::size_t>(token)];
  }
  result.padded = std::ranges::any_of(pairs, [&](const Problem& pair) {
    return static_cast<int>(pair.source.size()) < result.source ||
           static_cast<int>(pair.answer.size()) < result.answer;
  });
  result.chance_loss = entropy(counts);
  return result;
}

std::unique_ptr<Task> make(const Request& request) {
  const UserFile file(request);
  PairFile read = read_pairs(request.task.path, file.bytes(), request.task.unit);
  std::vector<std::string> names = std::move(read.vocabulary);
  if (names.size() < 2) {
    throw UserError({request.task.path}, "holds one token only, '" + names[0] + "'",
                    "nothing can be learnt from it");
  }
  if (request.kind != ModelKind::kEncoder) {  // which sees by the source how long the answer is
    const auto end = static_cast<std::int64_t>(names.size());
    names.emplace_back("END");
    for (Problem& pair : read.pairs) pair.answer.push_back(end);
  }
  Problems problems = describe(read.pairs, static_cast<int>(names.size()));
  problems.content = file.content();
  for (std::string& name : names) {
    problems.names.emplace(static_cast<std::int64_t>(problems.names.size()), std::move(name));
  }
  problems.draw = [pairs = std::move(read.pairs)](RandomStream& stream) {
    return pairs[stream.below(static_cast<std::uint32_t>(pairs.size()))];
  };
  return make_sequence_task(request, std::move(problems));
}

}  // namespace

// Inputs and targets of the user's own, from a file (pair_file.h). All pairs are equally likely.
// Lengths may vary: then short rows are padded, and but for an encoder every answer ends with END,
// the id behind the vocabulary. Pairs of equal inputs are held out together.
//
//   Inputs   c a t GO t a c
//   Targets  . . .  t a c END
CatalogueEntry pairs_task() {
  return {"pairs",
          "answer as in a file of your own inputs and targets",
          {"path", "content", "unit"},
          make};
}

}  // namespace layerlab::tasks
