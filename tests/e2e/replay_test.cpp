// A run that breaks, and its replay, with the real worker.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "core/exit_code.h"
#include "core/files.h"
#include "record/record.h"
#include "record/sqlite.h"
#include "tests/support/program.h"
#include "tests/support/temporary_folder.h"

namespace layerlab {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

class Replay : public ::testing::Test {
 protected:
  static Ended layerlab(std::vector<std::string> words) {
    words.insert(words.begin(), LAYERLAB_BINARIES "/layerlab");
    return run_program(words);
  }
  // Trains one small run and returns how that ended.
  Ended train(const std::vector<std::string>& settings) {
    std::vector<std::string> words = {"run",           "model.depth=2", "model.width=8",
                                      "model.ff=12",   "model.heads=2", "train.steps=40",
                                      "train.batch=2", "task.length=4", "--device",
                                      "cpu",           "--out",         folder_ / "results"};
    words.insert(words.begin() + 1, settings.begin(), settings.end());
    return layerlab(words);
  }
  std::string cell() const {
    return std::filesystem::directory_iterator(folder_ / "results/cells")->path();
  }

  TemporaryFolder folder_;
};

TEST_F(Replay, RepeatsAStepOfAFinishedRunBitForBit) {
  ASSERT_EQ(train({}).code, exit_code::kDone);
  const Ended ended = layerlab({"replay", cell(), "--step", "29"});
  EXPECT_EQ(ended.code, exit_code::kDone) << ended.errors;
  EXPECT_THAT(ended.output, AllOf(HasSubstr("  step 29, repeated on cpu\n"),
                                  HasSubstr("  equal to the record bit for bit: loss "),
                                  HasSubstr("\nstep 29\nlayer"), HasSubstr("\n    1  ")));
  EXPECT_THAT(ended.errors, HasSubstr("repeating steps 0 to 29\n"));
  const record::Reader reader(cell() + "/replay/step-29/record.db");
  EXPECT_EQ(reader.numbers("SELECT DISTINCT step FROM scalar UNION SELECT step FROM site").size(),
            1u);
}

TEST_F(Replay, RefusesAManifestsAbsurdNumberOfThreads) {
  ASSERT_EQ(train({}).code, exit_code::kDone);
  std::string manifest = read_file(cell() + "/manifest.json");
  const std::string threads = "\"threads\": ";
  const std::size_t at = manifest.find(threads) + threads.size();
  write_file_atomically(cell() + "/manifest.json", manifest.insert(at, "1000000"));
  const Ended ended = layerlab({"replay", cell(), "--step", "3"});
  EXPECT_EQ(ended.code, exit_code::kUserError);
  EXPECT_THAT(ended.errors,
              AllOf(HasSubstr("manifest.json: expected threads"), HasSubstr("--threads")));
}

TEST_F(Replay, KeepsFilesThatAreNoRecordsOfAStep) {
  ASSERT_EQ(train({}).code, exit_code::kDone);
  const std::string notes = folder_ / "notes.txt", link = folder_ / "link.db";
  write_file_atomically(notes, "mine");
  std::filesystem::create_symlink(cell() + "/record.db", link);
  const std::string before = read_file(cell() + "/record.db");
  for (const std::string& record : {notes, link}) {
    const Ended ended = layerlab({"replay", cell(), "--step", "3", "--record", record});
    EXPECT_EQ(ended.code, exit_code::kUserError);
    EXPECT_THAT(ended.errors, HasSubstr("name another file with --record"));
  }
  EXPECT_EQ(read_file(notes), "mine");
  EXPECT_EQ(read_file(cell() + "/record.db"), before);
  EXPECT_TRUE(std::filesystem::is_symlink(link));
}

// Every table has rows of the step: scalars, analyses, sites, parameters, dependency.
TEST_F(Replay, RepeatsEverythingThatWasMeasured) {
  ASSERT_EQ(train({"probe.schedule=every", "probe.every=3",
                   "probe.analyses=[\"amplification\", \"sharpness\", \"adam_sharpness\", "
                   "\"jacobian_sv\", \"dependency\"]"})
                .code,
            exit_code::kDone);
  const record::Reader reader(cell() + "/record.db");
  ASSERT_EQ(reader
                .numbers("SELECT 1 FROM scalar WHERE step = 6 AND name IN ('amplification', "
                         "'sharpness', 'adam_sharpness', 'jacobian_sv')")
                .size(),
            4u);
  for (const std::string table : {"site", "param", "dependency"}) {
    ASSERT_FALSE(reader.numbers("SELECT 1 FROM " + table + " WHERE step = 6").empty()) << table;
  }
  const Ended ended = layerlab({"replay", cell(), "--step", "6"});
  EXPECT_EQ(ended.code, exit_code::kDone) << ended.output << ended.errors;
  EXPECT_THAT(ended.output, HasSubstr("  equal to the record bit for bit: "));
}

TEST_F(Replay, NamesAnAnalysisThatIsNotRepeated) {
  ASSERT_EQ(train({}).code, exit_code::kDone);
  record::execute(record::open_database(cell() + "/record.db", record::OpenMode::kExisting).get(),
                  "INSERT INTO scalar VALUES (39, 'unheard_of', 1)");
  const Ended ended = layerlab({"replay", cell(), "--step", "39"});
  EXPECT_EQ(ended.code, exit_code::kNotAsExpected);
  EXPECT_THAT(ended.output, HasSubstr("NOT equal to the record: unheard_of was not repeated"));
}

TEST_F(Replay, SaysSoWhereTheNumbersAreOthers) {
  ASSERT_EQ(train({}).code, exit_code::kDone);
  record::execute(record::open_database(cell() + "/record.db", record::OpenMode::kExisting).get(),
                  "UPDATE scalar SET value = 1 WHERE step = 39 AND name = 'grad_norm'");
  const Ended ended = layerlab({"replay", cell(), "--step", "39"});
  EXPECT_EQ(ended.code, exit_code::kNotAsExpected);
  EXPECT_THAT(ended.output, HasSubstr("NOT equal to the record: grad_norm "));
}

TEST_F(Replay, TellsWhereARunBroke) {
  const Ended run = train({"model.block=post_ln", "train.lr=1e30"});
  ASSERT_EQ(run.code, exit_code::kDiverged) << run.errors;
  const Ended shown = layerlab({"show", cell()});
  EXPECT_THAT(shown.output, AllOf(HasSubstr("  diverged: the loss is nan"),
                                  HasSubstr("  non_finite_activation: forward, layer 0, attn, ")));
  const Ended ended =
      layerlab({"replay", cell(), "--step", "1", "--record", folder_ / "replayed/step.db"});
  EXPECT_EQ(ended.code, exit_code::kDone) << ended.errors;
  EXPECT_THAT(ended.output, AllOf(HasSubstr("equal to the record bit for bit: loss nan"),
                                  HasSubstr("  non_finite_activation: forward, layer 0, attn, "),
                                  HasSubstr((folder_ / "replayed/step.db").string())));
}

TEST_F(Replay, RefusesWhatItCannotDoInOneLine) {
  ASSERT_EQ(train({}).code, exit_code::kDone);
  Ended ended = layerlab({"replay", cell(), "--step", "40"});
  EXPECT_EQ(ended.code, exit_code::kUserError);
  EXPECT_EQ(ended.errors, "layerlab: --step: expected a step on record, 0 to 39, got 40\n");
  EXPECT_EQ(layerlab({"replay", cell(), "--step", "-1"}).code, exit_code::kUserError);

  ended = layerlab({"replay", cell(), "--step", "3", "--record", cell() + "/record.db"});
  EXPECT_EQ(ended.code, exit_code::kUserError);
  EXPECT_THAT(ended.errors, HasSubstr("is the place of a run"));
  EXPECT_THAT(layerlab({"show", cell()}).output, HasSubstr(" at step 39\n")) << "still there";
}

TEST_F(Replay, ReplacesNoFileThatIsNoRecord) {
  ASSERT_EQ(train({}).code, exit_code::kDone);
  const std::filesystem::path notes = folder_ / "notes.txt";
  write_file_atomically(notes, "mine");
  const Ended ended = layerlab({"replay", cell(), "--step", "3", "--record", notes});
  EXPECT_EQ(ended.code, exit_code::kUserError);
  EXPECT_THAT(ended.errors, HasSubstr(notes.string()));
  EXPECT_EQ(read_file(notes), "mine");
}

TEST_F(Replay, TakesTheResultsFolderAsOtherCommandsDo) {
  ASSERT_EQ(train({}).code, exit_code::kDone);
  const std::string id = std::filesystem::path(cell()).filename().string();
  const Ended ended =
      layerlab({"replay", id.substr(0, 8), "--step", "3", "--out", folder_ / "results"});
  EXPECT_EQ(ended.code, exit_code::kDone) << ended.errors;
}

// As experiments/demo claims of it. The last step is measured.
TEST_F(Replay, SixPostLnBlocksWithoutWarmupAreToldToStall) {
  const Ended ended = layerlab({"run", "model.block=post_ln", "train.lr=1e-2", "train.steps=129",
                                "--device", "cpu", "--out", folder_ / "results"});
  ASSERT_EQ(ended.code, exit_code::kDone) << ended.errors;
  EXPECT_THAT(layerlab({"show", cell()}).output,
              HasSubstr("  step 128  stall: forward, layer 5, ff, out: tokens have collapsed"));
}

TEST_F(Replay, NothingIsRaisedOfRunsThatLearn) {
  const Ended ended =
      layerlab({"run", "task.length=8", "task.symbols=8", "train.lr=1e-2", "train.steps=300",
                "train.batch=16", "model.width=16", "model.ff=32", "grid.seed=1..2", "--device",
                "cpu", "--out", folder_ / "results"});
  ASSERT_EQ(ended.code, exit_code::kDone) << ended.errors;
  for (const auto& run : std::filesystem::directory_iterator(folder_ / "results/cells")) {
    const record::Reader reader(run.path() / "record.db");
    EXPECT_THAT(reader.strings("SELECT kind FROM event"), ::testing::IsEmpty());
  }
}

}  // namespace
}  // namespace layerlab
