#include "worker/runs.h"

#include <algorithm>
#include <ranges>
#include <string>

#include "core/error.h"
#include "record/checkpoint_files.h"
#include "record/record.h"
#include "train/checkpoint.h"

namespace layerlab::worker {
namespace {

// Whether the record holds every step before `step`: a record that was lost or cut cannot be
// completed by going on from a checkpoint.
bool record_reaches(const record::CellFolder& cell, std::int64_t step) {
  if (!std::filesystem::exists(cell.record())) return false;
  const record::Reader reader(cell.record());
  const auto count = reader.numbers("SELECT count(*) FROM scalar WHERE name = 'loss' AND step < " +
                                    std::to_string(step));
  return count[0][0] == static_cast<double>(step);
}

// The last weights of the run that `cell` begins with, which lies beside it.
std::filesystem::path origin_weights(const record::CellFolder& cell, const std::string& id) {
  const record::CellFolder origin{cell.root.parent_path() / id};
  const auto last = record::newest_checkpoint(origin.checkpoint());
  if (last && record::read_state(origin) == record::CellState::kFinished) {
    return record::checkpoint_file(origin.checkpoint(), *last);
  }
  throw UserError(
      {cell.config().string()},
      "begins with the last weights of run " + id + ", which has not finished or keeps none",
      "train that run first, for more than one step");
}

}  // namespace

Runs::Runs(const std::vector<std::filesystem::path>& folders) {
  for (const std::filesystem::path& folder : folders) {
    const record::CellFolder& cell = cells.emplace_back(record::CellFolder{folder});
    const config::RunConfig& run =
        configs.emplace_back(config::read_run_config(parse_toml_file(cell.config())));
    if (config::pack_key(run) != config::pack_key(shape())) {
      throw UserError({cell.config().string()},
                      "expected a run of the same shape as " + cells.front().config().string(),
                      "train it by itself");
    }
  }
  for (std::size_t r = 0; r < configs.size(); ++r) {
    std::string& init_from = configs[r].model.init_from;
    const std::string origin = config::origin_of(init_from);
    if (!origin.empty()) init_from = origin_weights(cells[r], origin);
  }
}

std::vector<std::filesystem::path> Runs::records() const {
  std::vector<std::filesystem::path> paths;
  for (const record::CellFolder& cell : cells) paths.push_back(cell.record());
  return paths;
}

std::int64_t Runs::common_checkpoint(const std::function<void(const std::string&)>& warn,
                                     std::int64_t latest) const {
  for (const std::int64_t step :
       record::checkpoint_steps(cells.front().checkpoint()) | std::views::reverse) {
    if (step > latest) continue;
    const bool everywhere = std::ranges::all_of(cells, [&](const record::CellFolder& cell) {
      return train::is_whole(cell.checkpoint(), step, warn) && record_reaches(cell, step);
    });
    if (everywhere) return step;
  }
  return 0;
}

}  // namespace layerlab::worker
