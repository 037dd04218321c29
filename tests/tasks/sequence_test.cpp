#include "tasks/sequence.h"

#include <gmock/gmock.h>

#include <cmath>

#include "tests/support/example.h"

namespace layerlab::tasks {
namespace {

using Ids = std::vector<std::int64_t>;

Request of_four(const char* name, ModelKind kind) {
  return request(name, kind, [](TaskConfig& task) { task.length = 4; });
}

Ids reversed(const Ids& ids) { return {ids.rbegin(), ids.rend()}; }
Ids part(const Ids& ids, std::size_t begin, std::size_t end) {
  return {ids.begin() + static_cast<std::ptrdiff_t>(begin),
          ids.begin() + static_cast<std::ptrdiff_t>(end)};
}

TEST(Copy, AsksAnEncoderForTheInput) {
  const auto task = make_task(of_four("copy", ModelKind::kEncoder));
  EXPECT_EQ(task->shape().tokens, 4);
  EXPECT_EQ(task->shape().vocabulary, 16);
  EXPECT_EQ(task->shape().outputs, 16);
  EXPECT_DOUBLE_EQ(task->shape().chance_loss, std::log(16));
  for (const Example& example : examples(*task, 5)) EXPECT_EQ(example.targets, example.inputs);
}

TEST(Reverse, AsksAnEncoderForTheInputBackwards) {
  const auto task = make_task(of_four("reverse", ModelKind::kEncoder));
  for (const Example& example : examples(*task, 5)) {
    EXPECT_EQ(example.targets, reversed(example.inputs));
  }
}

TEST(Reverse, AsksADecoderForTheAnswerAfterTheSource) {
  const auto task = make_task(of_four("reverse", ModelKind::kDecoder));
  EXPECT_EQ(task->shape().tokens, 8);
  EXPECT_EQ(task->shape().vocabulary, 17);
  EXPECT_EQ(task->shape().outputs, 16);
  for (const Example& example : examples(*task, 5)) {
    const Ids answer = reversed(part(example.inputs, 0, 4));
    EXPECT_EQ(example.inputs[4], 16) << "GO";
    EXPECT_EQ(part(example.inputs, 5, 8), part(answer, 0, 3)) << "shifted answer";
    EXPECT_EQ(part(example.targets, 0, 4), Ids(4, kIgnored));
    EXPECT_EQ(part(example.targets, 4, 8), answer);
  }
}

TEST(Reverse, GivesThePairItsSourceAndTheAnswerShifted) {
  const auto task = make_task(of_four("reverse", ModelKind::kEncoderDecoder));
  EXPECT_EQ(task->shape().source_tokens, 4);
  EXPECT_EQ(task->shape().tokens, 4);
  EXPECT_EQ(task->shape().vocabulary, 17);
  for (const Example& example : examples(*task, 5)) {
    const Ids answer = reversed(example.source);
    EXPECT_EQ(example.inputs, (Ids{16, answer[0], answer[1], answer[2]}));
    EXPECT_EQ(example.targets, answer);
  }
}

TEST(Reverse, WorksOnSequencesOfOne) {
  for (const ModelKind kind : {ModelKind::kEncoder, ModelKind::kDecoder}) {
    const auto task = make_task(request("reverse", kind, [](TaskConfig& t) {
      t.length = 1;
      t.symbols = 1000;
    }));
    const Example example = examples(*task, 1)[0];
    EXPECT_EQ(example.targets.back(), example.inputs.front());
  }
}

TEST(Sequences, UseEverySymbolAndNoOther) {
  const auto task =
      make_task(request("copy", ModelKind::kEncoder, [](TaskConfig& t) { t.length = 1000; }));
  const Ids ids = examples(*task, 1)[0].inputs;
  EXPECT_EQ(*std::ranges::min_element(ids), 0);
  EXPECT_EQ(*std::ranges::max_element(ids), 15);
}

}  // namespace
}  // namespace layerlab::tasks
