#include "config/origin.h"
#include "config/identity.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "config/experiment.h"
#include "core/files.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/user_error.h"

namespace layerlab::config {
namespace {

using ::testing::HasSubstr;

class OriginFile : public ::testing::Test {
 protected:
  Experiment load(const std::string& text) {
    write_file_atomically(folder_ / "study.toml", text);
    return load_experiment((folder_ / "study.toml").string());
  }
  std::string loading(const std::string& text) {
    const std::string path = (folder_ / "study.toml").string();
    const std::string message = refusal([&] { load(text); });
    return message.starts_with(path) ? "study.toml" + message.substr(path.size()) : message;
  }

  TemporaryFolder folder_;
};

const std::string kStudy = R"toml([train]
steps = 1
[grid]
"model.block" = ["post_ln", "pre_ln"]
seed = [1, 2]
[origin]
model.block = "pre_ln"
train.steps = 400
)toml";

TEST_F(OriginFile, IsOneRunOfEachSeed) {
  const Experiment experiment = load(kStudy);
  ASSERT_EQ(experiment.cells.size(), 4u);
  ASSERT_EQ(experiment.origins.size(), 2u);  // whatever the block is later
  const Cell &origin = experiment.origins[1], &last = experiment.cells[3];
  EXPECT_EQ(origin.config.seed, 2u);
  EXPECT_EQ(origin.config.train.steps, 400);
  EXPECT_EQ(origin.config.block.name, "pre_ln");
  EXPECT_EQ(last.config.model.init_from, "cell:" + origin.id);
  EXPECT_EQ(experiment.cells[1].config.block.name, "post_ln");
  EXPECT_EQ(experiment.cells[1].config.model.init_from, last.config.model.init_from);
  // The origin is the run that anybody else would train with these settings.
  EXPECT_EQ(origin.id, load("seed = 2\n").cells[0].id);
}

TEST_F(OriginFile, MakesAnotherRunOfTheSameSettings) {
  const Experiment experiment = load(kStudy);
  const Experiment plain = load(kStudy.substr(0, kStudy.find("[origin]")));
  EXPECT_NE(experiment.cells[0].id, plain.cells[0].id);
  // Which of them can train together does not depend on whose weights they begin with.
  EXPECT_EQ(pack_key(experiment.cells[0].config), pack_key(experiment.cells[1].config));
  EXPECT_NE(pack_key(experiment.cells[0].config), pack_key(plain.cells[0].config));
}

TEST_F(OriginFile, IsSaidByTheResolvedFileToo) {
  const Experiment experiment = load(kStudy), again = load(experiment.resolved_text);
  ASSERT_EQ(again.cells.size(), 4u);
  EXPECT_EQ(again.cells[3].id, experiment.cells[3].id);
}

TEST_F(OriginFile, IsNamedByAnIdThatLeadsToNoOtherFolder) {
  for (const std::string id : {"../../etc", "3f9c1a", "..", "ABCDEF", ""}) {
    EXPECT_THAT(loading("model.init_from = 'cell:" + id + "'\n"),
                testing::ContainsRegex("^study.toml:1:.*expected cell:ID with the 32 hex digits"))
        << id;
  }
}

TEST_F(OriginFile, RefusesWhatIsNoOtherRun) {
  EXPECT_EQ(loading("[origin]\nseed = 3\n"),
            "study.toml:2:1: [origin] cannot set the seed: it is that of the run; remove it");
  EXPECT_EQ(loading("[origin]\ntrain.step = 3\n"),
            "study.toml:2:7: unknown key train.step; did you mean 'train.steps'?");
  EXPECT_THAT(loading("[search]\nkey = 'train.lr'\nvalues = [1, 2]\npasses = '1'\n[origin]\n"
                      "train.steps = 3\n"),
              HasSubstr("[origin] and [search] cannot go together"));
  EXPECT_THAT(
      loading("model.init_from = 'cell:" + std::string(32, 'a') + "'\n[origin]\ntrain.steps = 3\n"),
      HasSubstr("[origin] and model.init_from cannot go together"));
}

}  // namespace
}  // namespace layerlab::config
