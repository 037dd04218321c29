// The folder of one run, and how far the run has come. The files are the state; there is no other
// ledger. See docs/record.md.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

#include "core/file_descriptor.h"

namespace layerlab::record {

struct CellFolder {
  std::filesystem::path root;  // results/cells/ID

  std::filesystem::path config() const { return root / "config.toml"; }
  std::filesystem::path manifest() const { return root / "manifest.json"; }
  std::filesystem::path record() const { return root / "record.db"; }
  std::filesystem::path checkpoint() const { return root / "checkpoint"; }  // a folder
  std::filesystem::path lock() const { return root / "lock"; }
  std::filesystem::path done() const { return root / "done"; }
};

// The folder of a run among all results: results/cells/ID.
CellFolder cell_folder(const std::filesystem::path& results, const std::string& id);

enum class CellState {
  kMissing,   // no config.toml: never started
  kBegun,     // interrupted, failed, or being trained right now
  kFinished,  // all steps taken
  kDiverged,  // ended early: a value was not finite
  kDamaged,   // ended or begun, with a file that cannot be used: damage() says which
};

// How a run ended: the file `done`.
struct Done {
  CellState state = CellState::kFinished;  // kFinished or kDiverged
  std::int64_t steps = 0;                  // steps taken
};

// Writes `done`, which ends the run: everything else must be on disk before.
void write_done(const CellFolder& cell, const Done& done);

// REQUIRES: the run has ended. Throws UserError when `done` is missing or damaged.
Done read_done(const CellFolder& cell);

// By the files. Those of a run that has begun are checked, as it will go on with them; after the
// end, that they are there.
CellState read_state(const CellFolder& cell);

// Why the state is kDamaged: the file, what is wrong with it and what to do; else "".
std::string damage(const CellFolder& cell);

// Finished or diverged.
bool has_ended(CellState state);

// The right to train a cell, held by one process at a time and given back by the system when that
// process ends, however it ends.
class CellLock {
 public:
  // Makes the folder, takes the lock and clears away what a killed holder left half-written.
  // Nothing where another process has the lock. Throws UserError where the disk refuses.
  static std::optional<CellLock> take(const CellFolder& cell);
  // Whether a process has the lock just now.
  static bool is_taken(const CellFolder& cell);

 private:
  explicit CellLock(int file) : file_(file) {}

  // The file stays: removing it would let two processes lock two different files of that name.
  FileDescriptor file_;
};

}  // namespace layerlab::record
