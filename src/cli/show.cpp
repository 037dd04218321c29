#include <fmt/format.h>

#include <array>
#include <cmath>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cli/bar.h"
#include "cli/cells.h"
#include "cli/command.h"
#include "core/exit_code.h"
#include "record/manifest.h"
#include "record/record.h"

namespace layerlab::cli {
namespace {

constexpr std::array kColumns = {"out rms", "token norm", "grad norm", "token cosine",
                                 "grad ff.down"};
constexpr int kBarWidth = 4;

// "  train.lr = 0.01" for every setting that is not the default.
void print_settings(const config::RunConfig& run) {
  const TomlNode defaults = config::to_tree(config::read_run_config(parse_toml_text("", "")));
  for (const auto& [key, value] : leaves(config::to_tree(run))) {
    if (key.starts_with("block.")) continue;  // model.block names it
    const TomlNode* usual = find_path(defaults, key);
    if (usual == nullptr || !same_value(*usual, value)) {
      fmt::print("  {} = {}\n", key, to_toml_value(value));
    }
  }
}

void print_block(const equation::Block& block) {
  fmt::print("  block {}: {}", block.name, block.equation.text);
  if (!block.start.text.empty()) fmt::print("   start: {}", block.start.text);
  if (!block.finish.text.empty()) fmt::print("   finish: {}", block.finish.text);
  fmt::print("\n");
}

void print_loss(const record::Reader& reader) {
  const auto rows = reader.numbers(
      "SELECT step, value FROM scalar WHERE name = 'loss' AND step IN "
      "((SELECT min(step) FROM scalar WHERE name = 'loss'),"
      " (SELECT max(step) FROM scalar WHERE name = 'loss')) ORDER BY step");
  if (rows.empty()) return;
  fmt::print("  loss {:.4g} at step {:.0f}, {:.4g} at step {:.0f}\n", rows.front()[1],
             rows.front()[0], rows.back()[1], rows.back()[0]);
}

void print_cost(const record::CellFolder& folder) {
  if (!std::filesystem::exists(folder.manifest())) return;
  const record::Manifest manifest = record::read_manifest(folder);
  const std::optional<double> percent = record::measuring_percent(manifest);
  if (!percent) return;
  fmt::print("  measuring took {:.1f} % of the time of steps: {} of {} were measured\n", *percent,
             manifest.measured.steps, manifest.measured.steps + manifest.unmeasured.steps);
}

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

void print_layers(const record::Reader& reader, double step) {
  for (const std::string& side :
       reader.strings("SELECT DISTINCT side FROM site ORDER BY side DESC")) {
    print_side(reader, step, side);
  }
}

int show(const std::filesystem::path& results, const std::string& prefix) {
  const StoredCell cell = find_cell(results, prefix);
  fmt::print("{}  {}\n", cell.id, state_text(cell.folder));
  print_block(cell.config.block);
  print_settings(cell.config);
  if (!std::filesystem::exists(cell.folder.record())) {
    fmt::print("  nothing on record yet\n");
    return exit_code::kDone;
  }
  const record::Reader reader(cell.folder.record());
  print_loss(reader);
  print_cost(cell.folder);
  fmt::print("  record {}\n", cell.folder.record().string());
  const auto steps = reader.numbers("SELECT min(step), max(step) FROM site");
  if (steps.empty() || std::isnan(steps[0][0])) return exit_code::kDone;
  print_layers(reader, steps[0][0]);
  if (steps[0][1] != steps[0][0]) print_layers(reader, steps[0][1]);
  return exit_code::kDone;
}

struct ShowOptions {
  std::filesystem::path results = "results";
  std::string cell;
};

}  // namespace

Command make_show(CLI::App& program) {
  CLI::App* app = program.add_subcommand("show", "Show one run layer by layer");
  const auto options = std::make_shared<ShowOptions>();
  app->add_option("CELL", options->cell, "The beginning of a run's id, from layerlab ls")
      ->required();
  app->add_option("--out", options->results, "Folder of all results")->capture_default_str();
  return {app, [options] { return show(options->results, options->cell); }};
}

}  // namespace layerlab::cli
