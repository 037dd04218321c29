// The runs in a results folder, as `ls` and `show` need them.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "config/run_config.h"
#include "record/cell.h"

namespace layerlab::cli {

struct StoredCell {
  std::string id;
  record::CellFolder folder;
  config::RunConfig config;
};

// All cells in the order of their ids. A cell whose config.toml cannot be read is left out with a
// warning; those that an earlier version named are left out with one warning for all.
std::vector<StoredCell> stored_cells(const std::filesystem::path& results);

// Warns in one line where some of the first cells have names that an earlier version gave them.
void warn_of_earlier_names(const std::filesystem::path& results);

// The cell whose id begins with `prefix`, which may also be the path of its folder.
// Throws UserError where none or several do.
StoredCell find_cell(const std::filesystem::path& results, const std::string& prefix);

// "finished", "diverged", "begun" or "missing".
std::string state_text(const record::CellFolder& folder);

// The loss of the last step on record.
std::optional<double> final_loss(const record::CellFolder& folder);

}  // namespace layerlab::cli
