#include "tasks/sequence.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <utility>

namespace layerlab::tasks {

SequenceTask::Problems SequenceTask::uniform(int source, int answer, int ids, int classes,
                                             std::string remedy) {
  Problems problems;
  problems.source = source;
  problems.answer = answer;
  problems.both = source + answer;
  problems.aligned = source == answer;
  problems.ids = ids;
  problems.classes = classes;
  problems.chance_loss = std::log(classes);
  problems.remedy = std::move(remedy);
  return problems;
}

SequenceTask::SequenceTask(const Request& request, const Problems& problems)
    : HashSplitTask(request, shape_of(request, problems), problems.remedy),
      kind_(request.kind),
      aligned_(problems.aligned),
      go_(problems.ids) {}

TaskShape SequenceTask::shape_of(const Request& request, const Problems& problems) {
  TaskShape shape;
  shape.vocabulary = problems.ids + 1;  // and GO
  if (problems.padded) shape.padding = shape.vocabulary++;
  shape.outputs = problems.classes;
  shape.chance_loss = problems.chance_loss;
  switch (request.kind) {
    case ModelKind::kEncoder:
      if (!problems.aligned && problems.answer != 1) {
        throw UserError(request.place("model.kind"),
                        "model.kind = \"encoder\" cannot solve task.name = \"" + request.task.name +
                            "\": its answer is not as long as its source",
                        "write model.kind = \"decoder\" or \"encoder_decoder\"");
      }
      shape.tokens = problems.aligned ? problems.source : problems.both;
      if (problems.aligned && !problems.padded) --shape.vocabulary;  // nothing says GO
      break;
    case ModelKind::kDecoder:
      shape.tokens = problems.both;
      break;
    case ModelKind::kEncoderDecoder:
      shape.source_tokens = problems.source;
      shape.tokens = problems.answer;
      break;
  }
  return shape;
}

std::uint64_t SequenceTask::draw_any(RandomStream& stream, const Row& row) const {
  const auto [source, answer] = draw_problem(stream);
  const std::size_t n = source.size(), m = answer.size();
  std::ranges::fill(row.source, shape().padding);
  std::ranges::fill(row.inputs, shape().padding);
  std::ranges::fill(row.targets, kIgnored);
  const bool pair = kind_ == ModelKind::kEncoderDecoder;
  const bool beside = kind_ == ModelKind::kEncoder && aligned_;
  std::ranges::copy(source, pair ? row.source.begin() : row.inputs.begin());
  const std::size_t asked = pair || beside ? 0 : n;  // the first position that answers
  std::ranges::copy(answer, row.targets.begin() + asked);
  if (!beside) {
    row.inputs[asked] = go_;
    std::copy(answer.begin(), answer.begin() + m - 1, row.inputs.begin() + asked + 1);
  }
  return hash_of(std::span<const std::int64_t>(source));
}

std::string SequenceTask::text_of(std::int64_t id) const {
  if (id == go_) return "GO";
  return id == shape().padding ? "PAD" : std::to_string(id);
}

std::vector<std::int64_t> SequenceTask::draw_symbols(RandomStream& stream, int count, int symbols) {
  std::vector<std::int64_t> drawn(static_cast<std::size_t>(count));
  for (std::int64_t& symbol : drawn) symbol = stream.below(static_cast<std::uint32_t>(symbols));
  return drawn;
}

}  // namespace layerlab::tasks
