#include "report/results_page.h"

#include <fmt/format.h>

#include <map>
#include <set>
#include <thread>

#include "core/error.h"
#include "core/files.h"
#include "core/names.h"
#include "core/text.h"
#include "record/manifest.h"
#include "report/machine.h"
#include "sweep/plan.h"

namespace layerlab::report {
namespace {

// Where the runs of all studies were trained.
struct Origin {
  std::map<std::string, std::int64_t> devices;  // "cpu with 1 thread" and how many runs
  std::set<std::string> versions;
  std::int64_t runs = 0, elsewhere = 0;  // elsewhere: on another machine than this one
};

std::string versions_text(const record::Manifest& manifest) {
  std::string text;
  for (const auto& [name, version] : manifest.versions) {
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", name, version);
  }
  return text;
}

void add(const record::CellFolder& cell, Origin& origin) {
  if (!is_there(cell.manifest())) return;
  record::Manifest manifest;
  try {
    manifest = record::read_manifest(cell);
  } catch (const UserError&) {
    return;  // verdicts rest on the record alone
  }
  ++origin.runs;
  origin.elsewhere += manifest.host == record::host_name() ? 0 : 1;
  ++origin.devices[fmt::format("{} with {}", manifest.device, counted(manifest.threads, "thread"))];
  origin.versions.insert(versions_text(manifest));
}

Origin origin_of(const std::vector<claims::JudgedStudy>& studies,
                 const std::filesystem::path& results) {
  std::set<std::string> cells;
  for (const claims::JudgedStudy& study : studies) {
    for (const claims::ClaimResult& result : study.results) {
      for (const auto* const runs : {&result.where, &result.versus}) {
        for (const claims::RunNumber& run : *runs) {
          for (const auto& [cell, seconds] : run.seconds) cells.insert(cell);
        }
      }
    }
  }
  Origin origin;
  for (const std::string& cell : cells) add(record::cell_folder(results, cell), origin);
  return origin;
}

std::string item(const char* title, const std::string& text) {
  return fmt::format("- {}: {}\n", title, markdown(text));
}

std::string devices_text(const Origin& origin) {
  std::string text;
  for (const auto& [device, runs] : origin.devices) {
    text += fmt::format("{}{} on {}", text.empty() ? "" : ", ", counted(runs, "run"), device);
  }
  if (origin.elsewhere > 0) {
    text += fmt::format("; {} of them trained on another machine", origin.elsewhere);
  }
  return text;
}

}  // namespace

std::string results_page(const std::vector<claims::JudgedStudy>& studies,
                         const std::filesystem::path& results, const config::Overrides& overrides) {
  const Origin origin = origin_of(studies, results);
  std::string size = overrides.quick ? "quick" : "full";
  if (overrides.seed_offset > 0) size += fmt::format(", seeds + {}", overrides.seed_offset);
  std::string text =
      "# Verdicts\n\nWritten by `layerlab verify`; docs/statistics.md has the rules.\n\n";
  text += item("date", record::utc_now().substr(0, 10));
  text += item("size", size);
  text += item("machine", fmt::format("{}, {}", processor(),
                                      counted(std::thread::hardware_concurrency(), "core")));
  for (const std::string& gpu : gpus()) text += item("GPU", gpu);
  if (origin.runs > 0) text += item("training", devices_text(origin));
  for (const std::string& versions : origin.versions) text += item("versions", versions);
  return text + "\n" + claims::overview_markdown(studies);
}

}  // namespace layerlab::report
