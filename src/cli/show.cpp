#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include <cmath>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cli/cells.h"
#include "cli/command.h"
#include "config/run_config_toml.h"
#include "core/error.h"
#include "core/exit_code.h"
#include "core/files.h"
#include "record/manifest.h"
#include "record/record.h"
#include "report/layers.h"

namespace layerlab::cli {
namespace {

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
  if (!is_there(folder.manifest())) return;
  record::Manifest manifest;
  try {
    manifest = record::read_manifest(folder);
  } catch (const UserError& error) {
    spdlog::warn("{}", error.what());
    return;
  }
  const std::optional<double> percent = record::measuring_percent(manifest);
  if (!percent) return;
  fmt::print("  measuring took {:.1f} % of the time of steps: {} of {} were measured\n", *percent,
             manifest.measured.steps, manifest.measured.steps + manifest.unmeasured.steps);
}

int show(const std::filesystem::path& results, const std::string& prefix) {
  const StoredCell cell = find_cell(results, prefix);
  fmt::print("{}  {}\n", cell.id, state_text(cell.folder));
  print_block(cell.config.block);
  print_settings(cell.config);
  if (!is_there(cell.folder.record())) {
    fmt::print("  nothing on record yet\n");
    return exit_code::kDone;
  }
  const record::Reader reader(cell.folder.record());
  print_loss(reader);
  report::print_events(reader);
  print_cost(cell.folder);
  fmt::print("  record {}\n", cell.folder.record().string());
  const auto steps = reader.numbers("SELECT min(step), max(step) FROM site");
  if (steps.empty() || std::isnan(steps[0][0])) return exit_code::kDone;
  report::print_layers(reader, steps[0][0]);
  if (steps[0][1] != steps[0][0]) report::print_layers(reader, steps[0][1]);
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
