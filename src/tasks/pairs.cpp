#include "tasks/pairs.h"

#include <algorithm>
#include <utility>

#include "tasks/entropy.h"
#include "tasks/pair_file.h"
#include "tasks/user_file.h"

namespace layerlab::tasks {

struct PairsTask::Learnt {
  std::string content;
  std::vector<std::string> vocabulary;
  std::vector<Problem> pairs;  // answers with END where there is one
  int ids = 0;                 // tokens and END
};

PairsTask::PairsTask(const Request& request) : PairsTask(request, read(request)) {}

PairsTask::PairsTask(const Request& request, Learnt learnt)
    : SequenceTask(request, problems(learnt)),
      content_(std::move(learnt.content)),
      vocabulary_(std::move(learnt.vocabulary)),
      ids_(learnt.ids),
      pairs_(std::move(learnt.pairs)) {}

PairsTask::Learnt PairsTask::read(const Request& request) {
  const UserFile file(request);
  PairFile read = read_pairs(request.task.path, file.bytes(), request.task.unit);
  if (read.vocabulary.size() < 2) {
    throw UserError({request.task.path}, "holds one token only, '" + read.vocabulary[0] + "'",
                    "nothing can be learnt from it");
  }
  Learnt learnt;
  learnt.content = file.content();
  learnt.ids = static_cast<int>(read.vocabulary.size());
  learnt.vocabulary = std::move(read.vocabulary);
  for (PairFile::Pair& pair : read.pairs) {
    learnt.pairs.push_back({std::move(pair[0]), std::move(pair[1])});
  }
  if (request.kind != ModelKind::kEncoder) {  // which sees by the source how long the answer is
    const int end = learnt.ids++;
    for (Problem& pair : learnt.pairs) pair.answer.push_back(end);
  }
  return learnt;
}

SequenceTask::Problems PairsTask::problems(const Learnt& learnt) {
  Problems result;
  result.ids = result.classes = learnt.ids;
  result.aligned = true;
  result.remedy = "add pairs, or take another task.train_fraction";
  std::vector<double> counts(static_cast<std::size_t>(learnt.ids));
  for (const auto& [source, answer] : learnt.pairs) {
    const int n = static_cast<int>(source.size()), m = static_cast<int>(answer.size());
    result.source = std::max(result.source, n);
    result.answer = std::max(result.answer, m);
    result.both = std::max(result.both, n + m);
    result.aligned = result.aligned && n == m;
    for (const std::int64_t token : answer) ++counts[static_cast<std::size_t>(token)];
  }
  result.padded = std::ranges::any_of(learnt.pairs, [&](const Problem& pair) {
    return static_cast<int>(pair.source.size()) < result.source ||
           static_cast<int>(pair.answer.size()) < result.answer;
  });
  result.chance_loss = entropy(counts);
  return result;
}

SequenceTask::Problem PairsTask::draw_problem(RandomStream& stream) const {
  return pairs_[stream.below(static_cast<std::uint32_t>(pairs_.size()))];
}

std::string PairsTask::text_of(std::int64_t id) const {
  if (id < static_cast<std::int64_t>(vocabulary_.size())) {
    return vocabulary_[static_cast<std::size_t>(id)];
  }
  return id < ids_ ? "END" : SequenceTask::text_of(id);
}

}  // namespace layerlab::tasks
