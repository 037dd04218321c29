// The layout's rules, read from the #include lines of src/ and models/.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <regex>
#include <string>
#include <vector>

namespace layerlab {
namespace {

namespace fs = std::filesystem;

// Lowest first: a folder may include itself and those before it.
const std::vector<std::string> kTorchFree = {"core",    "kernels", "equation", "stats",
                                             "record",  "tasks",   "config",   "theory",
                                             "conform", "claims",  "sweep",    "report"};
const std::vector<std::string> kOnTorch = {"models", "probe", "train", "examples", "worker"};

struct Include {
  std::string file;    // "src/config/keys.cpp"
  std::string folder;  // "config", the one that includes
  std::string header;  // "core/toml.h"
  std::string target;  // "core", the header's first folder
};

std::vector<Include> read_includes() {
  static const std::regex kInclude(R"(^#include ["<](([^/>"]*)/[^>"]*)[">])");
  const fs::path root = LAYERLAB_SOURCE;
  std::vector<Include> includes;
  for (const char* half : {"src", "models"}) {
    for (const auto& entry : fs::recursive_directory_iterator(root / half)) {
      const fs::path path = entry.path().lexically_relative(root);
      if (path.extension() != ".h" && path.extension() != ".cpp") continue;
      const std::string folder = path.parent_path().filename();
      std::ifstream file(entry.path());
      for (std::string line; std::getline(file, line);) {
        std::smatch match;
        if (std::regex_search(line, match, kInclude)) {
          includes.push_back({path.string(), folder, match[1], match[2]});
        }
      }
    }
  }
  return includes;
}

TEST(Layout, NamesFoldersThatExist) {
  const fs::path root = LAYERLAB_SOURCE;
  std::vector<std::string> folders = kTorchFree;
  folders.insert(folders.end(), kOnTorch.begin(), kOnTorch.end());
  for (const std::string& folder : folders) {
    EXPECT_TRUE(fs::is_directory(root / "src" / folder) || fs::is_directory(root / folder))
        << folder;
  }
}

bool contains(const std::vector<std::string>& folders, const std::string& folder) {
  return std::find(folders.begin(), folders.end(), folder) != folders.end();
}

TEST(Layout, NoFolderIncludesOneAboveIt) {
  std::vector<std::string> order = kTorchFree;
  order.insert(order.end(), kOnTorch.begin(), kOnTorch.end());
  order.push_back("cli");
  const auto place = [&order](const std::string& folder) {
    return std::find(order.begin(), order.end(), folder) - order.begin();
  };
  int checked = 0;
  for (const Include& include : read_includes()) {
    ASSERT_TRUE(contains(order, include.folder)) << include.file << " is in no known folder";
    if (!contains(order, include.target)) continue;
    EXPECT_LE(place(include.target), place(include.folder))
        << include.file << " includes " << include.header;
    ++checked;
  }
  EXPECT_GT(checked, 0) << "read no include of ours";
}

// Inside config/ too: a file may include the headers up to its own.
TEST(Layout, NoFileOfConfigIncludesAHeaderAboveIt) {
  const std::vector<std::string> order = {"run_config",
                                          "optimizers",
                                          "keys",
                                          "run_config_toml",
                                          "model_parts",
                                          "schedule",
                                          "initial_weights",
                                          "probe_schedule",
                                          "probe_selection",
                                          "validate",
                                          "resolve",
                                          "identity",
                                          "migration",
                                          "grid",
                                          "search",
                                          "unexpanded_experiment",
                                          "origin",
                                          "overrides",
                                          "claims",
                                          "experiment"};
  const auto place = [&order](const std::string& file) {
    return std::find(order.begin(), order.end(), fs::path(file).stem()) - order.begin();
  };
  for (const Include& include : read_includes()) {
    if (include.folder != "config" || include.target != "config") continue;
    ASSERT_TRUE(contains(order, fs::path(include.file).stem())) << include.file << " is not listed";
    EXPECT_LE(place(include.header), place(include.file))
        << include.file << " includes " << include.header;
  }
}

TEST(Layout, TheTorchFreeHalfAndTheCommandLineIncludeNoTorch) {
  std::vector<std::string> forbidden = kOnTorch;
  forbidden.insert(forbidden.end(), {"ATen", "c10", "caffe2", "torch"});
  for (const Include& include : read_includes()) {
    if (contains(kOnTorch, include.folder)) continue;
    EXPECT_FALSE(contains(forbidden, include.target))
        << include.file << " includes " << include.header;
  }
}

}  // namespace
}  // namespace layerlab
