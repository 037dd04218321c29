#include "report/layers.h"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <string>
#include <vector>

#include "report/bar.h"

namespace layerlab::report {
namespace {

constexpr std::array kColumns = {"out rms", "token norm", "grad norm", "token cosine",
                                 "grad ff.down"};
constexpr int kBarWidth = 4;
constexpr std::size_t kMostEvents = 12;

std::array<double, kColumns.size()> columns(const BlockOutput& block) {
  return {block.rms, block.token_norm, block.grad_norm, block.token_cosine, block.ff_down};
}

std::string number_text(double value) {
  return std::isnan(value) ? "-" : fmt::format("{:.3g}", value);
}

void print_side(const record::Reader& reader, double step, const std::string& side) {
  fmt::print("\nstep {:.0f}{}{}\n{:>5}", step, side.empty() ? "" : ", ", side, "layer");
  for (const char* name : kColumns) fmt::print("{:>14}", name);
  fmt::print("\n");
  const std::vector<BlockOutput> blocks = block_outputs(reader, step, side);
  std::array<double, kColumns.size()> largest{};
  for (const BlockOutput& block : blocks) {
    const auto row = columns(block);
    for (std::size_t i = 0; i < row.size(); ++i) {
      largest[i] = std::fmax(largest[i], std::abs(row[i]));
    }
  }
  for (const BlockOutput& block : blocks) {
    const auto row = columns(block);
    std::string line = fmt::format("{:>5}", block.layer);
    for (std::size_t i = 0; i < row.size(); ++i) {
      line += fmt::format("{:>9} {}", number_text(row[i]), bar(row[i], largest[i], kBarWidth));
    }
    fmt::print("{}\n", line.substr(0, line.find_last_not_of(' ') + 1));
  }
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
    fmt::print("  {}\n", lines[i]);
  }
}

}  // namespace layerlab::report
