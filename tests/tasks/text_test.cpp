#include <gmock/gmock.h>

#include <cmath>
#include <set>

#include "core/files.h"
#include "core/hash.h"
#include "tests/support/example.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/user_error.h"

namespace layerlab::tasks {
namespace {

class Text : public testing::Test {
 protected:
  Request of(const std::string& text, int length = 4) const {
    write_file_atomically(folder / "a.txt", text);
    return request("text", ModelKind::kDecoder, [&](TaskConfig& t) {
      t.path = folder / "a.txt";
      t.length = length;
      t.train_fraction = 0.75;
    });
  }
  // What the line says behind the path.
  std::string refused(const Request& request) const {
    const std::string line = refusal([&] { make_task(request); });
    const std::string path = (folder / "a.txt").string() + ": ";
    return line.starts_with(path) ? line.substr(path.size()) : line;
  }

  TemporaryFolder folder;
};

TEST_F(Text, AsksForTheNextByte) {
  const auto task = make_task(of("0123456789abcdef\r\nxyz\xc3\xa4"));
  EXPECT_EQ(task->shape().vocabulary, 256);
  for (const Split split : {Split::kTraining, Split::kHeldOut}) {
    for (const Example& example : examples(*task, 20, split)) {
      EXPECT_EQ(part(example.inputs, 1, 4), part(example.targets, 0, 3));
    }
  }
}

TEST_F(Text, HoldsOutItsEnd) {
  const auto task = make_task(of("aaaaaaaaaaaaaaabbbbb"));
  for (const Example& example : examples(*task, 50)) EXPECT_EQ(example.targets, Ids(4, 'a'));
  for (const Example& example : examples(*task, 50, Split::kHeldOut)) {
    EXPECT_EQ(example.inputs, Ids(4, 'b'));
    EXPECT_EQ(example.targets, Ids(4, 'b'));
  }
  EXPECT_EQ(task->shape().chance_loss, 0);
}

TEST_F(Text, ReachesEveryPlaceOfAPart) {
  const auto task = make_task(of("0123456789abcdeXXXXX"));
  std::set<std::int64_t> first;
  for (const Example& example : examples(*task, 300)) first.insert(example.inputs[0]);
  const std::string all = "0123456789a";
  EXPECT_EQ(first, std::set<std::int64_t>(all.begin(), all.end()));
}

TEST_F(Text, RefusesFilesThatCannotBeLearnt) {
  EXPECT_EQ(refused(of("")), "is empty");
  EXPECT_EQ(refused(of("0123456789abcdef", 4)),
            "its held-out part of 4 bytes is shorter than task.length + 1 = 5; take a longer text, "
            "a smaller task.length or another task.train_fraction");
  EXPECT_EQ(refused(of(std::string("a\0b", 3))),
            "is no text: it holds NUL bytes; convert it to UTF-8");
}

TEST_F(Text, RefusesWhatIsNoFile) {
  Request nothing = of("a");
  nothing.task.path = "";
  EXPECT_EQ(refusal([&] { make_task(nothing); }),
            "task.name = \"text\" needs task.path, the file to learn; "
            "write for example path = \"corpus.txt\"");
  nothing.task.path = folder.path();
  EXPECT_THAT(refusal([&] { make_task(nothing); }),
              testing::EndsWith(": cannot be read: it is a folder"));
  nothing.task.path = folder / "missing.txt";
  EXPECT_THAT(refusal([&] { make_task(nothing); }),
              testing::EndsWith("missing.txt: cannot be read: No such file or directory"));
}

TEST_F(Text, KnowsItsContentAndRefusesAnother) {
  const std::string text = "0123456789abcdef01234567";
  Request request = of(text);
  EXPECT_EQ(make_task(request)->content(), hash_hex(text));
  request.task.content = hash_hex(text);
  EXPECT_EQ(make_task(request)->content(), hash_hex(text));
  of(text + "more");
  EXPECT_EQ(refused(request),
            "is not what the run was configured with: its hash is not task.content; restore the "
            "file, or remove task.content to train on it as it is");
}

TEST_F(Text, NeedsADecoder) {
  Request request = of("0123456789abcdef01234567");
  request.kind = ModelKind::kEncoder;
  EXPECT_EQ(refused(request),
            "task.name = \"text\" needs a decoder: any other model would see the next byte; write "
            "model.kind = \"decoder\"");
}

}  // namespace
}  // namespace layerlab::tasks
