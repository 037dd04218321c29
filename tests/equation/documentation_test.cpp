// Every example of docs/blocks.md compiles.

#include <gtest/gtest.h>

#include "core/files.h"
#include "equation/block_toml.h"
#include "equation/program.h"

namespace layerlab::equation {
namespace {

// What stands between ```toml and ```.
std::vector<std::string> examples(const std::string& page) {
  const std::string begin = "```toml\n", end = "```";
  std::vector<std::string> result;
  for (std::size_t at = page.find(begin); at != std::string::npos; at = page.find(begin, at)) {
    at += begin.size();
    result.push_back(page.substr(at, page.find(end, at) - at));
  }
  return result;
}

TEST(BlocksPage, HasExamplesThatCompile) {
  const auto texts = examples(read_file(LAYERLAB_SOURCE "/docs/blocks.md"));
  EXPECT_GE(texts.size(), 15u);
  for (const std::string& text : texts) {
    try {
      const TomlNode root = parse_toml_text(text, "docs/blocks.md");
      Block block = read_block("example", *root.find("block"));
      EXPECT_TRUE(warnings(block).empty()) << text;
      compile(block, {.depth = 6, .width = 8, .heads = 2, .ff = 16});
      for (const Side side : {Side::kEncoder, Side::kDecoder}) {
        compile(
            on_side(block, side),
            {.depth = 6, .width = 8, .heads = 2, .ff = 16, .encoder_depth = 6, .decoder_depth = 6});
      }
    } catch (const UserError& error) {
      ADD_FAILURE() << error.what() << "\n" << text;
    }
  }
}

}  // namespace
}  // namespace layerlab::equation
