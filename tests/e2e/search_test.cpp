// Files with [search].

#include "tests/e2e/command_line.h"

namespace layerlab {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

// Of the four rates all up to 0.002 pass.
class SearchOnTheCommandLine : public CommandLine {
 protected:
  std::string search(const std::string& measure, const std::string& expect,
                     const std::string& passes = "final('lr') < 0.003") {
    return write("study.toml",
                 "[grid]\nseed = \"1..3\"\n"
                 "[search]\nkey = \"train.lr\"\nvalues = [1e-3, 2e-3, 4e-3, 8e-3]\npasses = \"" +
                     passes + "\"\n[[claim]]\nid = \"c\"\nmeasure = \"" + measure +
                     "\"\nexpect = \"" + expect + "\"\n");
  }
  std::ptrdiff_t runs() const {
    return std::distance(std::filesystem::directory_iterator(folder_ / "results/cells"), {});
  }
};

TEST_F(SearchOnTheCommandLine, FindsTheLargestValueThatPasses) {
  const Ended ended = with_results({"verify", search("found()", "0.0015 .. 0.0025")});
  EXPECT_EQ(ended.code, exit_code::kDone) << ended.errors;
  EXPECT_THAT(ended.output, AllOf(HasSubstr("0.002000 [0.002000, 0.002000]"),
                                  HasSubstr("CONFIRMED"), Not(HasSubstr("warning"))));
  EXPECT_EQ(runs(), 6) << "0.002 and 0.004 of each seed";
  const std::string cells = read_file(folder_ / "results/study/cells.txt");
  EXPECT_EQ(std::ranges::count(cells, '\n'), 6);
  EXPECT_THAT(cells, HasSubstr("  seed = 3  train.lr = 0.004\n"));
}

TEST_F(SearchOnTheCommandLine, TrainsNothingASecondTime) {
  const std::string file = search("found()", "0.0015 .. 0.0025");
  EXPECT_THAT(with_results({"run", file}).output, StartsWith("6 finished; "));
  const Ended again = with_results({"verify", file});
  EXPECT_EQ(again.code, exit_code::kDone);
  EXPECT_EQ(again.errors, "");
  EXPECT_EQ(with_results({"verify", (folder_ / "results/study").string()}).output, again.output);
}

TEST_F(SearchOnTheCommandLine, EndsWellWhereARungDiverged) {
  const std::string file = search("found()", "> 0");
  write_file_atomically(file, read_file(file) + "[quick.grid]\nseed = [14]\n");
  const Ended ended = with_results({"run", file, "--quick"});
  EXPECT_EQ(ended.code, exit_code::kDone);
  EXPECT_THAT(ended.output, HasSubstr(" diverged; listed in "));
}

TEST_F(SearchOnTheCommandLine, ExplainsWhatWasFound) {
  const std::string file = search("found()", "0.0015 .. 0.0025");
  EXPECT_THAT(with_results({"verify", file, "--explain", "c"}).output,
              HasSubstr("  seed 1  found 0.002  0.002\n"));
}

TEST_F(SearchOnTheCommandLine, WarnsAtTheHighestRungAndIsUndecidedBelowTheLowest) {
  EXPECT_THAT(with_results({"verify", search("found()", "> 0", "1")}).output,
              HasSubstr("warning: 3 of 3 runs pass at the highest rung, train.lr = 0.008"));
  const Ended none = with_results({"verify", search("found()", "> 0", "0")});
  EXPECT_EQ(none.code, exit_code::kUndecided);
  EXPECT_THAT(none.output, HasSubstr("no rung of train.lr passes"));
}

TEST_F(SearchOnTheCommandLine, SettlesClaimsByMoreSeeds) {
  const Ended ended =
      with_results({"verify", search("found() + final('loss')", "> 0.012"), "--settle"});
  EXPECT_EQ(ended.code, exit_code::kDone) << ended.errors;
  EXPECT_THAT(ended.errors, HasSubstr("stage 2: 1 undecided of 1; 6 runs\n"));
  EXPECT_EQ(runs(), 12);
}

TEST_F(SearchOnTheCommandLine, HasAQuickSizeAndOtherSeeds) {
  const std::string file = search("found()", "> 0");
  write_file_atomically(
      file, read_file(file) + "[quick.grid]\nseed = [2]\n[quick.search]\nvalues = [1e-3, 2e-3]\n");
  EXPECT_THAT(with_results({"run", file, "--quick"}).output, StartsWith("2 finished; "));
  EXPECT_THAT(read_file(folder_ / "results/study-quick/cells.txt"),
              HasSubstr("  seed = 2  train.lr = 0.002\n"));
  EXPECT_THAT(with_results({"run", file, "--seed-offset", "100"}).output,
              StartsWith("6 finished; "));
  EXPECT_THAT(read_file(folder_ / "results/study-seeds+100/cells.txt"),
              HasSubstr("  seed = 103  train.lr = 0.004\n"));
}

TEST_F(SearchOnTheCommandLine, SaysWhatItWillTakeAtMost) {
  const Ended ended = with_results({"run", "--dry-run", search("found()", "> 0")});
  EXPECT_EQ(ended.code, exit_code::kDone);
  EXPECT_THAT(ended.output,
              AllOf(HasSubstr("others differ in seed train.lr\n"),
                    HasSubstr("search     train.lr: 3 combinations, 4 values, at most 3 runs of "
                              "each\n           all of them at most about")));
}

TEST_F(SearchOnTheCommandLine, RefusesABrokenMeasureBeforeAnythingIsTrained) {
  const Ended ended = with_results({"run", search("found()", "> 0", "final('lr') <")});
  EXPECT_EQ(ended.code, exit_code::kUserError);
  EXPECT_THAT(ended.errors, HasSubstr("study.toml:6:11: the measure does not work"));
  EXPECT_FALSE(std::filesystem::exists(folder_ / "results"));
}

}  // namespace
}  // namespace layerlab
