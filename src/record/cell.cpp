#include "record/cell.h"

#include <fcntl.h>
#include <sys/file.h>

#include <cassert>
#include <cerrno>
#include <cstring>
#include <optional>
#include <string>

#include "core/error.h"
#include "core/files.h"
#include "core/json.h"
#include "record/open.h"

namespace layerlab::record {
namespace fs = std::filesystem;
namespace {

// Nothing where the text is not what write_done() writes.
std::optional<Done> parse_done(const std::string& text) {
  JsonNode tree;
  try {
    tree = parse_json(text, {});
  } catch (const UserError&) {
    return std::nullopt;
  }
  const JsonNode* const status = tree.find("status");
  const JsonNode* const steps = tree.find("steps");
  const auto* const word = status == nullptr ? nullptr : status->get<std::string>();
  const auto* const count = steps == nullptr ? nullptr : steps->get<std::int64_t>();
  if (word == nullptr || count == nullptr) return std::nullopt;
  if (*word == "finished") return Done{CellState::kFinished, *count};
  if (*word == "diverged") return Done{CellState::kDiverged, *count};
  return std::nullopt;
}

// Throws UserError where a file is damaged.
CellState checked_state(const CellFolder& cell) {
  if (is_there(cell.done())) {
    const CellState state = read_done(cell).state;
    if (!is_there(cell.record())) {
      throw UserError({cell.record().string()}, "is missing, although the run has ended",
                      "remove the run's folder, and it is trained again");
    }
    require_file(cell.record());
    return state;
  }
  if (!is_there(cell.config())) return CellState::kMissing;
  require_file(cell.config());
  if (is_there(cell.record())) check_resumable(cell.record());
  return CellState::kBegun;
}

}  // namespace

CellFolder cell_folder(const std::filesystem::path& results, const std::string& id) {
  return {results / "cells" / id};
}

void write_done(const CellFolder& cell, const Done& done) {
  assert(done.state == CellState::kFinished || done.state == CellState::kDiverged);
  const char* const status = done.state == CellState::kFinished ? "finished" : "diverged";
  const JsonNode::Object tree = {{"status", status}, {"steps", done.steps}};
  write_file_atomically(cell.done(), to_json(tree, JsonLayout::kCompact) + "\n");
}

Done read_done(const CellFolder& cell) {
  const std::optional<Done> done = parse_done(read_file(cell.done()));
  if (done) return *done;
  throw UserError({cell.done().string()},
                  R"(should read {"status":"finished" or "diverged","steps":N})",
                  "remove the file to resume the run from its last checkpoint");
}

CellState read_state(const CellFolder& cell) {
  try {
    return checked_state(cell);
  } catch (const UserError&) {
    return CellState::kDamaged;
  }
}

std::string damage(const CellFolder& cell) {
  try {
    checked_state(cell);
    return {};
  } catch (const UserError& error) {
    return error.what();
  }
}

bool has_ended(CellState state) {
  return state == CellState::kFinished || state == CellState::kDiverged;
}

std::optional<CellLock> CellLock::take(const CellFolder& cell) {
  const auto fail = [&](const std::string& what) {
    throw UserError({cell.root.string()}, what + ": " + std::strerror(errno));
  };
  std::error_code error;
  fs::create_directories(cell.root, error);
  CellLock lock(::open(cell.lock().c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666));
  if (!lock.file_) fail("cannot be written");
  if (::flock(lock.file_.get(), LOCK_EX | LOCK_NB) != 0) {
    if (errno == EWOULDBLOCK) return std::nullopt;
    fail("cannot be locked");
  }
  remove_temporaries(cell.root);
  return lock;
}

bool CellLock::is_taken(const CellFolder& cell) {
  const FileDescriptor probe(::open(cell.lock().c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  return probe && ::flock(probe.get(), LOCK_SH | LOCK_NB) != 0 && errno == EWOULDBLOCK;
}

}  // namespace layerlab::record
