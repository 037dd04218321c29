// Two processes that train one grid, with the real worker.

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <poll.h>

#include <csignal>
#include <filesystem>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "core/exit_code.h"
#include "core/files.h"
#include "record/cell.h"
#include "record/manifest.h"
#include "record/record.h"
#include "sweep/process.h"
#include "tests/support/program.h"
#include "tests/support/temporary_folder.h"

namespace layerlab {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

class TwoProcesses : public ::testing::Test {
 protected:
  void SetUp() override {
    write_file_atomically(folder_ / "study.toml",
                          "[task]\nlength = 4\n"
                          "[model]\ndepth = 1\nwidth = 8\nheads = 2\nff = 8\n"
                          "[train]\nbatch = 2\ncheckpoint_every = 100\n"
                          "[probe]\nschedule = 'off'\n"
                          "[grid]\n'train.steps' = [200, 1200]\nseed = '1..4'\n");
  }

  std::vector<std::string> command(const std::string& results, const std::string& replicas) const {
    return {LAYERLAB_BINARIES "/layerlab",
            "run",
            folder_ / "study.toml",
            "--jobs",
            "1",
            "--device",
            "cpu",
            "--replicas",
            replicas,
            "--out",
            folder_ / results};
  }

  static std::string run_to_its_end(sweep::Process& process) {
    std::string said;
    while (process.output() >= 0 || process.errors() >= 0) {
      said += read_some(process);
    }
    return said;
  }
  static std::string read_some(sweep::Process& process) {
    pollfd files[] = {{process.output(), POLLIN, 0}, {process.errors(), POLLIN, 0}};
    ::poll(files, 2, -1);
    return process.read_output() + process.read_errors();
  }

  // By cell: all numbers on record, and what its manifest and `done` say.
  std::map<std::string, std::string> results(const std::string& name) const {
    std::map<std::string, std::string> all;
    for (const fs::path& root : sorted_entries(folder_ / name / "cells")) {
      const record::CellFolder cell{root};
      const record::Reader reader(cell.record());
      std::ostringstream text;
      text << std::hexfloat;
      for (const auto& row : reader.numbers("SELECT step, value FROM scalar")) {
        text << row[0] << ' ' << row[1] << '\n';
      }
      const record::Done done = record::read_done(cell);
      EXPECT_LE(record::read_manifest(cell).steps, done.steps) << "nothing is trained twice";
      text << read_file(cell.done());
      all[root.filename()] = text.str();
    }
    return all;
  }

  TemporaryFolder folder_;
};

TEST_F(TwoProcesses, DivideAGrid) {
  sweep::Process first(command("shared", "4"), {}), second(command("shared", "2"), {});
  const std::string by_first = run_to_its_end(first), by_second = run_to_its_end(second);
  EXPECT_EQ(first.wait().code, exit_code::kDone) << by_first;
  EXPECT_EQ(second.wait().code, exit_code::kDone) << by_second;
  EXPECT_THAT(by_first, HasSubstr("8 finished; "));
  EXPECT_THAT(by_second, HasSubstr("8 finished; "));

  run_program(command("alone", "4"));
  EXPECT_EQ(results("shared"), results("alone"));
}

TEST_F(TwoProcesses, TakeOverWhatAKilledOneLeft) {
  sweep::Process killed(command("shared", "4"), {});
  std::string said;
  while (said.find("step ") == std::string::npos) said += read_some(killed);  // a worker trains
  sweep::Process other(command("shared", "2"), {});
  for (std::string heard; heard.find("cells ") == std::string::npos;) heard += read_some(other);
  killed.send(SIGKILL);
  killed.wait();
  const std::string by_other = run_to_its_end(other);
  EXPECT_EQ(other.wait().code, exit_code::kDone) << by_other;
  EXPECT_THAT(by_other, HasSubstr("8 finished; "));

  run_program(command("alone", "4"));
  EXPECT_EQ(results("shared"), results("alone"));
}

}  // namespace
}  // namespace layerlab
