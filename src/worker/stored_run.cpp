#include "worker/stored_run.h"

#include <filesystem>
#include <ranges>
#include <system_error>

#include "config/identity.h"
#include "config/validate.h"
#include "core/error.h"
#include "record/checkpoint_files.h"
#include "record/record.h"
#include "train/checkpoint.h"

namespace layerlab::worker {
namespace {

// Whether the record holds every step before `step`: a record that was lost or cut cannot be
// completed by going on from a checkpoint.
bool record_reaches(const record::CellFolder& cell, std::int64_t step) {
  std::error_code error;
  const auto bytes = std::filesystem::file_size(cell.record(), error);
  if (error || bytes == 0) return false;
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

config::RunConfig read_run(const record::CellFolder& cell) {
  const TomlNode settings = parse_toml_file(cell.config());
  config::RunConfig run = config::read_stored_run(settings);
  config::validate(settings, run);
  const std::string origin = config::origin_of(run.model.init_from);
  if (!origin.empty()) run.model.init_from = origin_weights(cell, origin);
  return run;
}

std::int64_t newest_whole_step(const record::CellFolder& cell,
                               const std::function<void(const std::string&)>& warn,
                               std::int64_t latest) {
  for (const std::int64_t step :
       record::checkpoint_steps(cell.checkpoint()) | std::views::reverse) {
    if (step > latest || !train::is_whole(cell.checkpoint(), step, warn)) continue;
    if (record_reaches(cell, step)) return step;
  }
  return 0;
}

}  // namespace layerlab::worker
