#include "tasks/sequence.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "tasks/hash_split.h"

namespace layerlab::tasks {
namespace {

TaskShape shape_of(const Request& request, const Problems& problems) {
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

class SequenceTask final : public HashSplitTask {
 public:
  SequenceTask(const Request& request, Problems problems)
      : HashSplitTask(request, shape_of(request, problems), problems.remedy),
        kind_(request.kind),
        problems_(std::move(problems)) {
    problems_.names.try_emplace(problems_.ids, "GO");
    problems_.names.try_emplace(shape().padding, "PAD");
  }

  std::string text_of(std::int64_t id) const override {
    const auto found = problems_.names.find(id);
    return found == problems_.names.end() ? std::to_string(id) : found->second;
  }
  std::string content() const override { return problems_.content; }

 private:
  std::uint64_t draw_any(RandomStream& stream, const Row& row) const override {
    const auto [source, answer] = problems_.draw(stream);
    std::ranges::fill(row.source, shape().padding);
    std::ranges::fill(row.inputs, shape().padding);
    std::ranges::fill(row.targets, kIgnored);
    const bool pair = kind_ == ModelKind::kEncoderDecoder;
    const bool beside = kind_ == ModelKind::kEncoder && problems_.aligned;
    std::ranges::copy(source, pair ? row.source.begin() : row.inputs.begin());
    const std::size_t asked = pair || beside ? 0 : source.size();  // the first that answers
    std::ranges::copy(answer, row.targets.begin() + asked);
    if (!beside) {
      row.inputs[asked] = problems_.ids;  // GO
      std::copy(answer.begin(), answer.end() - 1, row.inputs.begin() + asked + 1);
    }
    return hash_of(std::span<const std::int64_t>(source));
  }

  ModelKind kind_;
  Problems problems_;
};

}  // namespace

Problems uniform_problems(int source, int answer, int ids, int classes, std::string remedy) {
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

std::vector<std::int64_t> draw_symbols(RandomStream& stream, int count, int symbols) {
  std::vector<std::int64_t> drawn(static_cast<std::size_t>(count));
  for (std::int64_t& symbol : drawn) symbol = stream.below(static_cast<std::uint32_t>(symbols));
  return drawn;
}

std::unique_ptr<Task> make_sequence_task(const Request& request, Problems problems) {
  return std::make_unique<SequenceTask>(request, std::move(problems));
}

}  // namespace layerlab::tasks
