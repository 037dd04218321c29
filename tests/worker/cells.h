// Cells of small models, and what training them gives.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "core/files.h"
#include "record/cell.h"
#include "record/record.h"
#include "tests/support/temporary_folder.h"
#include "train/device.h"
#include "worker/pack.h"

namespace layerlab::worker {

inline constexpr std::atomic<bool> kNeverStop = false;

class Cells : public testing::Test {
 protected:
  static void SetUpTestSuite() { train::make_repeatable(/*threads=*/1); }

  // A cell that trains a small model for `steps` steps; `more` are further settings of [train].
  std::filesystem::path cell(const std::string& name, int seed, const std::string& more = "",
                             int steps = 12) {
    std::ostringstream config;
    config << "seed = " << seed << "\n[task]\nlength = 5\n"
           << "[model]\nblock = 'post_ln'\ndepth = 2\nwidth = 8\nheads = 2\nff = 12\n"
           << "[train]\nbatch = 3\nsteps = " << steps << "\ncheckpoint_every = 5\n"
           << more << "\n";
    return write_cell(name, config.str());
  }
  std::filesystem::path write_cell(const std::string& name, const std::string& text) {
    const std::filesystem::path folder = folder_ / name;
    std::filesystem::create_directories(folder);
    write_file_atomically(folder / "config.toml", text);
    return folder;
  }

  PackOutcome train_cells(
      const std::vector<std::filesystem::path>& cells, const std::atomic<bool>& stop = kNeverStop,
      const Report& report = [](const sweep::Event&) {}) {
    return train_pack({cells, at::kCPU, 1}, stop, report);
  }

  // Everything that must be reproducible: the record, and the last checkpoint's bytes.
  static std::string results(const std::filesystem::path& cell) {
    const record::Reader reader(record::CellFolder{cell}.record());
    std::ostringstream text;
    for (const char* table : {"scalar", "site", "param"}) {
      const std::string columns = std::string("SELECT * FROM ") + table;
      for (const auto& row : reader.numbers(columns)) {
        for (const double value : row) text << std::hexfloat << value << ' ';
        text << '\n';
      }
      text << table << '\n';
    }
    for (const std::string& event : reader.strings("SELECT step || kind || detail FROM event")) {
      text << event << '\n';
    }
    std::vector<std::filesystem::path> checkpoints;
    for (const auto& entry : std::filesystem::directory_iterator(cell / "checkpoint")) {
      checkpoints.push_back(entry.path());
    }
    std::sort(checkpoints.begin(), checkpoints.end());
    text << checkpoints.back().filename() << read_file(checkpoints.back());
    return text.str();
  }

  // Every file's bytes.
  static std::map<std::string, std::string> contents(const std::filesystem::path& folder) {
    std::map<std::string, std::string> result;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
      if (entry.is_regular_file()) result[entry.path()] = read_file(entry.path());
    }
    return result;
  }

  static record::Done done(const std::filesystem::path& cell) { return record::read_done({cell}); }

  TemporaryFolder folder_;
};

}  // namespace layerlab::worker
