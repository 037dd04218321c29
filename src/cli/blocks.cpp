#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cli/command.h"
#include "cli/terminal.h"
#include "core/exit_code.h"
#include "core/names.h"
#include "core/text.h"
#include "core/text_table.h"
#include "core/toml.h"
#include "equation/block_text.h"
#include "equation/block_toml.h"

namespace layerlab::cli {
namespace {

constexpr int kGap = 3;  // between two blocks side by side
constexpr int kNarrow = 60;

struct BlocksOptions {
  std::vector<std::string> names;  // of the catalogue, or files
  std::optional<std::string> equation;
  std::string start, finish, side;
  std::vector<std::string> constants;  // "alpha=(2*L)^(1/4)"
  equation::Sizes sizes = {.depth = 6, .width = 32, .heads = 4, .ff = 128};
};

void print(const std::vector<std::string>& lines) {
  for (const std::string& line : lines) fmt::print("{}\n", line);
}

void print_list(int columns) {
  TextTable table{{{""}, {.title = "", .wraps = true}}, {}};
  for (const equation::Block& block : equation::catalogue()) {
    table.rows.push_back({block.name, equation::equation_text(block)});
    table.rows.push_back({"", block.source});
  }
  fmt::print("{}", to_text(table, {.width = columns}));
}

void print_side_by_side(const std::vector<std::vector<std::string>>& texts, int width) {
  std::size_t rows = 0;
  for (const auto& text : texts) rows = std::max(rows, text.size());
  for (std::size_t row = 0; row < rows; ++row) {
    std::string line;
    int at = 0;  // where this column begins
    for (const auto& text : texts) {
      const std::string part = row < text.size() ? text[row] : "";
      if (!part.empty()) {
        const int missing = at - display_width(line);
        line += std::string(static_cast<std::size_t>(std::max(missing, 0)), ' ') + part;
      }
      at += width + kGap;
    }
    fmt::print("{}\n", line);
  }
}

equation::Block written_block(const BlocksOptions& options) {
  equation::Block block;
  block.name = "--equation";
  block.equation = {*options.equation, {"--equation", 1, 1}};
  block.start = {options.start, {"--start", 1, 1}};
  block.finish = {options.finish, {"--finish", 1, 1}};
  for (const std::string& text : options.constants) {
    const std::size_t equals = text.find('=');
    if (equals == std::string::npos || equals == 0) {
      throw UserError({"--const"}, "expected name=expression, got " + text,
                      "write for example --const 'alpha=(2*L)^(1/4)'");
    }
    const std::string name = text.substr(0, equals);
    block.constants.push_back(
        {name, {text.substr(equals + 1), {"--const " + name, 1, 1}}, {"--const"}});
  }
  return block;
}

// The file's own [block].
equation::Block block_of_file(const std::string& path) {
  const TomlNode file = parse_toml_file(path);
  const TomlNode* entry = file.find("block");
  if (entry == nullptr) {
    throw UserError({path}, "expected a [block]", "docs/blocks.md describes it");
  }
  return equation::read_block(std::filesystem::path(path).stem(), *entry);
}

std::vector<equation::Block> chosen_blocks(const BlocksOptions& options) {
  std::vector<equation::Block> blocks;
  for (const std::string& name : options.names) {
    blocks.push_back(name.ends_with(".toml") ? block_of_file(name)
                                             : equation::find_block(name, {"command line"}));
  }
  if (options.equation) {
    blocks.push_back(written_block(options));
  } else if (!options.start.empty() || !options.finish.empty() || !options.constants.empty()) {
    throw UserError({"command line"}, "--start, --finish and --const go with --equation");
  }
  return blocks;
}

int blocks(const BlocksOptions& options) {
  const int columns = columns_to_fill();
  equation::Sizes sizes = options.sizes;
  if (sizes.width % sizes.heads != 0) {
    throw UserError({"command line"}, "expected --heads to divide --width");
  }
  std::vector<equation::Block> chosen = chosen_blocks(options);
  if (chosen.empty()) {
    print_list(columns);
    return exit_code::kDone;
  }
  if (!options.side.empty()) {
    const auto side =
        options.side == "encoder" ? equation::Side::kEncoder : equation::Side::kDecoder;
    for (equation::Block& block : chosen) block = equation::on_side(block, side);
    sizes.encoder_depth = sizes.decoder_depth = sizes.depth;
    sizes.cross = side == equation::Side::kDecoder;
  }
  const int beside = static_cast<int>(chosen.size());
  const int width = (columns - kGap * (beside - 1)) / beside;
  const bool narrow = beside > 1 && width < kNarrow;
  std::vector<std::vector<std::string>> texts;
  for (const equation::Block& block : chosen) {
    texts.push_back(equation::block_text(block, sizes, narrow ? columns : width));
    for (const std::string& line : equation::warnings(block)) spdlog::warn("{}", line);
  }
  if (!narrow) {
    print_side_by_side(texts, width);
  } else {
    for (const auto& text : texts) {
      if (&text != &texts.front()) fmt::print("\n");
      print(text);
    }
  }
  return exit_code::kDone;
}

}  // namespace

Command make_blocks(CLI::App& program) {
  CLI::App* app = program.add_subcommand("blocks", "List, show and compare blocks");
  const auto options = std::make_shared<BlocksOptions>();
  equation::Sizes& sizes = options->sizes;
  app->add_option("NAME", options->names,
                  "Blocks to show or compare, or files with a [block] (mine.toml); without "
                  "one, all are listed");
  app->add_option("--equation", options->equation, "Check this equation, and show it as a block");
  app->add_option("--start", options->start, "With --equation: how other streams than x begin");
  app->add_option("--finish", options->finish, "With --equation: what follows the last block");
  app->add_option("--const", options->constants, "With --equation: a constant, name=expression");
  const auto size = [&](const char* name, int& value, const char* meaning, int most) {
    app->add_option(name, value, meaning)->check(CLI::Range(1, most))->capture_default_str();
  };
  size("--depth", sizes.depth, "Blocks (L)", 10000);
  size("--width", sizes.width, "Numbers per token (D)", 65536);
  size("--heads", sizes.heads, "Attention heads (H)", 65536);
  size("--ff", sizes.ff, "Width inside the feed-forward branch", 1048576);
  app->add_option("--side", options->side,
                  "As the encoder or decoder of a model with both, equally deep")
      ->check(CLI::IsMember({"encoder", "decoder"}));
  return {app, [options] { return blocks(*options); }};
}

}  // namespace layerlab::cli
