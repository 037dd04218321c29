#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <string>
#include <tuple>
#include <vector>

#include "cli/cells.h"
#include "cli/command.h"
#include "core/error.h"
#include "core/exit_code.h"

namespace layerlab::cli {
namespace {

void print(const StoredCell& cell) {
  const auto loss = final_loss(cell.folder);
  fmt::print("{:8}  {:8}  {:16}  {:>5}  {:>8.3g}  {:>6}  {:>4}  {:>5}  {:>8}\n",
             cell.id.substr(0, 8), state_text(cell.folder), cell.config.model.block,
             cell.config.model.depth, cell.config.train.lr, cell.config.train.warmup,
             cell.config.seed, cell.config.train.steps, loss ? fmt::format("{:.4g}", *loss) : "-");
}

int ls(const std::filesystem::path& results) {
  std::vector<StoredCell> cells = stored_cells(results);
  if (cells.empty()) {
    spdlog::info("no runs in {}; layerlab run trains one", results.string());
    return exit_code::kDone;
  }
  std::ranges::stable_sort(cells, {}, [](const StoredCell& cell) {
    const config::RunConfig& run = cell.config;
    return std::tuple(run.task.name, run.model.block, run.model.depth, run.train.lr,
                      run.train.warmup, run.seed);
  });
  fmt::print("{:8}  {:8}  {:16}  {:>5}  {:>8}  {:>6}  {:>4}  {:>5}  {:>8}\n", "cell", "state",
             "block", "depth", "lr", "warmup", "seed", "steps", "loss");
  for (const StoredCell& cell : cells) {
    try {
      print(cell);
    } catch (const UserError& error) {  // one damaged run hides no other
      fmt::print("{:8}  damaged   {}\n", cell.id.substr(0, 8), error.what());
    }
  }
  return exit_code::kDone;
}

}  // namespace

Command make_ls(CLI::App& program) {
  CLI::App* app = program.add_subcommand("ls", "List all runs and how far they are");
  const auto results = std::make_shared<std::filesystem::path>("results");
  app->add_option("--out", *results, "Folder of all results")->capture_default_str();
  return {app, [results] { return ls(*results); }};
}

}  // namespace layerlab::cli
