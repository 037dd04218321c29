// docs/configuration.md lists every key. Run with LAYERLAB_UPDATE_DOCS=1 to write the tables anew.

#include <gtest/gtest.h>

#include <cstdlib>

#include "config/keys.h"
#include "core/files.h"

namespace layerlab::config {
namespace {

const std::string kBegin = "<!-- keys -->\n", kEnd = "<!-- end of keys -->\n";

std::string row(const std::string& key, const std::string& usual, const std::string& range,
                const std::string& meaning) {
  const std::string shown = usual.empty() || usual == "\"\"" ? "" : "`" + usual + "`";
  return "| `" + key + "` | " + shown + " | " + range + " | " + meaning + " |\n";
}

struct Table {
  std::string& out;

  template <typename Field, typename... Constraint>
  void operator()(const char* key, const Field& field, const char* meaning,
                  const Constraint&... constraint) {
    out += row(key, to_toml_value(to_node(field)), allowed(field, constraint...), meaning);
  }
  void operator()(const char* key, const equation::Source&, const char* meaning) {
    out += row(key, "", "an equation", meaning);
  }
  void operator()(const char* key, const std::vector<equation::NamedScalar>&, const char* meaning) {
    out += row(key, "", "a table of scalar expressions", meaning);
  }
  void operator()(const char* key, const std::vector<equation::ParameterEntry>&,
                  const char* meaning) {
    out += row(key, "", "a table of tables with shape, scope, init and profiled", meaning);
  }
  void operator()(const char* key, const std::vector<equation::Layers>&, const char* meaning) {
    out += row(key, "", "a list of tables with block and count", meaning);
  }
  void operator()(const char* key, const std::shared_ptr<const equation::Block>&,
                  const char* meaning) {
    out += row(key, "", "a table of the keys from equation to layers", meaning);
  }
};

std::string key_tables() {
  const std::string head = "\n| key | default | value | meaning |\n|---|---|---|---|\n";
  RunConfig run;
  std::string text =
      head + row("seed", to_toml_value(to_node(run.seed)), allowed(run.seed, seed_range()),
                 "decides the initial weights and the batches");
  describe_sections(
      [&](const std::string& name, auto& section) {
        text += "\n### [" + name + "]\n" + head;
        describe(Table{text}, section);
      },
      run);
  return text + "\n";
}

TEST(Documentation, ListsEveryKeyWithItsDefaultRangeAndMeaning) {
  const std::string path = std::string(LAYERLAB_SOURCE) + "/docs/configuration.md";
  const std::string page = read_file(path);
  const std::size_t begin = page.find(kBegin) + kBegin.size();
  const std::size_t end = page.find(kEnd);
  ASSERT_NE(page.find(kBegin), std::string::npos);
  ASSERT_NE(end, std::string::npos);
  if (std::getenv("LAYERLAB_UPDATE_DOCS") != nullptr) {
    write_file_atomically(path, page.substr(0, begin) + key_tables() + page.substr(end));
  } else {
    EXPECT_EQ(page.substr(begin, end - begin), key_tables());
  }
}

}  // namespace
}  // namespace layerlab::config
