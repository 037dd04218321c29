// The command line as people meet it, with a worker that trains nothing
// (tests/support/fake_worker.cpp).

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <csignal>

#include "config/experiment.h"
#include "core/exit_code.h"
#include "core/files.h"
#include "tests/support/program.h"
#include "tests/support/temporary_folder.h"

namespace layerlab {
namespace {

using ::testing::AllOf;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

class CommandLine : public ::testing::Test {
 protected:
  Ended layerlab(std::vector<std::string> words,
                 const std::function<void(sweep::Process&, const std::string&)>& watch = {}) {
    words.insert(words.begin(), LAYERLAB_BINARIES "/layerlab");
    return run_program(words, {std::string("LAYERLAB_WORKER=") + FAKE_WORKER}, watch);
  }
  // The same for commands that know --out.
  Ended with_results(std::vector<std::string> words,
                     const std::function<void(sweep::Process&, const std::string&)>& watch = {}) {
    words.insert(words.end(), {"--out", (folder_ / "results").string()});
    return layerlab(words, watch);
  }
  std::string write(const std::string& name, const std::string& text) {
    write_file_atomically(folder_ / name, text);
    return (folder_ / name).string();
  }
  std::string experiment(const std::string& claims) {
    return write("study.toml",
                 "[grid]\n\"model.block\" = [\"post_ln\", \"pre_ln\"]\nseed = \"1..3\"\n" + claims);
  }
  static std::string claim(const std::string& where, const std::string& expect) {
    return "[[claim]]\nid = \"c\"\nwhere = { \"model.block\" = \"" + where +
           "\" }\nmeasure = \"final('loss') / chance_loss()\"\nexpect = \"" + expect + "\"\n";
  }

  TemporaryFolder folder_;
};

TEST_F(CommandLine, AlonePrintsHelp) {
  const Ended ended = layerlab({});
  EXPECT_EQ(ended.code, exit_code::kDone);
  EXPECT_THAT(ended.output, AllOf(HasSubstr("run "), HasSubstr("verify "), HasSubstr("doctor ")));
}

TEST_F(CommandLine, SaysWhatARunWillTakeWithoutTrainingIt) {
  const Ended ended = with_results({"run", "--dry-run", "train.schedule=cosine", "train.warmup=40",
                                    "model.depth=2", "--seeds", "3"});
  EXPECT_EQ(ended.code, exit_code::kDone);
  EXPECT_THAT(ended.output,
              AllOf(HasSubstr("schedule = \"cosine\""), HasSubstr("others differ in seed\n"),
                    HasSubstr("learning rate: 7.5e-05 at step 0"), HasSubstr("█"),
                    HasSubstr("27024 parameters, 25472 of them in blocks"),
                    HasSubstr("3 runs     0 done, 3 to train")));
  EXPECT_FALSE(std::filesystem::exists(folder_ / "results"));
}

TEST_F(CommandLine, ListsTasks) {
  EXPECT_THAT(layerlab({"tasks"}).output,
              AllOf(StartsWith("copy "), HasSubstr("\nlinear_regression  tell y")));
}

TEST_F(CommandLine, ShowsATaskByExamples) {
  const Ended ended = layerlab({"tasks", "modular", "task.modulus=7", "task.operation=/"});
  EXPECT_EQ(ended.code, exit_code::kDone);
  EXPECT_THAT(ended.output,
              AllOf(HasSubstr("task.operation = \"/\""),
                    HasSubstr("\ndecoder: 4 tokens of 9 ids, 7 classes, chance loss 1.946\n"
                              "  Inputs   "),
                    HasSubstr("\n  Targets  . . . ")));
  EXPECT_EQ(layerlab({"tasks", "modulr"}).code, exit_code::kUserError);
}

TEST_F(CommandLine, ShowsExamplesOfOnesOwnFile) {
  const std::string path = write("corpus.txt", std::string(400, 'a') + "\n");
  EXPECT_THAT(layerlab({"tasks", "text"}).output, HasSubstr("layerlab tasks text task.path=FILE"));
  EXPECT_THAT(layerlab({"tasks", "text", "task.path=" + path, "task.length=3"}).output,
              AllOf(HasSubstr("\n  Inputs   a a a\n  Targets  a a a\n"),
                    HasSubstr("\nencoder: not possible. task.name = \"text\" needs a decoder")));
}

TEST_F(CommandLine, KnowsItsVersion) {
  EXPECT_THAT(layerlab({"--version"}).output, StartsWith("layerlab 0."));
}

TEST_F(CommandLine, RefusesUnknownCommandsInOneLine) {
  const Ended ended = layerlab({"verfiy", "x"});
  EXPECT_EQ(ended.code, exit_code::kUserError);
  EXPECT_EQ(ended.errors, "layerlab: unknown command verfiy; did you mean 'verify'?\n");
}

TEST_F(CommandLine, RefusesUnknownOptionsInOneLine) {
  const Ended ended = layerlab({"run", "--sedes", "3"});
  EXPECT_EQ(ended.code, exit_code::kUserError);
  EXPECT_EQ(std::ranges::count(ended.errors, '\n'), 1);
  EXPECT_THAT(ended.errors, AllOf(StartsWith("layerlab: "), HasSubstr("--sedes")));
}

TEST_F(CommandLine, RefusesAMistakeOfTheUserInOneLine) {
  const Ended ended = with_results({"run", "train.lrr=1"});
  EXPECT_EQ(ended.code, exit_code::kUserError);
  EXPECT_EQ(ended.errors,
            "layerlab: command line: unknown key train.lrr; did you mean 'train.lr'?\n");
  EXPECT_FALSE(std::filesystem::exists(folder_ / "results"));
}

TEST_F(CommandLine, PointsIntoTheUsersFile) {
  const std::string file = write("own.toml", "[block]\nequation = \"x + F(LM(x))\"\n");
  const Ended ended = with_results({"run", file});
  EXPECT_EQ(ended.code, exit_code::kUserError);
  EXPECT_THAT(ended.errors, AllOf(StartsWith("layerlab: " + file + ":2:19: "),
                                  HasSubstr("x + F(LM(x))\n"), HasSubstr("      ^")));
}

TEST_F(CommandLine, RunsTheDefaultsWithoutAFile) {
  const Ended ended = with_results({"run"});
  EXPECT_EQ(ended.code, exit_code::kDone);
  EXPECT_EQ(ended.output,
            "1 finished; listed in " + (folder_ / "results/run/cells.txt").string() + "\n");
}

TEST_F(CommandLine, RunsAnExperimentWithOverridesInAnyOrder) {
  const Ended ended = with_results({"run", "train.steps=7", experiment(""), "--seeds", "2"});
  EXPECT_EQ(ended.code, exit_code::kDone);
  EXPECT_THAT(ended.output, StartsWith("4 finished"));
  const std::string name =
      config::load_experiment(folder_ / "study.toml", {"train.steps=7"}, 2).name;
  EXPECT_THAT(read_file(folder_ / ("results/" + name) / "experiment.toml"),
              HasSubstr("steps = 7\n"));
}

TEST_F(CommandLine, DoesNotTrainWhatIsDone) {
  with_results({"run", "grid.seed=1..2"});
  const Ended ended = with_results({"run", "grid.seed=1..2"});
  EXPECT_THAT(ended.output, StartsWith("2 finished"));
  EXPECT_EQ(ended.errors, "");
}

TEST_F(CommandLine, SaysThatARunDiverged) {
  const Ended ended = with_results({"run", "grid.seed=[1, 14]"});
  EXPECT_EQ(ended.code, exit_code::kDiverged);
  EXPECT_THAT(ended.output, StartsWith("1 finished, 1 diverged; "));
  EXPECT_THAT(ended.errors, HasSubstr("warning: cell "));
}

TEST_F(CommandLine, SurvivesACrashOfItsWorker) {
  const Ended ended = with_results({"run", "grid.seed=[1, 13]", "--replicas", "1"});
  EXPECT_EQ(ended.code, exit_code::kOurBug);
  EXPECT_THAT(ended.output, StartsWith("1 finished, 1 unfinished; "));
  EXPECT_THAT(ended.errors,
              AllOf(HasSubstr("signal 6"), HasSubstr("and memory"), HasSubstr("please report")));
}

TEST_F(CommandLine, PassesOnAMistakeThatOnlyTheWorkerSees) {
  const Ended ended = with_results({"run", "seed=16"});
  EXPECT_EQ(ended.code, exit_code::kUserError);
  EXPECT_THAT(ended.errors, HasSubstr("cannot be trained; train another\n"));
}

TEST_F(CommandLine, SaysThatItWasInterruptedAndCanGoOn) {
  const Ended ended =
      with_results({"run", "seed=15"}, [](sweep::Process& process, const std::string& errors) {
        // Once, when the worker is known to be at work.
        if (errors.ends_with("cells 0/1\n")) process.send(SIGINT);
      });
  EXPECT_EQ(ended.code, exit_code::kInterrupted);
  EXPECT_THAT(ended.errors, HasSubstr("the same command goes on with 1 unfinished run\n"));
}

TEST_F(CommandLine, PrintsResultsOnlyWhenQuiet) {
  const Ended ended = with_results({"run", "--quiet"});
  EXPECT_THAT(ended.output, StartsWith("1 finished"));
  EXPECT_EQ(ended.errors, "");
}

TEST_F(CommandLine, PrintsWhatWorkersSayWhenVerbose) {
  EXPECT_THAT(with_results({"run", "--verbose"}).errors,
              HasSubstr("debug: worker: a library's notice\n"));
  EXPECT_THAT(with_results({"run", "seed=2"}).errors, Not(HasSubstr("notice")));
}

TEST_F(CommandLine, VerifiesClaims) {
  const std::string file = experiment(claim("pre_ln", "< 0.1"));
  const Ended ended = with_results({"verify", file});
  EXPECT_EQ(ended.code, exit_code::kDone);
  EXPECT_THAT(ended.output,
              AllOf(HasSubstr("CONFIRMED"), HasSubstr((folder_ / "results/study").string())));
  EXPECT_THAT(read_file(folder_ / "results/study/verdicts.json"), HasSubstr("\"confirmed\""));
}

TEST_F(CommandLine, VerifiesWhatAResultsFolderHolds) {
  with_results({"run", experiment(claim("pre_ln", "< 0.1"))});
  const Ended ended = with_results({"verify", (folder_ / "results/study").string()});
  EXPECT_EQ(ended.code, exit_code::kDone);
  EXPECT_EQ(ended.errors, "");
}

TEST_F(CommandLine, SaysByItsExitCodeThatAClaimIsNotAsExpected) {
  EXPECT_EQ(with_results({"verify", experiment(claim("post_ln", "< 0.1"))}).code,
            exit_code::kNotAsExpected);
}

TEST_F(CommandLine, SaysByItsExitCodeThatAClaimIsUndecided) {
  // The fake worker's losses have a mean of 1.0 of chance, give or take the seeds'.
  EXPECT_EQ(with_results({"verify", experiment(claim("post_ln", "> 0.9998"))}).code,
            exit_code::kUndecided);
}

TEST_F(CommandLine, ExplainsAVerdict) {
  const std::string file = experiment(claim("pre_ln", "< 0.1"));
  const Ended ended = with_results({"verify", file, "--explain", "c"});
  EXPECT_EQ(ended.code, exit_code::kDone);
  EXPECT_THAT(ended.output, AllOf(StartsWith("c\n  measure    final('loss') / chance_loss()\n"),
                                  HasSubstr("seed 3"), HasSubstr("verdict    confirmed")));
  EXPECT_EQ(with_results({"verify", file, "--explain", "d"}).errors,
            "layerlab: " + file + ": has no claim d; known: c\n");
}

TEST_F(CommandLine, AddsSeedsUntilClaimsAreSettled) {
  const std::string file = experiment(claim("post_ln", "> 0.999"));
  EXPECT_EQ(with_results({"verify", file}).code, exit_code::kUndecided);
  const Ended ended = with_results({"verify", file, "--settle"});
  EXPECT_EQ(ended.code, exit_code::kDone);
  EXPECT_THAT(ended.output, AllOf(HasSubstr("98.75%"), HasSubstr("CONFIRMED")));
  EXPECT_THAT(ended.errors, HasSubstr("look 2: 1 undecided of 1; 6 runs\n"));
  EXPECT_THAT(ended.errors, Not(HasSubstr("look 3")));
  EXPECT_EQ(with_results({"verify", file, "--settle"}).output, ended.output);
}

TEST_F(CommandLine, StopsSettlingWhenTheBudgetIsSpentAndGoesOnLater) {
  const std::string file = experiment(claim("post_ln", "> 0.999"));
  const Ended stopped = with_results({"verify", file, "--settle", "--budget", "0s"});
  EXPECT_EQ(stopped.code, exit_code::kUndecided);
  EXPECT_THAT(stopped.errors, HasSubstr("the same command goes on with this look\n"));
  EXPECT_EQ(with_results({"verify", file, "--settle"}).code, exit_code::kDone);
}

TEST_F(CommandLine, RefusesToVerifyWithoutClaims) {
  const std::string file = experiment("");
  const Ended ended = with_results({"verify", file});
  EXPECT_EQ(ended.code, exit_code::kUserError);
  EXPECT_EQ(ended.errors, "layerlab: " + file + ": has no claims to verify; add a [[claim]]\n");
}

TEST_F(CommandLine, RefusesABrokenMeasureBeforeAnythingIsTrained) {
  const std::string file =
      experiment("[[claim]]\nid = \"c\"\nmeasure = \"final('loss') /\"\nexpect = \"> 1\"\n");
  const Ended ended = with_results({"verify", file});
  EXPECT_EQ(ended.code, exit_code::kUserError);
  EXPECT_THAT(ended.errors, StartsWith("layerlab: " + file + ":6:12: "));
  EXPECT_FALSE(std::filesystem::exists(folder_ / "results"));
}

TEST_F(CommandLine, ListsRunsSortedByWhatTheyAre) {
  with_results({"run", "grid.seed=[2, 1, 14]", "train.lr=0.01"});
  const std::string list = with_results({"ls"}).output;
  const std::string header = list.substr(0, list.find('\n'));
  EXPECT_THAT(header, AllOf(HasSubstr("cell"), HasSubstr("state"), HasSubstr("loss")));
  EXPECT_LT(list.find("0.011\n"), list.find("0.012\n"));
  EXPECT_LT(list.find("0.012\n"), list.find("0.024\n"));
  EXPECT_THAT(list, HasSubstr("diverged"));
}

TEST_F(CommandLine, ListsNothingWhereNothingIs) {
  const Ended ended = with_results({"ls"});
  EXPECT_EQ(ended.code, exit_code::kDone);
  EXPECT_EQ(ended.output, "");
  EXPECT_THAT(ended.errors, HasSubstr("layerlab run trains one"));
}

TEST_F(CommandLine, ShowsARunLayerByLayer) {
  with_results({"run", "model.depth=2", "train.lr=0.01"});
  const std::string id =
      config::load_experiment("", {"model.depth=2", "train.lr=0.01"}).cells[0].id;
  const Ended ended = with_results({"show", id.substr(0, 6)});
  EXPECT_EQ(ended.code, exit_code::kDone);
  EXPECT_THAT(ended.output, StartsWith(id + "  finished\n"
                                            "  block pre_ln: x + F(LN(x))   finish: LN(x)\n"
                                            "  model.depth = 2\n"
                                            "  train.lr = 0.01\n"
                                            "  loss 2.771 at step 0, 0.011 at step 399\n"));
  EXPECT_THAT(ended.output, EndsWith("\n"
                                     "step 399\n"
                                     "layer       out rms    token norm     grad norm  token cosine"
                                     "  grad ff.down\n"
                                     "    0        1 ██        5.5 ███▍      0.1 ████      0.1 ████"
                                     "     0.01 ██\n"
                                     "    1        2 ████      6.5 ████     0.05 ██        0.1 ████"
                                     "     0.02 ████\n"));
}

TEST_F(CommandLine, AsksForMoreOfAnAmbiguousId) {
  with_results({"run", "grid.seed=1..2"});
  const Ended ended = with_results({"show", ""});
  EXPECT_EQ(ended.code, exit_code::kUserError);
  EXPECT_THAT(ended.errors, HasSubstr("2 cells' ids begin with ; write more of "));
  EXPECT_THAT(with_results({"show", "zzz"}).errors,
              HasSubstr("no cell's id begins with zzz; there are "));
}

TEST_F(CommandLine, DiagnosesWhatIsThere) {
  const Ended ended = with_results({"doctor"});
  EXPECT_EQ(ended.code, exit_code::kDone);
  EXPECT_THAT(ended.output, AllOf(HasSubstr("torch      2.13.0"), HasSubstr("cpu, cuda:0 A GPU"),
                                  HasSubstr("can be written"), Not(HasSubstr("PROBLEM"))));
  EXPECT_FALSE(std::filesystem::exists(folder_ / "results"));
}

TEST_F(CommandLine, DiagnosesWhatIsMissing) {
  const Ended ended = run_program({LAYERLAB_BINARIES "/layerlab", "doctor", "--out", "/proc/no"},
                                  {"LAYERLAB_WORKER=/no/such/worker"});
  EXPECT_EQ(ended.code, exit_code::kUserError);
  EXPECT_THAT(ended.output, AllOf(HasSubstr("worker     PROBLEM: /no/such/worker"),
                                  HasSubstr("results    PROBLEM: /proc/no")));
}

TEST_F(CommandLine, ListsTheBlocksWithEquationAndSource) {
  const Ended ended = layerlab({"blocks"});
  EXPECT_EQ(ended.code, exit_code::kDone);
  EXPECT_THAT(ended.output, AllOf(HasSubstr("deepnorm"), HasSubstr("LN(alpha*x + F(x))"),
                                  HasSubstr("arXiv 2203.00555")));
}

TEST_F(CommandLine, ShowsABlockAtAGivenSize) {
  const Ended ended = layerlab({"blocks", "deepnorm", "--depth", "12"});
  EXPECT_THAT(ended.output,
              AllOf(HasSubstr("alpha = (2*L)^(1/4) = 2.21336"), HasSubstr("blocks 1 to 12"),
                    HasSubstr("t4 = LN(t3)"), HasSubstr("attn.norm attn.out")));
  EXPECT_THAT(layerlab({"blocks", "deepnorm", "--side", "decoder"}).output,
              AllOf(HasSubstr("(3*M_dec)^(1/4) = 2.05977"), HasSubstr("cross.norm")));
}

TEST_F(CommandLine, ShowsBlocksSideBySideWhereThereIsRoom) {
  ::setenv("COLUMNS", "130", 1);
  EXPECT_THAT(layerlab({"blocks", "post_ln", "pre_ln"}).output, StartsWith("post_ln    "));
  ::setenv("COLUMNS", "80", 1);
  EXPECT_THAT(layerlab({"blocks", "post_ln", "pre_ln"}).output, StartsWith("post_ln\n"));
  ::unsetenv("COLUMNS");
}

TEST_F(CommandLine, ChecksAnEquation) {
  const Ended good = layerlab({"blocks", "--equation", "a*x + F(LN(x))", "--const", "a=L^1/4"});
  EXPECT_EQ(good.code, exit_code::kDone);
  EXPECT_THAT(good.output, HasSubstr("attn.norm on what the branch reads"));
  EXPECT_THAT(good.errors, HasSubstr("write ^(1/…) for a root"));
  const Ended bad = layerlab({"blocks", "--equation", "x + F(LM(x))"});
  EXPECT_EQ(bad.code, exit_code::kUserError);
  EXPECT_THAT(bad.errors, HasSubstr("did you mean 'LN'?\n  x + F(LM(x))\n        ^\n"));
}

TEST_F(CommandLine, ChecksAnEquationThoughItIsEmpty) {
  const Ended ended = layerlab({"blocks", "--equation", ""});
  EXPECT_EQ(ended.code, exit_code::kUserError);
  EXPECT_THAT(ended.errors, HasSubstr("--equation:1:1: expected a branch"));
}

TEST_F(CommandLine, CountsTheLinesOfAnEquationFromOne) {
  EXPECT_THAT(layerlab({"blocks", "--equation", "x +\nF(LM(x))"}).errors,
              HasSubstr("--equation:2:3: "));
}

TEST_F(CommandLine, TellsThatItCannotWrite) {
  for (const char* what : {"blocks", "blocks pre_ln", "--help"}) {
    const std::string line = std::string(LAYERLAB_BINARIES "/layerlab ") + what + " > /dev/full";
    const Ended ended = run_program({"/bin/sh", "-c", line});
    EXPECT_EQ(ended.code, exit_code::kUserError) << what;
    EXPECT_THAT(ended.errors, HasSubstr("No space left on device")) << what;
  }
}

TEST_F(CommandLine, ShowsTheBlockOfAFile) {
  TemporaryFolder folder;
  const std::string path = folder / "mine.toml";
  write_file_atomically(path,
                        "[block]\nequation = \"x + g*F(LN(x))\"\n"
                        "param = { g = { init = 0.5 } }\n");
  EXPECT_THAT(layerlab({"blocks", path}).output,
              AllOf(StartsWith("mine\n"), HasSubstr("g: a number, one a sub-layer")));
  write_file_atomically(path, "[model]\ndepth = 2\n");
  EXPECT_THAT(layerlab({"blocks", path}).errors, HasSubstr("mine.toml: expected a [block]"));
}

TEST_F(CommandLine, SuggestsTheNearestBlock) {
  const Ended ended = layerlab({"blocks", "pre_nl"});
  EXPECT_EQ(ended.code, exit_code::kUserError);
  EXPECT_THAT(ended.errors, HasSubstr("did you mean 'pre_ln'?"));
}

}  // namespace
}  // namespace layerlab
