// Help, runs, lists and mistakes.

#include <csignal>

#include "config/experiment.h"
#include "tests/e2e/command_line.h"

namespace layerlab {
namespace {

using ::testing::AllOf;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

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
                    HasSubstr("\n  Targets  .  .  .  ")));
  EXPECT_EQ(layerlab({"tasks", "modulr"}).code, exit_code::kUserError);
}

TEST_F(CommandLine, ShowsExamplesOfOnesOwnFile) {
  const std::string path = write("corpus.txt", std::string(400, 'a') + "\n");
  EXPECT_THAT(layerlab({"tasks", "text"}).output, HasSubstr("layerlab tasks text task.path=FILE"));
  EXPECT_THAT(layerlab({"tasks", "text", "task.path=" + path, "task.length=3"}).output,
              AllOf(HasSubstr("\n  Inputs   a  a  a\n  Targets  a  a  a\n"),
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
      config::load_experiment(folder_ / "study.toml", {{"train.steps=7"}, 2}).name;
  EXPECT_THAT(read_file(folder_ / ("results/" + name) / "experiment.toml"),
              HasSubstr("steps = 7\n"));
}

TEST_F(CommandLine, ProbesWeightsWhateverTheirFileIsCalled) {
  const std::string name = "no \"such\" file.safetensors";
  const Ended ended = with_results({"probe", "--weights", name});
  EXPECT_EQ(ended.code, exit_code::kUserError);
  EXPECT_THAT(ended.errors, HasSubstr(name));
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
  EXPECT_THAT(ended.errors, HasSubstr("the same command continues with 1 unfinished run\n"));
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

TEST_F(CommandLine, ListsRunsSortedByWhatTheyAre) {
  with_results({"run", "grid.seed=[2, 1, 14]", "train.lr=0.01"});
  const std::string list = with_results({"ls"}).output;
  const std::string header = list.substr(0, list.find('\n'));
  EXPECT_THAT(header, AllOf(HasSubstr("cell"), HasSubstr("state"), HasSubstr("loss")));
  EXPECT_LT(list.find("0.011\n"), list.find("0.012\n"));
  EXPECT_LT(list.find("0.012\n"), list.find("0.024\n"));
  EXPECT_THAT(list, HasSubstr("diverged"));
}

TEST_F(CommandLine, HidesNoRunBehindADamagedOne) {
  const auto cells = config::load_experiment("", {.settings = {"grid.seed=[1, 2, 3]"}}).cells;
  const auto folder = [&](std::size_t i) { return folder_ / ("results/cells/" + cells[i].id); };
  with_results({"run", "grid.seed=[1, 2]"});
  std::filesystem::remove(folder(0) / "record.db");
  std::filesystem::remove(folder(1) / "done");
  std::filesystem::create_symlink("done", folder(1) / "done");
  const Ended ended = with_results({"run", "grid.seed=[1, 2, 3]"});
  EXPECT_EQ(ended.code, exit_code::kUserError);
  EXPECT_THAT(ended.output, StartsWith("1 finished, 2 unfinished; "));
  EXPECT_THAT(ended.errors, AllOf(HasSubstr("record.db: is missing, although the run has ended; "
                                            "remove the run's folder, and it is trained again"),
                                  HasSubstr("done: cannot be read: ")));
  const Ended list = with_results({"ls"});
  EXPECT_EQ(list.code, exit_code::kDone);
  EXPECT_THAT(list.output, AllOf(HasSubstr(cells[0].id.substr(0, 8) + " is damaged: "),
                                 HasSubstr(cells[1].id.substr(0, 8) + " is damaged: "),
                                 HasSubstr(cells[2].id.substr(0, 8) + "  finished  ")));
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
      config::load_experiment("", {.settings = {"model.depth=2", "train.lr=0.01"}}).cells[0].id;
  const Ended ended = with_results({"show", id.substr(0, 6)});
  EXPECT_EQ(ended.code, exit_code::kDone);
  EXPECT_THAT(ended.output, StartsWith(id + "  finished\n"
                                            "  block pre_ln: x + F(LN(x))   finish: LN(x)\n"
                                            "  model.depth = 2\n"
                                            "  train.lr = 0.01\n"
                                            "  loss 2.771 at step 0, 0.011 at step 399\n"));
  EXPECT_THAT(ended.output, EndsWith("\n"
                                     "step 399\n"
                                     "layer  out rms  token norm  grad norm  token cosine"
                                     "  grad ff.down\n"
                                     "    0   1 ██      5.5 ███▍   0.1 ████      0.1 ████"
                                     "     0.01 ██\n"
                                     "    1   2 ████    6.5 ████  0.05 ██        0.1 ████"
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

TEST_F(CommandLine, TellsThatItCannotWrite) {
  for (const char* what : {"blocks", "blocks pre_ln", "--help"}) {
    const std::string line = std::string(LAYERLAB_BINARIES "/layerlab ") + what + " > /dev/full";
    const Ended ended = run_program({"/bin/sh", "-c", line});
    EXPECT_EQ(ended.code, exit_code::kUserError) << what;
    EXPECT_THAT(ended.errors, HasSubstr("No space left on device")) << what;
  }
}

TEST_F(CommandLine, HelpNamesArgumentsAsTheyAreTyped) {
  for (const char* command : {"run", "probe"}) {
    EXPECT_THAT(layerlab({command, "--help"}).output, HasSubstr("[FILE] [key=value]...\n"));
  }
  EXPECT_THAT(layerlab({"tasks", "--help"}).output, HasSubstr("[NAME] [key=value]...\n"));
  EXPECT_THAT(layerlab({"show", "--help"}).output, HasSubstr(" CELL\n"));
}

}  // namespace
}  // namespace layerlab
