#include "sweep/local.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <optional>

#include "core/files.h"
#include "tests/support/temporary_folder.h"

namespace layerlab::sweep {
namespace {

namespace fs = std::filesystem;

using ::testing::AllOf;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::StartsWith;

// Trains cells of the given seeds with the fake worker (support/fake_worker.cpp).
class LocalTest : public ::testing::Test {
 protected:
  void prepare(const std::string& seeds, int replicas = 1) {
    const auto experiment =
        config::load_experiment("", {.settings = {"grid.seed=[" + seeds + "]"}});
    write_inputs(experiment, folder_.path());
    plan_ = make_plan({&experiment}, folder_.path(), replicas);
  }
  void train_prepared() {
    LocalListener listener;
    listener.on_event = [&](std::size_t, const Event& event) {
      if (const auto* message = std::get_if<Message>(&event)) messages_.push_back(message->text);
      if (std::holds_alternative<Progress>(event)) on_progress_();
      if (std::holds_alternative<CellEnded>(event)) ++heard_;
    };
    listener.on_elsewhere = [&](int cells) { on_elsewhere_(cells); };
    listener.on_end = [&](std::size_t pack) { ended_.push_back(pack); };
    listener.on_log = [&](const std::string& line) { log_.push_back(line); };
    outcome_ = train_locally(plan_.packs, options_, listener);
  }
  void train(const std::string& seeds, int replicas = 1) {
    prepare(seeds, replicas);
    train_prepared();
  }
  record::CellState state(std::size_t pack) {
    return record::read_state(plan_.packs[pack].cells[0]);
  }

  TemporaryFolder folder_;
  LocalOptions options_{FAKE_WORKER, "cpu", 2, 1};
  std::function<void()> on_progress_ = [] {};
  std::function<void(int)> on_elsewhere_ = [](int) {};
  Plan plan_;
  LocalOutcome outcome_;
  int heard_ = 0;  // of cells that ended
  std::vector<std::string> messages_, log_;
  std::vector<std::size_t> ended_;
};

TEST_F(LocalTest, TrainsAllPacks) {
  train("1, 2, 3, 4, 5", /*replicas=*/2);
  EXPECT_EQ(outcome_.finished, 5);
  EXPECT_EQ(outcome_.crashed + outcome_.refused + outcome_.diverged, 0);
  EXPECT_FALSE(outcome_.interrupted);
  EXPECT_EQ(ended_.size(), 3u);
  const auto experiment = config::load_experiment("", {.settings = {"grid.seed=1..5"}});
  EXPECT_EQ(make_plan({&experiment}, folder_.path(), 1).finished, 5);
}

TEST_F(LocalTest, HasNothingToDoWithoutPacks) {
  const LocalOutcome outcome = train_locally({}, options_, {});
  EXPECT_EQ(outcome.finished, 0);
}

TEST_F(LocalTest, CountsRunsThatDiverge) {
  train("1, 14");
  EXPECT_EQ(outcome_.finished, 1);
  EXPECT_EQ(outcome_.diverged, 1);
}

TEST_F(LocalTest, GoesOnWhenAWorkerCrashesAndTellsItsLastWords) {
  options_.jobs = 1;
  train("1, 13, 2");
  EXPECT_EQ(outcome_.finished, 2);
  EXPECT_EQ(outcome_.crashed, 1);
  const std::string id = plan_.packs[1].cells[0].root.filename().string().substr(0, 8);
  EXPECT_THAT(messages_, ElementsAre("the worker of cell " + id +
                                     " ended with signal 6 (Aborted): out of | luck | and memory"));
  EXPECT_EQ(state(1), record::CellState::kBegun);
}

TEST_F(LocalTest, TellsAUsersMistakeAsTheWorkerDoes) {
  train("16, 1");
  EXPECT_EQ(outcome_.finished, 1);
  EXPECT_EQ(outcome_.refused, 1);
  EXPECT_EQ(outcome_.crashed, 0);
  EXPECT_THAT(messages_, ElementsAre(EndsWith(": cannot be trained; train another")));
}

TEST_F(LocalTest, TellsThatAProgramCannotBeStarted) {
  options_.worker = folder_ / "no-such-worker";
  train("1");
  EXPECT_EQ(outcome_.refused, 1);
  EXPECT_THAT(messages_, ElementsAre(AllOf(HasSubstr("could not be started: cannot start "),
                                           HasSubstr("No such file or directory"))));
}

TEST_F(LocalTest, TellsThatTheSystemKilledAWorker) {
  train("18, 1");
  EXPECT_EQ(outcome_.finished, 1);
  EXPECT_EQ(outcome_.refused, 1);
  EXPECT_THAT(messages_, ElementsAre(AllOf(HasSubstr("was killed"), HasSubstr("memory"))));
}

TEST_F(LocalTest, TellsThatSomebodyStoppedAWorker) {
  train("19, 1");
  EXPECT_EQ(outcome_.finished, 1);
  EXPECT_EQ(outcome_.stopped, 1);
  EXPECT_THAT(messages_, ElementsAre(HasSubstr("was stopped by a signal")));
}

TEST_F(LocalTest, TakesAWorkerThatEndsWithoutAWordForABug) {
  train("20, 1");
  EXPECT_EQ(outcome_.finished, 1);
  EXPECT_EQ(outcome_.crashed, 1);
  EXPECT_THAT(messages_, ElementsAre(HasSubstr("ended with exit code 0: it said nothing")));
}

TEST_F(LocalTest, BlamesAProgramOfTheUsersThatIsNoWorker) {
  options_.worker = "/bin/true";
  ::setenv("LAYERLAB_WORKER", "/bin/true", /*overwrite=*/1);
  train("1");
  ::unsetenv("LAYERLAB_WORKER");
  EXPECT_EQ(outcome_.refused, 1);
  EXPECT_EQ(outcome_.crashed, 0);
  EXPECT_THAT(messages_, ElementsAre(StartsWith("/bin/true: is no layerlab-worker")));
}

TEST_F(LocalTest, TakesAnEventThatItDoesNotKnowForABug) {
  train("98, 1");
  EXPECT_EQ(outcome_.finished, 2);
  EXPECT_EQ(outcome_.crashed, 1);
  EXPECT_THAT(messages_, ElementsAre(HasSubstr("riddle")));
}

// Another process holds the lock of the first run, and is killed.
TEST_F(LocalTest, TrainsWhatAnotherProcessLeftUnfinished) {
  prepare("1, 2");
  std::optional<record::CellLock> other = record::CellLock::take(plan_.packs[0].cells[0]);
  int waited = 0;
  on_elsewhere_ = [&](int cells) {
    if (cells == 1 && heard_ == 1 && ++waited == 2) other.reset();
  };
  train_prepared();
  EXPECT_EQ(waited, 2);
  EXPECT_EQ(outcome_.finished, 2);
  EXPECT_EQ(outcome_.elsewhere, 0);
  EXPECT_TRUE(fs::exists(plan_.packs[0].cells[0].root / "threads")) << "a worker has been there";
  EXPECT_THAT(messages_, ElementsAre(StartsWith("waiting for 1 run that another process trains")));
}

TEST_F(LocalTest, WaitsForWhatAnotherProcessFinishes) {
  prepare("1");
  std::optional<record::CellLock> other = record::CellLock::take(plan_.packs[0].cells[0]);
  on_elsewhere_ = [&](int) {
    if (!other) return;
    write_file_atomically(plan_.packs[0].cells[0].record(), "");
    record::write_done(plan_.packs[0].cells[0], {record::CellState::kDiverged, 7});
    other.reset();
  };
  train_prepared();
  EXPECT_EQ(outcome_.diverged, 1);
  EXPECT_FALSE(fs::exists(plan_.packs[0].cells[0].root / "threads")) << "no worker has been there";
}

TEST_F(LocalTest, LeavesWhatAnotherProcessTrainsToItWhenInterrupted) {
  prepare("1");
  const auto other = record::CellLock::take(plan_.packs[0].cells[0]);
  on_elsewhere_ = [](int) { ::kill(::getpid(), SIGINT); };
  train_prepared();
  EXPECT_TRUE(outcome_.interrupted);
  EXPECT_EQ(outcome_.elsewhere, 1);
}

TEST_F(LocalTest, PassesOnWhatIsNoEvent) {
  train("1");
  EXPECT_THAT(log_, ElementsAre("a library's notice"));
}

TEST_F(LocalTest, LimitsTheThreadsOfLibraries) {
  options_.threads = 3;
  train("1");
  EXPECT_EQ(read_file(plan_.packs[0].cells[0].root / "threads"), "3");
}

TEST_F(LocalTest, StopsWorkersAtTheDeadlineAndStartsNoMore) {
  options_.jobs = 1;
  options_.deadline = std::chrono::steady_clock::now() + std::chrono::milliseconds(50);
  train("15, 1");  // the first waits to be stopped
  EXPECT_TRUE(outcome_.out_of_time);
  EXPECT_FALSE(outcome_.interrupted);
  EXPECT_EQ(outcome_.finished + outcome_.crashed, 0);
  EXPECT_EQ(state(1), record::CellState::kBegun);
}

TEST_F(LocalTest, TakesNoNoticeOfADeadlineThatComesLater) {
  options_.deadline = std::chrono::steady_clock::now() + std::chrono::hours(1);
  train("1");
  EXPECT_FALSE(outcome_.out_of_time);
  EXPECT_EQ(outcome_.finished, 1);
}

TEST_F(LocalTest, PassesAnInterruptOnAndStartsNoMore) {
  options_.jobs = 1;
  on_progress_ = [] { ::kill(::getpid(), SIGINT); };
  train("15, 1");
  EXPECT_TRUE(outcome_.interrupted);
  EXPECT_EQ(outcome_.crashed, 0);
  EXPECT_EQ(outcome_.finished, 0);
  EXPECT_THAT(ended_, ElementsAre(0));
  EXPECT_THAT(messages_, ElementsAre(HasSubstr("interrupt again to kill")));
}

TEST_F(LocalTest, TreatsTerminationAsAnInterrupt) {
  on_progress_ = [] { ::kill(::getpid(), SIGTERM); };
  train("15");
  EXPECT_TRUE(outcome_.interrupted);
}

TEST_F(LocalTest, OutlivesTheTerminalUnderNohup) {
  const auto before = ::signal(SIGHUP, SIG_IGN);
  on_progress_ = [] { ::kill(::getpid(), SIGHUP); };
  train("1");
  ::signal(SIGHUP, before);
  EXPECT_FALSE(outcome_.interrupted);
  EXPECT_EQ(outcome_.finished, 1);
}

TEST_F(LocalTest, KillsWorkersAtTheSecondInterrupt) {
  on_progress_ = [] {
    ::kill(::getpid(), SIGINT);
    ::kill(::getpid(), SIGTERM);
  };
  train("17");
  EXPECT_TRUE(outcome_.interrupted);
  EXPECT_EQ(outcome_.crashed, 0);
}

}  // namespace
}  // namespace layerlab::sweep
