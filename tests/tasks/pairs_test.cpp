#include "tasks/pair_file.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>

#include "core/files.h"
#include "tests/support/example.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/user_error.h"

namespace layerlab::tasks {
namespace {

using testing::ElementsAre;

std::string reading(const std::string& path, const std::string& text) {
  return refusal([&] { read_pairs(path, text, Unit::kCharacter); });
}

TEST(PairFile, ReadsCharactersBetweenTabs) {
  const PairFile file = read_pairs("a.tsv", "bä\tb\r\n\nb b\tä", Unit::kCharacter);
  EXPECT_THAT(file.vocabulary, ElementsAre(" ", "b", "ä"));
  ASSERT_EQ(file.pairs.size(), 2u);
  EXPECT_EQ(file.pairs[0].source, (Ids{1, 2}));
  EXPECT_EQ(file.pairs[0].answer, (Ids{1}));
  EXPECT_EQ(file.pairs[1].source, (Ids{1, 0, 1}));
  EXPECT_EQ(file.pairs[1].answer, (Ids{2}));
}

TEST(PairFile, ReadsWordsFromJson) {
  const PairFile file = read_pairs(
      "a.jsonl", "{\"input\": \"the  cat\", \"target\": \"cat\\tthe\\n\"}\n", Unit::kWord);
  EXPECT_THAT(file.vocabulary, ElementsAre("cat", "the"));
  EXPECT_EQ(file.pairs[0].source, (Ids{1, 0}));
  EXPECT_EQ(file.pairs[0].answer, (Ids{0, 1}));
}

TEST(PairFile, SkipsAByteOrderMark) {
  for (const Unit unit : {Unit::kCharacter, Unit::kWord}) {
    EXPECT_EQ(read_pairs("a.tsv",
                         "\xef\xbb\xbf"
                         "a b\tb",
                         unit)
                  .vocabulary,
              read_pairs("a.tsv", "a b\tb", unit).vocabulary);
  }
  EXPECT_THAT(
      read_pairs("a.jsonl", "\xef\xbb\xbf{\"input\": \"a\", \"target\": \"b\"}", Unit::kWord)
          .vocabulary,
      ElementsAre("a", "b"));
}

TEST(PairFile, SeparatesWordsByUnicodesWhiteSpace) {
  const char* kNarrow = "\u202f";
  for (const char* white : {kNarrow, "\u00a0", "\u0085", "\u2003", "\u3000", "\v", " \u2009 "}) {
    const std::string text = std::string("oui") + white + "!" + white + "\tnon" + white + "!";
    EXPECT_THAT(read_pairs("a.tsv", text, Unit::kWord).vocabulary, ElementsAre("!", "non", "oui"));
  }
  EXPECT_THAT(read_pairs("a.tsv", "a\u200bb\tc", Unit::kWord).vocabulary,
              ElementsAre("a\u200bb", "c"))
      << "a zero-width space is none";
}

TEST(PairFile, KeepsWordsOfOtherEncodingsWhole) {
  EXPECT_THAT(read_pairs("a.tsv", "caf\xe9 \x85\tb", Unit::kWord).vocabulary,
              ElementsAre("b", "caf\xe9", "\x85"));
}

TEST(PairFile, RefusesLinesByTheirNumber) {
  EXPECT_EQ(reading("a.tsv", "a\tb\nab\n"),
            "a.tsv:2:1: expected an input, one tab and a target; "
            "name the file *.jsonl if it holds JSON");
  EXPECT_EQ(reading("a.tsv", "a\tb\tc"),
            "a.tsv:1:1: expected an input, one tab and a target; "
            "name the file *.jsonl if it holds JSON");
  EXPECT_EQ(reading("a.tsv", "\tb"), "a.tsv:1:1: the input is empty; remove the line");
  EXPECT_EQ(reading("a.tsv", "a\t"), "a.tsv:1:1: the target is empty; remove the line");
  EXPECT_EQ(reading("a.tsv", "a\t\xff"), "a.tsv:1:1: is not UTF-8; convert the file to UTF-8");
  EXPECT_EQ(reading("a.jsonl", "{\"input\": \"a\", \"target\": \"b\"}\n{\"input\": \"a\"}"),
            "a.jsonl:2:1: has no text \"target\"; write {\"input\": \"…\", \"target\": \"…\"}");
  EXPECT_EQ(reading("a.jsonl", "a\tb"), "a.jsonl:1:1: is not JSON (byte 1)");
  EXPECT_EQ(reading("a.tsv", "\n\n"), "a.tsv: holds no pairs");
}

class PairsOfAFile : public testing::Test {
 protected:
  std::unique_ptr<Task> of(const std::string& text, ModelKind kind) const {
    write_file_atomically(folder / "a.tsv", text);
    return make_task(request("pairs", kind, [&](TaskConfig& t) {
      t.path = folder / "a.tsv";
      t.train_fraction = 0.5;
    }));
  }

  // Numbers and their last digits: lengths vary.
  std::string numbers() const {
    std::string text;
    for (int i = 0; i < 200; ++i) text += std::to_string(i) + "\t" + std::to_string(i % 10) + "\n";
    return text;
  }

  TemporaryFolder folder;
};

constexpr std::int64_t kEnd = 10, kGo = 11, kPad = 12;  // behind the ten digits

TEST_F(PairsOfAFile, EndAnswersAndFillUpShortRows) {
  const auto task = of(numbers(), ModelKind::kEncoderDecoder);
  EXPECT_EQ(task->shape().source_tokens, 3);
  EXPECT_EQ(task->shape().tokens, 2);
  EXPECT_EQ(task->shape().vocabulary, 13);
  EXPECT_EQ(task->shape().outputs, 11);
  EXPECT_EQ(task->shape().padding, kPad);
  for (const Example& example : examples(*task, 50)) {
    const auto end = std::ranges::find(example.source, kPad);
    EXPECT_EQ(std::count(end, example.source.end(), kPad), example.source.end() - end);
    const std::int64_t last = *(end - 1);
    EXPECT_EQ(example.inputs, (Ids{kGo, last}));
    EXPECT_EQ(example.targets, (Ids{last, kEnd}));
  }
}

TEST_F(PairsOfAFile, FollowTheirSourceInADecoder) {
  const auto task = of(numbers(), ModelKind::kDecoder);
  EXPECT_EQ(task->shape().tokens, 5);
  for (const Example& example : examples(*task, 50)) {
    const auto n =
        static_cast<std::size_t>(std::ranges::find(example.inputs, kGo) - example.inputs.begin());
    const std::int64_t last = example.inputs[n - 1];
    EXPECT_EQ(example.inputs[n + 1], last);
    EXPECT_EQ(part(example.targets, n, n + 2), (Ids{last, kEnd}));
    EXPECT_EQ(part(example.targets, 0, n), Ids(n, kIgnored));
    EXPECT_EQ(part(example.inputs, n + 2, 5), Ids(3 - n, kPad));
    EXPECT_EQ(part(example.targets, n + 2, 5), Ids(3 - n, kIgnored));
  }
}

TEST_F(PairsOfAFile, OfOneAnswerAreForEncodersToo) {
  const auto task = of(numbers(), ModelKind::kEncoder);
  EXPECT_EQ(task->shape().tokens, 4);
  EXPECT_EQ(task->shape().outputs, 10);
  for (const Example& example : examples(*task, 50)) {
    const auto n = static_cast<std::size_t>(std::ranges::find(example.inputs, kGo - 1) -
                                            example.inputs.begin());
    EXPECT_EQ(example.targets[n], example.inputs[n - 1]);
  }
}

TEST_F(PairsOfAFile, OfOtherLengthsAreNotForEncoders) {
  EXPECT_THAT(refusal([&] { of("ab\tba\nabc\tcb\n", ModelKind::kEncoder); }),
              testing::HasSubstr("its answer is not as long as its source"));
}

TEST_F(PairsOfAFile, MustBeEnoughToHoldSomeOut) {
  EXPECT_THAT(refusal([&] { of("a\tb\n", ModelKind::kDecoder); }),
              testing::HasSubstr("task.name = \"pairs\" has too few different problems"));
}

TEST_F(PairsOfAFile, MustDiffer) {
  EXPECT_THAT(refusal([&] { of("a\ta\n", ModelKind::kDecoder); }),
              testing::EndsWith("a.tsv: holds one token only, 'a'; nothing can be learnt from it"));
}

}  // namespace
}  // namespace layerlab::tasks
