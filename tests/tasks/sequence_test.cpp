#include "tasks/sequence.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>

#include "tests/support/example.h"
#include "tests/support/user_error.h"

namespace layerlab::tasks {
namespace {

Request of_four(const char* name, ModelKind kind) {
  return request(name, kind, [](TaskConfig& task) { task.length = 4; });
}

Ids reversed(const Ids& ids) { return {ids.rbegin(), ids.rend()}; }

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

TEST(Sort, AsksForTheSymbolsInOrder) {
  const auto task = make_task(of_four("sort", ModelKind::kEncoder));
  for (const Example& example : examples(*task, 50)) {
    Ids sorted = example.inputs;
    std::ranges::sort(sorted);
    EXPECT_EQ(example.targets, sorted);
  }
}

TEST(Parity, CountsTheOnesUpToEachBit) {
  const auto task = make_task(request("parity", ModelKind::kEncoder));
  EXPECT_EQ(task->shape().vocabulary, 2);
  EXPECT_DOUBLE_EQ(task->shape().chance_loss, std::log(2));
  for (const Example& example : examples(*task, 50)) {
    for (std::size_t t = 0; t < example.inputs.size(); ++t) {
      const Ids seen = part(example.inputs, 0, t + 1);
      EXPECT_EQ(example.targets[t], std::ranges::count(seen, 1) % 2);
    }
  }
}

TEST(Addition, AddsWithTheLowestDigitFirst) {
  const auto task = make_task(request("addition", ModelKind::kEncoderDecoder));
  EXPECT_EQ(task->shape().source_tokens, 6);
  EXPECT_EQ(task->shape().tokens, 4);
  for (const Example& example : examples(*task, 200)) {
    const Ids& s = example.source;
    const Ids& r = example.targets;
    EXPECT_EQ((100 * s[0] + 10 * s[1] + s[2]) + (100 * s[3] + 10 * s[4] + s[5]),
              r[0] + 10 * r[1] + 100 * r[2] + 1000 * r[3]);
  }
}

TEST(Addition, IsNotForEncoders) {
  EXPECT_EQ(refusal([] { make_task(request("addition", ModelKind::kEncoder)); }),
            "model.kind = \"encoder\" cannot solve task.name = \"addition\": its answer is not as "
            "long as its source; write model.kind = \"decoder\" or \"encoder_decoder\"");
}

TEST(Modular, Calculates) {
  for (const Operation operation :
       {Operation::kAdd, Operation::kSubtract, Operation::kMultiply, Operation::kDivide}) {
    const auto task = make_task(request("modular", ModelKind::kDecoder, [&](TaskConfig& t) {
      t.modulus = 7;
      t.operation = operation;
      t.train_fraction = 0.5;
    }));
    for (const Example& example : examples(*task, 100)) {
      const std::int64_t a = example.inputs[0], b = example.inputs[2], c = example.targets[3];
      EXPECT_EQ(example.inputs[1], 7) << "the operation";
      EXPECT_EQ(example.inputs[3], 8) << "=";
      EXPECT_EQ(part(example.targets, 0, 3), Ids(3, kIgnored));
      switch (operation) {
        case Operation::kAdd:
          EXPECT_EQ(c, (a + b) % 7);
          break;
        case Operation::kSubtract:
          EXPECT_EQ((c + b) % 7, a);
          break;
        case Operation::kMultiply:
          EXPECT_EQ(c, a * b % 7);
          break;
        case Operation::kDivide:
          EXPECT_NE(b, 0);
          EXPECT_EQ(c * b % 7, a);
          break;
      }
    }
  }
}

TEST(Modular, DividesByPrimesOnly) {
  Request division = request("modular", ModelKind::kDecoder, [](TaskConfig& t) {
    t.modulus = 91;
    t.operation = Operation::kDivide;
  });
  division.places = [](const char* key) { return Place{key, 3, 1}; };
  EXPECT_EQ(refusal([&] { make_task(division); }),
            "task.modulus:3:1: task.operation = \"/\" needs a prime task.modulus, got 91; "
            "write for example modulus = 97");
}

TEST(Induction, AsksWhatFollowedTheTrigger) {
  const auto task = make_task(request("induction", ModelKind::kDecoder));
  EXPECT_EQ(task->shape().tokens, 17);
  for (const Example& example : examples(*task, 50)) {
    const auto trigger = std::ranges::find(example.inputs, 16);
    EXPECT_LT(trigger, example.inputs.end() - 2) << "something follows it before the question";
    EXPECT_EQ(std::ranges::count(example.inputs, 16), 2);
    EXPECT_EQ(example.inputs.back(), 16);
    EXPECT_EQ(example.targets.back(), *(trigger + 1));
    EXPECT_EQ(std::ranges::count(example.targets, kIgnored), 16);
  }
}

TEST(SelectiveCopy, AsksForWhatIsNotBlank) {
  const auto task = make_task(request("selective_copy", ModelKind::kEncoderDecoder));
  std::vector<int> used(16);
  for (const Example& example : examples(*task, 400)) {
    Ids items;
    for (std::size_t t = 0; t < 16; ++t) {
      if (example.source[t] == 16) continue;
      items.push_back(example.source[t]);
      ++used[t];
    }
    EXPECT_EQ(items, example.targets);
    EXPECT_EQ(items.size(), 4u);
  }
  for (const int count : used) EXPECT_NEAR(count, 100, 40) << "every place is as likely";
}

TEST(SelectiveCopy, NeedsRoomForItsItems) {
  const auto make = [] {
    make_task(request("selective_copy", ModelKind::kDecoder, [](TaskConfig& t) { t.items = 17; }));
  };
  EXPECT_EQ(refusal(make),
            "task.length = 16 is too short for the task.items = 17 of task.name = "
            "\"selective_copy\"; write at least length = 17");
}

TEST(Recall, AsksForTheValueOfAKey) {
  const auto task = make_task(request("recall", ModelKind::kEncoderDecoder));
  for (const Example& example : examples(*task, 50)) {
    const Ids& s = example.source;
    ASSERT_EQ(s.size(), 9u);
    int found = 0;
    for (std::size_t i = 0; i < 8; i += 2) {
      EXPECT_GE(s[i], 16);
      EXPECT_LT(s[i + 1], 16);
      if (s[i] != s[8]) continue;
      EXPECT_EQ(example.targets, Ids{s[i + 1]});
      ++found;
    }
    EXPECT_EQ(found, 1);
  }
}

TEST(Recall, NeedsASymbolForEachKey) {
  const auto make = [] {
    make_task(request("recall", ModelKind::kDecoder, [](TaskConfig& t) { t.pairs = 17; }));
  };
  EXPECT_EQ(refusal(make),
            "task.pairs = 17 keys cannot all differ among task.symbols = 16; "
            "write at least symbols = 17");
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
