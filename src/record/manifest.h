// How a run came about: what is worth knowing about it and does not decide its numbers.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "record/cell.h"

namespace layerlab::record {

// Steps and the time they took, without what is not part of a step: checkpoints, evaluations.
struct StepTimes {
  std::int64_t steps = 0;
  double seconds = 0;
};

struct Manifest {
  std::map<std::string, std::string> versions;  // "layerlab", "torch", "compiler", "commit", …
  std::string host;
  std::string device;      // "cpu", "cuda:0"
  int threads = 1;         // that tensors were computed with
  int replicas = 1;        // runs trained together in one model, this one included
  int sittings = 0;        // times that training was started or resumed
  std::string started;     // of the first sitting, UTC: "2026-01-31T12:00:00Z"
  std::string ended;       // of the last sitting
  double seconds = 0;      // spent in steps, over all sittings
  std::int64_t steps = 0;  // taken, over all sittings; more than the run has when work was lost
  // Of those, the ones that were measured layer by layer and the others. The first of each sitting,
  // which is slow, is in neither.
  StepTimes measured, unmeasured;
};

// What measuring added to the time of all steps, in percent of what they would have taken without.
// Nothing where fewer than five steps are of one of both kinds: their times say nothing.
std::optional<double> measuring_percent(const Manifest& manifest);

// Replaces manifest.json.
void write_manifest(const CellFolder& cell, const Manifest& manifest);

// Throws UserError when manifest.json is missing or damaged.
Manifest read_manifest(const CellFolder& cell);

// What training a run has taken so far: its share of the time of the runs trained together with it,
// by manifest.json. Nothing where that is missing or damaged.
std::optional<double> training_seconds(const CellFolder& cell);

// Now, and this machine's name, as manifests write them.
std::string utc_now();
std::string host_name();

}  // namespace layerlab::record
