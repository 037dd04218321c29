// What it takes to read runs' numbers: where their records are, and what guessing would lose.
#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <string>
#include <utility>

#include "config/experiment.h"
#include "record/cell.h"

namespace layerlab::claims {

// Where the cell of an id lives.
using CellFolders = std::function<record::CellFolder(const std::string& id)>;

// In this results folder.
CellFolders cells_in(const std::filesystem::path& results);

// The loss of guessing, computed for each task and kind of model once: for some tasks a file is
// read.
class ChanceLosses {
 public:
  double of(const config::Cell& cell);

 private:
  std::map<std::pair<config::ModelKind, std::string>, double> known_;
};

}  // namespace layerlab::claims
