#include "cli/cells.h"

#include <spdlog/spdlog.h>

#include <algorithm>

#include "config/identity.h"
#include "config/migration.h"
#include "core/error.h"
#include "core/files.h"
#include "record/record.h"
#include "sweep/plan.h"

namespace layerlab::cli {
namespace fs = std::filesystem;
namespace {

constexpr std::size_t kMostCandidates = 6;  // that a message lists
constexpr std::size_t kMostLookedAt = 200;  // for names of earlier versions: 0.1 s

std::vector<std::string> ids(const fs::path& results) {
  std::vector<std::string> result;
  for (const fs::path& entry : sorted_entries(results / "cells")) {
    std::error_code unknown;
    if (fs::is_directory(entry, unknown)) result.push_back(entry.filename().string());
  }
  return result;
}

StoredCell read_cell(const fs::path& results, const std::string& id) {
  StoredCell cell{id, record::cell_folder(results, id), {}};
  cell.config = sweep::read_settings(cell.folder);
  return cell;
}

void warn_of_names(const fs::path& results) {
  spdlog::warn("{} holds runs that an earlier version named; layerlab migrate renames them",
               results.string());
}

std::string listed(const std::vector<std::string>& found) {
  std::string text;
  for (std::size_t i = 0; i < std::min(found.size(), kMostCandidates); ++i) {
    text += (text.empty() ? "" : ", ") + found[i].substr(0, 12);
  }
  return found.size() > kMostCandidates ? text + ", …" : text;
}

}  // namespace

std::vector<StoredCell> stored_cells(const fs::path& results) {
  std::vector<StoredCell> cells;
  bool earlier = false;
  for (const std::string& id : ids(results)) {
    try {
      const record::CellFolder folder = record::cell_folder(results, id);
      StoredCell cell{id, folder, config::read_stored_run(parse_toml_file(folder.config()))};
      if (config::cell_id(cell.config) != id) {
        earlier = true;
      } else {
        cells.push_back(std::move(cell));
      }
    } catch (const UserError& error) {
      spdlog::warn("cell {} left out: {}", id.substr(0, 8), error.what());
    }
  }
  if (earlier) warn_of_names(results);
  return cells;
}

void warn_of_earlier_names(const fs::path& results) {
  std::vector<std::string> some = ids(results);
  some.resize(std::min(some.size(), kMostLookedAt));
  if (config::has_migratable(results, some)) warn_of_names(results);
}

StoredCell find_cell(const fs::path& results, const std::string& prefix) {
  const fs::path path(prefix);
  if (fs::exists(path / "config.toml")) {
    const fs::path folder = fs::absolute(path).lexically_normal();
    const fs::path cell = folder.has_filename() ? folder : folder.parent_path();
    return read_cell(cell.parent_path().parent_path(), cell.filename().string());
  }
  const std::vector<std::string> all = ids(results);
  std::vector<std::string> found;
  std::ranges::copy_if(all, std::back_inserter(found),
                       [&](const std::string& id) { return id.starts_with(prefix); });
  if (found.size() == 1) return read_cell(results, found[0]);
  const Place place{(results / "cells").string()};
  if (all.empty()) throw UserError(place, "holds no runs", "layerlab run trains one");
  if (found.empty()) {
    throw UserError(place, "no cell's id begins with " + prefix, "there are " + listed(all));
  }
  throw UserError(place, std::to_string(found.size()) + " cells' ids begin with " + prefix,
                  "write more of " + listed(found));
}

std::string state_text(const record::CellFolder& folder) {
  switch (record::read_state(folder)) {
    case record::CellState::kMissing:
      return "missing";
    case record::CellState::kBegun:
      return "begun";
    case record::CellState::kFinished:
      return "finished";
    case record::CellState::kDiverged:
      return "diverged";
    case record::CellState::kDamaged:
      return "damaged";
  }
  return "";
}

std::optional<double> final_loss(const record::CellFolder& folder) {
  if (!is_there(folder.record())) return std::nullopt;
  const auto rows = record::Reader(folder.record())
                        .numbers(
                            "SELECT value FROM scalar WHERE name = 'loss' "
                            "ORDER BY step DESC LIMIT 1");
  if (rows.empty()) return std::nullopt;
  return rows[0][0];
}

}  // namespace layerlab::cli
