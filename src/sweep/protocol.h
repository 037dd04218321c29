// The protocol by which layerlab-worker reports to layerlab: one JSON object a line on its standard
// output.
//
//   {"event":"progress","step":120,"steps":400,"loss":2.1,"lr":0.01,"grad_norm":0.8,
//    "tokens_per_second":51000.0}
//   {"event":"cell","cell":"results/cells/3f9c","status":"finished"}     or "diverged", "elsewhere"
//   {"event":"message","level":"warning","text":"replica 2 diverged at step 31"}
//
// Every cell is named once, when it has ended or because another process trains it, unless it
// cannot be trained at all. What a worker prints to standard error is kept for the case that it
// crashes. Exit codes: 0 all cells were named, 2 the user's mistake (its line is the last on
// standard error), 130 interrupted with the state saved; anything else is a crash. SIGINT asks for
// 130.
#pragma once

#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "record/cell.h"

namespace layerlab::sweep {

// How far one worker's pack is. Means over its replicas; NaN where there is nothing to tell.
struct Progress {
  std::int64_t step = 0, steps = 0;
  double loss = 0, lr = 0, grad_norm = 0;
  double tokens_per_second = 0;  // of all replicas together
};

struct CellEnded {
  std::string cell;  // the folder, as it was given to the worker
  record::CellState state = record::CellState::kFinished;  // kFinished or kDiverged
};

// Another process trains the cell.
struct CellElsewhere {
  std::string cell;
};

enum class Level { kInfo, kWarning, kError };

struct Message {
  Level level = Level::kInfo;
  std::string text;
};

using Event = std::variant<Progress, CellEnded, CellElsewhere, Message>;

// An event that no worker of this version sends.
struct ProtocolError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// The event as one line, without the newline.
std::string to_line(const Event& event);

// The event of a line, or nothing where the line is none: libraries print there too.
// Throws ProtocolError.
std::optional<Event> parse_line(std::string_view line);

// The one line that `layerlab-worker version` answers.
struct WorkerVersion {
  std::string version, torch, build;
  std::vector<std::string> devices;  // "cpu", "cuda:0"
  int threads = 0;                   // that torch would use by itself
};

std::string to_line(const WorkerVersion& version);
std::optional<WorkerVersion> parse_version(std::string_view line);

}  // namespace layerlab::sweep
