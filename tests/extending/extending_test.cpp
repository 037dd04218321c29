// The worked examples of docs/extending.md: each is a file of this folder.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <sstream>
#include <string>

#include "core/files.h"
#include "tests/support/example.h"

namespace layerlab {
namespace tasks {
CatalogueEntry rotate_task();
}
namespace {

namespace fs = std::filesystem;

TEST(Extending, DocumentationQuotesTheFilesThatAreBuilt) {
  const fs::path root = LAYERLAB_SOURCE;
  const std::string page = read_file(root / "docs/extending.md");
  int quoted = 0;
  for (const auto& entry : fs::directory_iterator(root / "tests/extending")) {
    const std::string name = entry.path().filename();
    if (!name.ends_with(".cpp") || name.ends_with("_test.cpp")) continue;
    std::istringstream file(read_file(entry.path()));
    std::string quote;
    for (std::string line; std::getline(file, line);) {
      quote += (line.empty() ? "" : "    " + line) + "\n";
    }
    EXPECT_NE(page.find(quote), std::string::npos) << "docs/extending.md does not quote " << name;
    ++quoted;
  }
  EXPECT_GT(quoted, 0);
}

TEST(Extending, DocumentationNamesFilesThatExist) {
  const fs::path root = LAYERLAB_SOURCE;
  std::istringstream page(read_file(root / "docs/extending.md"));
  int links = 0;
  for (std::string text; std::getline(page, text, '(');) {
    if (!text.starts_with("../")) continue;
    EXPECT_TRUE(fs::exists(root / "docs" / text.substr(0, text.find(')')))) << text;
    ++links;
  }
  EXPECT_GT(links, 0);
}

TEST(Extending, TheTaskDrawsWhatItShows) {
  const auto task = tasks::rotate_task().make(tasks::request(
      "rotate", tasks::ModelKind::kEncoder, [](tasks::TaskConfig& t) { t.length = 4; }));
  for (const tasks::Example& example : tasks::examples(*task, 20)) {
    tasks::Ids moved = example.inputs;
    std::ranges::rotate(moved, moved.begin() + 1);
    EXPECT_EQ(example.targets, moved);
  }
}

}  // namespace
}  // namespace layerlab
