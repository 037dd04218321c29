#include "sweep/worker.h"

#include <gtest/gtest.h>
#include <stdlib.h>

#include "core/files.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/user_error.h"

namespace layerlab::sweep {
namespace {

std::filesystem::path script(const TemporaryFolder& folder, const std::string& text) {
  const auto path = folder / "worker.sh";
  write_file_atomically(path, "#!/bin/sh\n" + text);
  std::filesystem::permissions(path, std::filesystem::perms::owner_all);
  return path;
}

TEST(Worker, IsTheOneInTheEnvironment) {
  ::setenv("LAYERLAB_WORKER", FAKE_WORKER, 1);
  EXPECT_EQ(find_worker(), FAKE_WORKER);
  ::setenv("LAYERLAB_WORKER", "/no/such/worker", 1);
  EXPECT_EQ(refusal([] { find_worker(); }),
            "/no/such/worker: is not there or not a program, and trains the models; "
            "correct LAYERLAB_WORKER");
  ::unsetenv("LAYERLAB_WORKER");
}

TEST(Worker, IsSoughtBesideTheProgram) {
  EXPECT_TRUE(refusal([] { find_worker(); })
                  .ends_with("/layerlab-worker: is not there or not a program, and trains the "
                             "models; build it with ./dev build"));
}

TEST(Worker, TellsItsVersion) { EXPECT_EQ(ask_version(FAKE_WORKER).torch, "2.13.0"); }

TEST(Worker, ThatDoesNotStartIsReportedInOneLine) {
  const TemporaryFolder folder;
  const auto broken = script(folder, "echo 'libtorch.so: cannot open' >&2\nexit 127\n");
  EXPECT_EQ(refusal([&] { ask_version(broken); }),
            broken.string() + ": does not work: libtorch.so: cannot open; try layerlab doctor");
  const auto silent = script(folder, "exit 3\n");
  EXPECT_EQ(refusal([&] { ask_version(silent); }),
            silent.string() + ": does not work: it ended with exit code 3; try layerlab doctor");
}

TEST(Device, IsCheckedAgainstWhatTheWorkerOffers) {
  EXPECT_EQ(resolve_device("cpu", "/no/such/worker"), "cpu");
  EXPECT_EQ(resolve_device("cuda", FAKE_WORKER), "cuda");
  EXPECT_EQ(resolve_device("cuda:0", FAKE_WORKER), "cuda:0");
  EXPECT_EQ(refusal([] { resolve_device("cuda:1", FAKE_WORKER); }),
            "command line: --device cuda:1: torch 2.13.0 finds no such GPU; use cuda");
}

TEST(Device, WithoutAGpuIsRefusedInOneLine) {
  const TemporaryFolder folder;
  const auto worker = script(folder, R"(echo '{"torch":"2.13.0","devices":["cpu"]}')");
  EXPECT_EQ(refusal([&] { resolve_device("cuda", worker); }),
            "command line: --device cuda: torch 2.13.0 finds no GPU it can use; "
            "use --device cpu, or install a CUDA build of torch");
}

TEST(Device, ThatIsNoneIsRefused) {
  for (const std::string text : {"gpu", "cuda:", "cuda:x", ""}) {
    EXPECT_EQ(refusal([&] { resolve_device(text, FAKE_WORKER); }),
              "command line: --device must be auto, cpu, cuda or cuda:N, got " + text);
  }
}

TEST(Cores, AreSharedByJobsOfOneThread) {
  const Share share = share_cores({}, {}, 8, false);
  EXPECT_EQ(share.jobs, 8);
  EXPECT_EQ(share.threads, 1);
}

TEST(Cores, LeaveFewerJobsToMoreThreads) {
  EXPECT_EQ(share_cores({}, 3, 8, false).jobs, 2);
  EXPECT_EQ(share_cores(3, {}, 8, false).threads, 1);
}

TEST(Cores, FeedOneJobOnAGpu) { EXPECT_EQ(share_cores({}, {}, 8, true).jobs, 1); }

TEST(Cores, AreNotOverbooked) {
  EXPECT_EQ(refusal([] { share_cores(5, 2, 8, false); }),
            "command line: 5 jobs of 2 threads need more than the 8 cores of this machine; "
            "lower --jobs or --threads");
  EXPECT_EQ(refusal([] { share_cores({}, 9, 8, false); }),
            "command line: 1 job of 9 threads need more than the 8 cores of this machine; "
            "lower --jobs or --threads");
}

}  // namespace
}  // namespace layerlab::sweep
