#include "cli/layers.h"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <string>
#include <vector>

#include "cli/bar.h"

namespace layerlab::cli {
namespace {

constexpr std::array kColumns = {"out rms", "token norm", "grad norm", "token cosine",
                                 "grad ff.down"};
constexpr int kBarWidth = 4;

constexpr std::size_t kMostEvents = 12;

// Rows of layer and kColumns at one step: each block's stream where it leaves the last sub-layer.
std::vector<std::vector<double>> layers_at(const record::Reader& reader, double step,
                                           const std::string& side) {
  return reader.numbers(fmt::format(
      "SELECT s.layer, s.rms, s.token_norm, s.grad_norm, s.token_cosine, p.grad_norm FROM site s "
      "LEFT JOIN param p ON p.step = s.step AND p.side = s.side AND p.layer = s.layer "
      "AND p.name = 'ff.down.weight' "
      "WHERE s.step = {:.0f} AND s.side = '{}' AND s.layer >= 0 AND s.site = 'out' "
      "AND s.sublayer = (SELECT max(sublayer) FROM site WHERE site = 'out' AND side = s.side "
      "AND layer = s.layer) ORDER BY s.layer",
      step, side));
}

std::string number_text(double value) {
  return std::isnan(value) ? "-" : fmt::format("{:.3g}", value);
}

void print_side(const record::Reader& reader, double step, const std::string& side) {
  const auto rows = layers_at(reader, step, side);
  fmt::print("\nstep {:.0f}{}{}\n{:>5}", step, side.empty() ? "" : ", ", side, "layer");
  for (const char* name : kColumns) fmt::print("{:>14}", name);
  fmt::print("\n");
  std::array<double, kColumns.size()> largest{};
  for (const auto& row : rows) {
    for (std::size_t i = 0; i < largest.size(); ++i) {
      largest[i] = std::fmax(largest[i], std::abs(row[i + 1]));
    }
  }
  for (const auto& row : rows) {
    std::string line = fmt::format("{:>5.0f}", row[0]);
    for (std::size_t i = 0; i < largest.size(); ++i) {
      line +=
          fmt::format("{:>9} {}", number_text(row[i + 1]), bar(row[i + 1], largest[i], kBarWidth));
    }
    fmt::print("{}\n", line.substr(0, line.find_last_not_of(' ') + 1));
  }
}

}  // namespace

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

}  // namespace layerlab::cli
