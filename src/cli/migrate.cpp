#include "config/migration.h"

#include <fmt/format.h>

#include <filesystem>
#include <memory>
#include <vector>

#include "cli/command.h"
#include "core/exit_code.h"
#include "core/names.h"

namespace layerlab::cli {
namespace {

using config::Migration;

struct MigrateOptions {
  std::filesystem::path results = "results";
  bool dry = false;
};

void print(const Migration& one) {
  switch (one.kind) {
    case Migration::Kind::kRename:
      return fmt::print("{} -> {}\n", one.from, one.to);
    case Migration::Kind::kSetAside:
      return fmt::print("{} -> replaced/{}: another folder of run {} has got further\n", one.from,
                        one.from, one.to);
    case Migration::Kind::kKeep:
      return fmt::print("{} stays: {}\n", one.from, one.reason);
  }
}

int migrate(const MigrateOptions& options) {
  const std::vector<Migration> plan = config::plan_migration(options.results);
  if (!options.dry) config::migrate(options.results, plan);
  int renamed = 0;
  for (const Migration& one : plan) {
    print(one);
    renamed += one.kind == Migration::Kind::kRename ? 1 : 0;
  }
  fmt::print("{} {}\n", counted(renamed, "run"), options.dry ? "to rename" : "renamed");
  return exit_code::kDone;
}

}  // namespace

Command make_migrate(CLI::App& program) {
  CLI::App* app = program.add_subcommand(
      "migrate", "Rename folders of runs that an earlier version named otherwise");
  const auto options = std::make_shared<MigrateOptions>();
  app->add_option("--out", options->results, "Folder of all results")->capture_default_str();
  app->add_flag("--dry-run", options->dry, "Rename nothing: show what would be");
  return {app, [options] { return migrate(*options); }};
}

}  // namespace layerlab::cli
