#include "report/layers.h"

#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "core/text.h"
#include "core/text_table.h"
#include "report/bar.h"

namespace layerlab::report {
namespace {

struct Column {
  const char* title;
  double BlockOutput::*value;
};
constexpr Column kColumns[] = {{"out rms", &BlockOutput::rms},
                               {"token norm", &BlockOutput::token_norm},
                               {"grad norm", &BlockOutput::grad_norm},
                               {"token cosine", &BlockOutput::token_cosine},
                               {"grad ff.down", &BlockOutput::ff_down}};
constexpr int kBarWidth = 4;
constexpr std::size_t kMostEvents = 12;

// Each number has a bar, as long as it is large beside others of its column.
void print_side(const record::Reader& reader, double step, const std::string& side) {
  const std::vector<BlockOutput> blocks = block_outputs(reader, step, side);
  TextTable table{{{.title = "layer", .right = true}}, {}};
  for (const BlockOutput& block : blocks) table.rows.push_back({std::to_string(block.layer)});
  for (const auto& [title, value] : kColumns) {
    table.columns.push_back({.title = title, .right = true});
    double largest = 0;
    for (const BlockOutput& block : blocks) largest = std::fmax(largest, std::abs(block.*value));
    for (std::size_t i = 0; i < blocks.size(); ++i) {
      const double number = blocks[i].*value;
      table.rows[i].emplace_back((std::isnan(number) ? "-" : fmt::format("{:.3g}", number)) + " " +
                                 bar(number, largest, kBarWidth));
    }
  }
  fmt::print("\nstep {:.0f}{}{}\n{}", step, side.empty() ? "" : ", ", side,
             to_text(table, {.width = std::numeric_limits<int>::max()}));
}

}  // namespace

std::vector<BlockOutput> block_outputs(const record::Reader& reader, double step,
                                       const std::string& side) {
  const auto rows = reader.numbers(fmt::format(
      "SELECT s.layer, s.rms, s.token_norm, s.grad_norm, s.token_cosine, p.grad_norm FROM site s "
      "LEFT JOIN param p ON p.step = s.step AND p.side = s.side AND p.layer = s.layer "
      "AND p.name = 'ff.down.weight' "
      "WHERE s.step = {:.0f} AND s.side = '{}' AND s.layer >= 0 AND s.site = 'out' "
      "AND s.sublayer = (SELECT max(sublayer) FROM site WHERE step = s.step AND site = 'out' "
      "AND side = s.side AND layer = s.layer) ORDER BY s.layer",
      step, side));
  std::vector<BlockOutput> blocks;
  for (const auto& row : rows) {
    blocks.push_back({static_cast<int>(row[0]), row[1], row[2], row[3], row[4], row[5]});
  }
  return blocks;
}

void print_layers(const record::Reader& reader, double step) {
  for (const std::string& side :
       reader.strings("SELECT DISTINCT side FROM site ORDER BY side DESC")) {
    print_side(reader, step, side);
  }
}

void print_events(const record::Reader& reader) {
  const auto lines = reader.strings(
      "SELECT 'step ' || step || '  ' || kind || ': ' || detail FROM event ORDER BY step, rowid");
  const std::size_t left_out = lines.size() > kMostEvents ? lines.size() - kMostEvents : 0;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (left_out > 0 && i == kMostEvents / 2) {
      fmt::print("  … {} more\n", left_out);
      i += left_out;
    }
    fmt::print("  {}\n", visible(lines[i]));
  }
}

}  // namespace layerlab::report
