// Takes the cells of a pack that are to be trained here.
#pragma once

#include <cstdint>
#include <exception>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "record/cell.h"
#include "worker/report.h"
#include "worker/run.h"

namespace layerlab::worker {

// Takes the locks of cells. `report` hears of cells that have ended, as whoever trained them may
// have come first, and of those that another process is training: both are left as they are.
class OpenRuns {
 public:
  OpenRuns(const std::vector<std::filesystem::path>& folders, const Report& report);

  // The runs to train, by the step that they go on from.
  std::map<std::int64_t, std::vector<Run>>& by_first_step() { return runs_; }

  // Throws UserError for the first cell that cannot be trained: its configuration cannot be read,
  // or is of another shape than those before it.
  void throw_if_refused() const {
    if (refused_) std::rethrow_exception(refused_);
  }

 private:
  void open(const record::CellFolder& cell, const Report& report);

  std::map<std::int64_t, std::vector<Run>> runs_;
  std::string pack_key_;  // of them all
  std::exception_ptr refused_;
};

}  // namespace layerlab::worker
