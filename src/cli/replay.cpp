#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <memory>
#include <optional>
#include <sstream>
#include <string>
#include <vector>

#include "cli/ask_worker.h"
#include "cli/cells.h"
#include "cli/command.h"
#include "cli/log_level.h"
#include "core/error.h"
#include "core/exit_code.h"
#include "core/names.h"
#include "record/manifest.h"
#include "record/record.h"
#include "report/layers.h"
#include "report/step_comparison.h"
#include "sweep/protocol.h"
#include "sweep/worker.h"

namespace layerlab::cli {
namespace {

namespace fs = std::filesystem;

constexpr int kMostThreads = 4096;
constexpr std::size_t kMostNamed = 6;  // numbers that differ

struct ReplayOptions {
  std::string cell;
  std::int64_t step = 0;
  fs::path record;  // of the step; empty: in the run's folder
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

// Says whether all numbers are those on record, bit for bit.
bool compare(const record::Reader& on_record, const record::Reader& repeated, std::int64_t step) {
  const std::vector<std::string> different = report::differences(on_record, repeated, step);
  if (different.empty()) {
    const auto scalar = [&](const char* name) {
      return repeated.numbers(fmt::format(
          "SELECT value FROM scalar WHERE step = {} AND name = '{}'", step, name))[0][0];
    };
    fmt::print("  equal to the record bit for bit: loss {:.6g}, gradient norm {:.6g}\n",
               scalar("loss"), scalar("grad_norm"));
    return true;
  }
  const std::size_t named = std::min(different.size(), kMostNamed);
  fmt::print("  NOT equal to the record: {}",
             fmt::join(different.begin(), different.begin() + static_cast<long>(named), "; "));
  if (different.size() > named) fmt::print("; and {} more", different.size() - named);
  fmt::print("\n");
  return false;
}

// Where the step's record goes, links followed. Throws UserError for a run's own record and for
// files that are no records.
fs::path record_of(const ReplayOptions& options, const record::CellFolder& cell) {
  if (options.record.empty()) {
    const std::string step = fmt::format("step-{}", options.step);
    return record::CellFolder{cell.root / "replay" / step}.record();
  }
  const fs::path record = fs::weakly_canonical(fs::absolute(options.record));
  if (fs::exists(record::CellFolder{record.parent_path()}.config())) {
    throw UserError({options.record.string()}, "is the place of a run, whose record stays as it is",
                    "name another file with --record");
  }
  if (!fs::exists(record)) return record;
  try {
    record::Reader{record};
  } catch (const UserError&) {
    throw UserError({options.record.string()}, "is no record of a step, and stays as it is",
                    "name another file with --record");
  }
  return record;
}

int replay(const ReplayOptions& options) {
  const StoredCell cell = find_cell(options.results, options.cell);
  check_step(cell.folder, options.step);
  const fs::path record = record_of(options, cell.folder);
  const record::Manifest trained = machine_of(cell.folder);
  const fs::path worker = sweep::find_worker();
  const std::string device = sweep::resolve_device(options.device.value_or(trained.device), worker);
  const int threads = options.threads.value_or(trained.threads);
  if (threads < 1 || threads > kMostThreads) {
    throw UserError({cell.folder.manifest().string()},
                    fmt::format("expected threads from 1 to {}, got {}", kMostThreads, threads),
                    "say how many with --threads");
  }
  pass_on_messages(ask_worker({"replay", "--device", device, "--threads", std::to_string(threads),
                               "--step", std::to_string(options.step), "--record", record.string(),
                               "--", cell.folder.root.string()},
                              sweep::thread_variables(threads))
                       .output);

  fmt::print("{}  step {}, repeated on {}\n", cell.id, options.step, device);
  const record::Reader reader(record);
  const bool equal = compare(record::Reader(cell.folder.record()), reader, options.step);
  report::print_events(reader);
  fmt::print("  record {}\n", record.string());
  report::print_layers(reader, static_cast<double>(options.step));
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
  app->add_option("--step", options->step, "The step, as in the record")->required();
  app->add_option(
      "--record", options->record,
      "File for the step's record (default: replay/step-N/record.db in the run's folder)");
  app->add_option("--out", options->results, "Folder of all results")->capture_default_str();
  app->add_option("--device", options->device,
                  "auto, cpu, cuda or cuda:N (default: what the run was trained on)");
  app->add_option("--threads", options->threads, "Threads (default: as the run was trained)")
      ->check(CLI::Range(1, kMostThreads));
  return {app, [options] { return replay(*options); }};
}

}  // namespace layerlab::cli
