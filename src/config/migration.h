// Folders of runs whose names were computed otherwise, by an earlier version, renamed to today's.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace layerlab::config {

// What becomes of one folder of results/cells, by the names there.
struct Migration {
  enum class Kind {
    kRename,    // from -> to
    kSetAside,  // from -> results/replaced/from: another folder of the run `to` has got further
    kKeep,      // cannot be read; stays as it is
  };
  Kind kind = Kind::kRename;
  std::string from, to;
  std::string reason;  // of kKeep
};

// What migrate() would do, in the order in which it does it; empty where every folder has the name
// of its run. Reads the settings of each run and changes nothing. Of two folders of one run, the
// finished one is kept, else a diverged one, else the one with today's name.
std::vector<Migration> plan_migration(const std::filesystem::path& results);

// Carries it out. Ids in other runs' config.toml (model.init_from) and in the files of experiments
// (experiment.toml, cells.txt, verdicts.json) follow. Nothing is deleted or overwritten; killed on
// its way, it goes on where it was. Throws UserError where one of the runs is being trained.
void migrate(const std::filesystem::path& results, const std::vector<Migration>& plan);

// Whether one of these folders of results/cells holds another run than its name says. Stops at the
// first.
bool has_migratable(const std::filesystem::path& results, const std::vector<std::string>& names);

}  // namespace layerlab::config
