#include "theory/batch_shape.h"

#include <gtest/gtest.h>

#include "core/files.h"
#include "tasks/catalogue.h"
#include "tests/support/temporary_folder.h"

namespace layerlab::theory {
namespace {

// Eighty pairs of eight letters, and one of 64 more if asked for.
BatchShape shape_of_pairs(bool with_long, tasks::ModelKind kind) {
  TemporaryFolder folder;
  std::string text;
  for (unsigned i = 0; i < 80; ++i) {
    std::string word = "abcdefgh";
    for (unsigned n = 0; n < 4; ++n) word[n] = static_cast<char>('a' + (i >> n & 1U));
    word[7] = static_cast<char>('a' + i / 16);
    text += word + "\t" + std::string(word.rbegin(), word.rend()) + "\n";
  }
  if (with_long) text += std::string(64, 'a') + "\t" + std::string(64, 'b') + "\n";
  write_file_atomically(folder / "pairs.tsv", text);
  tasks::TaskConfig task;
  task.name = "pairs";
  task.path = (folder / "pairs.tsv").string();
  return batch_shape(*tasks::make_task({task, kind, {}}), 32);
}

TEST(ShapeOfABatch, LeavesPaddingOut) {
  const BatchShape even = shape_of_pairs(false, tasks::ModelKind::kEncoder);
  const BatchShape uneven = shape_of_pairs(true, tasks::ModelKind::kEncoder);
  EXPECT_EQ(even.tokens, 8);
  EXPECT_NEAR(uneven.tokens, 8, 1);
  EXPECT_NEAR(uneven.scored, 8, 1);
  EXPECT_EQ(uneven.batch, 32);
}

TEST(ShapeOfABatch, CountsBothSidesOfAPair) {
  const BatchShape shape = shape_of_pairs(true, tasks::ModelKind::kEncoderDecoder);
  EXPECT_NEAR(shape.source_tokens, 8, 1);
  EXPECT_NEAR(shape.tokens, 9, 1) << "GO and all letters but END";
}

}  // namespace
}  // namespace layerlab::theory
