// Results that earlier versions left behind (tests/golden_results): every later version reads them,
// resumes what was interrupted and judges them as they were, and trains nothing twice.

#include <algorithm>
#include <cmath>
#include <map>
#include <sstream>

#include "record/record.h"
#include "tests/e2e/command_line.h"

namespace layerlab {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;
using ::testing::StartsWith;

// A copy of one version's folder, and the programs as they are built.
class GoldenResults : public testing::TestWithParam<std::string> {
 protected:
  GoldenResults() {
    fs::copy(fs::path(LAYERLAB_GOLDEN_RESULTS) / GetParam(), folder_.path(),
             fs::copy_options::recursive);
  }
  Ended layerlab(std::vector<std::string> words, const std::string& results = "results") const {
    words.insert(words.begin(), LAYERLAB_BINARIES "/layerlab");
    words.insert(words.end(), {"--out", (folder_ / results).string()});
    return run_program(words);
  }
  std::string file(const std::string& name) const { return (folder_ / name).string(); }
  // The experiments, but the one whose run was interrupted.
  std::vector<std::string> finished_experiments() const {
    std::vector<std::string> files;
    for (const fs::path& path : sorted_entries(folder_.path(), ".toml")) {
      if (path.stem() != "interrupted") files.push_back(path.string());
    }
    return files;
  }
  std::vector<fs::path> cells() const { return sorted_entries(folder_ / "results/cells"); }
  // What the records hold, and when they were written last.
  std::map<fs::path, std::pair<std::string, fs::file_time_type>> records() const {
    std::map<fs::path, std::pair<std::string, fs::file_time_type>> result;
    for (const fs::path& cell : cells()) {
      const fs::path record = cell / "record.db";
      if (fs::exists(cell / "done")) {
        result[record] = {read_file(record), fs::last_write_time(record)};
      }
    }
    return result;
  }
  // The interrupted run's folder in `results`.
  fs::path interrupted(const std::string& results = "results") const {
    const std::string lines = read_file(folder_ / (results + "/interrupted/cells.txt"));
    return folder_ / (results + "/cells/" + lines.substr(0, lines.find_first_of(" \n")));
  }

  TemporaryFolder folder_;
};

// The lines of verdicts.json that say what was judged, and what came out.
std::vector<std::string> verdicts(const fs::path& path) {
  std::vector<std::string> result;
  std::istringstream lines(read_file(path));
  for (std::string line; std::getline(lines, line);) {
    for (const char* const key : {"\"id\":", "\"verdict\":", "\"estimate\":", "\"low\":"}) {
      if (line.find(key) != std::string::npos) result.push_back(line);
    }
  }
  return result;
}

TEST_P(GoldenResults, AreListedAndShown) {
  const Ended list = layerlab({"ls"});
  EXPECT_EQ(list.code, exit_code::kDone);
  EXPECT_EQ(list.errors, "");
  EXPECT_EQ(std::ranges::count(list.output, '\n'), 1 + std::ssize(cells()));
  EXPECT_THAT(list.output, ::testing::Not(HasSubstr("damaged")));
  for (const char* const state : {"finished", "diverged", "begun"}) {
    EXPECT_THAT(list.output, HasSubstr(state));
  }
  for (const fs::path& cell : cells()) {
    const Ended shown = layerlab({"show", cell.filename()});
    EXPECT_EQ(shown.code, exit_code::kDone) << shown.errors;
    EXPECT_THAT(shown.output, HasSubstr("loss")) << cell;
  }
}

TEST_P(GoldenResults, AreNotTrainedAgain) {
  const auto before = records();
  ASSERT_GT(before.size(), 10u);
  for (const std::string& experiment : finished_experiments()) {
    const Ended ended = layerlab({"run", experiment});
    const bool diverges = fs::path(experiment).stem() == "diverged";
    EXPECT_EQ(ended.code, diverges ? exit_code::kDiverged : exit_code::kDone) << ended.errors;
    EXPECT_THAT(ended.output, ::testing::Not(HasSubstr("unfinished"))) << experiment;
  }
  EXPECT_EQ(records(), before);
}

TEST_P(GoldenResults, AreJudgedAsTheyWereWithoutTraining) {
  const auto before = records();
  int judged = 0;
  for (const std::string& experiment : finished_experiments()) {
    const fs::path file = folder_ / "results" / fs::path(experiment).stem() / "verdicts.json";
    if (!fs::exists(file)) continue;
    const std::vector<std::string> golden = verdicts(file);
    ASSERT_GE(golden.size(), 4u);
    EXPECT_THAT(layerlab({"verify", experiment}).code,
                ::testing::AnyOf(exit_code::kDone, exit_code::kUndecided));
    EXPECT_EQ(verdicts(file), golden);
    ++judged;
  }
  EXPECT_GE(judged, 2);
  EXPECT_EQ(records(), before);
}

// Runs are bit-equal within one build and on one kind of processor, and these come from others: so
// the numbers need only be near.
TEST_P(GoldenResults, GoOnWhereTheyWereInterrupted) {
  const auto numbers = [](const fs::path& cell, const std::string& sql) {
    return record::Reader(cell / "record.db").numbers(sql);
  };
  const auto steps = [&](const fs::path& cell) {
    return numbers(cell, "SELECT step FROM scalar WHERE name = 'loss' ORDER BY step");
  };
  const std::size_t begun = steps(interrupted()).size();
  const std::string first = "SELECT step, value FROM scalar WHERE step < 10 ORDER BY step, name";
  const auto kept = numbers(interrupted(), first);
  const Ended resumed = layerlab({"run", file("interrupted.toml")});
  EXPECT_THAT(resumed.output, StartsWith("1 finished")) << resumed.errors;
  layerlab({"run", file("interrupted.toml")}, "fresh");
  const fs::path fresh = interrupted("fresh");
  EXPECT_EQ(fresh.filename(), interrupted().filename());
  EXPECT_LT(begun, steps(fresh).size());
  EXPECT_EQ(steps(interrupted()), steps(fresh));
  EXPECT_EQ(numbers(interrupted(), first), kept);
  for (const char* const table : {"SELECT step, value FROM scalar ORDER BY step, name",
                                  "SELECT step, value FROM layer WHERE value IS NOT NULL "
                                  "ORDER BY step, layer, sublayer, site, quantity"}) {
    const auto got = numbers(interrupted(), table), expected = numbers(fresh, table);
    ASSERT_EQ(got.size(), expected.size());
    for (std::size_t i = 0; i < got.size(); ++i) {
      ASSERT_EQ(got[i][0], expected[i][0]);
      EXPECT_NEAR(got[i][1], expected[i][1], 1e-6 * (1 + std::abs(expected[i][1])));
    }
  }
}

// An earlier version might have named them so.
TEST_P(GoldenResults, GetTheirNamesFromMigrate) {
  const std::vector<fs::path> before = cells();
  const auto earlier = [](const fs::path& cell) {
    std::string name = cell.filename();
    std::ranges::reverse(name);
    return name;
  };
  for (const fs::path& cell : before) {
    for (const fs::path& other : before) {  // those that begin with its weights
      std::string text = read_file(other / "config.toml");
      const std::size_t at = text.find("cell:" + cell.filename().string());
      if (at == std::string::npos) continue;
      text.replace(at + 5, earlier(cell).size(), earlier(cell));
      write_file_atomically(other / "config.toml", text);
    }
  }
  for (const fs::path& cell : before) fs::rename(cell, cell.parent_path() / earlier(cell));
  EXPECT_THAT(layerlab({"ls"}).errors, HasSubstr("layerlab migrate"));
  EXPECT_THAT(layerlab({"migrate", "--dry-run"}).output, HasSubstr("to rename"));
  EXPECT_NE(cells(), before);
  const Ended ended = layerlab({"migrate"});
  EXPECT_EQ(ended.code, exit_code::kDone) << ended.errors;
  EXPECT_EQ(cells(), before);
  EXPECT_THAT(layerlab({"run", file("origin.toml")}).output, StartsWith("2 finished"));
}

INSTANTIATE_TEST_SUITE_P(Of, GoldenResults, testing::Values("08cf1ab"),
                         [](const auto& info) { return "commit_" + info.param; });

}  // namespace
}  // namespace layerlab
