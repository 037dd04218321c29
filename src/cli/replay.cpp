#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include <cmath>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <sstream>
#include <string>
#include <vector>

#include "cli/ask_worker.h"
#include "cli/cells.h"
#include "cli/command.h"
#include "cli/layers.h"
#include "cli/log_level.h"
#include "core/error.h"
#include "core/exit_code.h"
#include "core/names.h"
#include "record/manifest.h"
#include "record/record.h"
#include "sweep/protocol.h"
#include "sweep/worker.h"

namespace layerlab::cli {
namespace {

namespace fs = std::filesystem;

struct ReplayOptions {
  std::string cell;
  std::int64_t step = 0;
  fs::path folder;  // of the step's record; empty: in the cell's
  fs::path results = "results";
  std::optional<std::string> device;
  std::optional<int> threads;
};

void check_step(const record::CellFolder& cell, std::int64_t step) {
  if (!fs::exists(cell.record())) {
    throw UserError({cell.root.string()}, "nothing is on record yet", "train it first");
  }
  const auto range = record::Reader(cell.record())
                         .numbers("SELECT min(step), max(step) FROM scalar WHERE name = 'loss'");
  const double last = range[0][1];
  if (std::isnan(last)) {
    throw UserError({cell.record().string()}, "no step is on record yet", "train it first");
  }
  if (step < 0 || static_cast<double>(step) > last) {
    throw UserError({"--step"},
                    fmt::format("expected a step on record, 0 to {:.0f}, got {}", last, step));
  }
}

// What the run was last trained on; where it does not say, the defaults of a new one.
record::Manifest machine_of(const record::CellFolder& cell) {
  try {
    return record::read_manifest(cell);
  } catch (const UserError&) {
    record::Manifest unknown;
    unknown.device = "auto";
    return unknown;
  }
}

void pass_on_messages(const std::string& output) {
  std::istringstream lines(output);
  for (std::string line; std::getline(lines, line);) {
    const std::optional<sweep::Event> event = sweep::parse_line(line);
    const auto* message = event ? std::get_if<sweep::Message>(&*event) : nullptr;
    if (message != nullptr) spdlog::log(log_level(message->level), "{}", message->text);
  }
}

// By name.
std::map<std::string, double> scalars(const fs::path& record, std::int64_t step) {
  const record::Reader reader(record);
  const std::string where =
      fmt::format(" FROM scalar WHERE step = {} AND name NOT LIKE 'eval%' ORDER BY name", step);
  const auto names = reader.strings("SELECT name" + where);
  const auto values = reader.numbers("SELECT value" + where);
  std::map<std::string, double> result;
  for (std::size_t i = 0; i < names.size(); ++i) result[names[i]] = values[i][0];
  return result;
}

// Says whether all numbers are those on record, bit for bit.
bool compare(const fs::path& original, const fs::path& repeated, std::int64_t step) {
  const auto wanted = scalars(original, step), got = scalars(repeated, step);
  std::string different;
  for (const auto& [name, value] : wanted) {
    const double other = got.at(name);
    if (value == other || (std::isnan(value) && std::isnan(other))) continue;
    different += fmt::format("{}{} {:.9g}, on record {:.9g}", different.empty() ? "" : "; ", name,
                             other, value);
  }
  if (different.empty()) {
    fmt::print("  equal to the record bit for bit: loss {:.6g}, gradient norm {:.6g}\n",
               wanted.at("loss"), wanted.at("grad_norm"));
  } else {
    fmt::print("  NOT equal to the record: {}\n", different);
  }
  return different.empty();
}

int replay(const ReplayOptions& options) {
  const StoredCell cell = find_cell(options.results, options.cell);
  check_step(cell.folder, options.step);
  const fs::path folder = options.folder.empty()
                              ? cell.folder.root / "replay" / fmt::format("step-{}", options.step)
                              : options.folder;
  if (fs::exists(record::CellFolder{folder}.config())) {
    throw UserError({folder.string()}, "is the folder of a run, whose record stays as it is",
                    "name another with --out");
  }
  const record::Manifest trained = machine_of(cell.folder);
  const fs::path worker = sweep::find_worker();
  const std::string device = sweep::resolve_device(options.device.value_or(trained.device), worker);
  const int threads = options.threads.value_or(trained.threads);
  const fs::path record = record::CellFolder{folder}.record();
  pass_on_messages(ask_worker({"replay", "--device", device, "--threads", std::to_string(threads),
                               "--step", std::to_string(options.step), "--record", record.string(),
                               "--", cell.folder.root.string()},
                              sweep::thread_variables(threads))
                       .output);

  fmt::print("{}  step {}, repeated on {}\n", cell.id, options.step, device);
  const bool equal = compare(cell.folder.record(), record, options.step);
  const record::Reader reader(record);
  print_events(reader);
  fmt::print("  record {}\n", record.string());
  print_layers(reader, static_cast<double>(options.step));
  if (!equal) {
    spdlog::warn(
        "trained on {} with {} of layerlab {} and torch {}; docs/failures.md says when "
        "a replay is exact",
        trained.device, counted(trained.threads, "thread"),
        trained.versions.contains("layerlab") ? trained.versions.at("layerlab") : "unknown",
        trained.versions.contains("torch") ? trained.versions.at("torch") : "unknown");
  }
  return equal ? exit_code::kDone : exit_code::kNotAsExpected;
}

}  // namespace

Command make_replay(CLI::App& program) {
  CLI::App* app =
      program.add_subcommand("replay", "Repeat one step of a run with every place measured");
  const auto options = std::make_shared<ReplayOptions>();
  app->add_option("CELL", options->cell, "The beginning of a run's id, from layerlab ls")
      ->required();
  app->add_option("--step", options->step, "The step, as the record counts them")->required();
  app->add_option("--out", options->folder,
                  "Folder for the step's record.db (default: replay/step-N in the run's)");
  app->add_option("--results", options->results, "Folder of all results")->capture_default_str();
  app->add_option("--device", options->device,
                  "auto, cpu, cuda or cuda:N (default: what the run was trained on)");
  app->add_option("--threads", options->threads, "Threads (default: as the run was trained)")
      ->check(CLI::Range(1, 4096));
  return {app, [options] { return replay(*options); }};
}

}  // namespace layerlab::cli
