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
#include "cli/terminal.h"
#include "core/error.h"
#include "core/exit_code.h"
#include "core/text_table.h"

namespace layerlab::cli {
namespace {

std::vector<TextCell> row_of(const StoredCell& cell) {
  const config::RunConfig& run = cell.config;
  const std::string state = state_text(cell.folder);
  if (state == "damaged") throw UserError({}, record::damage(cell.folder));
  const auto loss = final_loss(cell.folder);
  return {cell.id.substr(0, 8),
          state,
          run.model.block,
          std::to_string(run.model.depth),
          fmt::format("{:.3g}", run.train.lr),
          std::to_string(run.train.warmup),
          std::to_string(run.seed),
          std::to_string(run.train.steps),
          loss ? fmt::format("{:.4g}", *loss) : "-"};
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
  TextTable table{{{"cell"},
                   {"state"},
                   {"block"},
                   {.title = "depth", .right = true},
                   {.title = "lr", .right = true},
                   {.title = "warmup", .right = true},
                   {.title = "seed", .right = true},
                   {.title = "steps", .right = true},
                   {.title = "loss", .right = true}},
                  {}};
  std::string damaged;
  for (const StoredCell& cell : cells) {
    try {
      table.rows.push_back(row_of(cell));
    } catch (const UserError& error) {  // one damaged run hides no other
      damaged += fmt::format("{} is damaged: {}\n", cell.id.substr(0, 8), error.what());
    }
  }
  fmt::print("{}{}", to_text(table, table_style()), damaged);
  return exit_code::kDone;
}

}  // namespace

Command make_ls(CLI::App& program) {
  CLI::App* app = program.add_subcommand("ls", "List all runs with state and loss");
  const auto results = std::make_shared<std::filesystem::path>("results");
  app->add_option("--out", *results, "Folder of all results")->capture_default_str();
  return {app, [results] { return ls(*results); }};
}

}  // namespace layerlab::cli
