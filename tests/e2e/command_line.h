// The command line as people meet it, with a worker that trains nothing
// (tests/support/fake_worker.cpp).
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <vector>

#include "core/exit_code.h"
#include "core/files.h"
#include "tests/support/program.h"
#include "tests/support/temporary_folder.h"

namespace layerlab {

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

}  // namespace layerlab
