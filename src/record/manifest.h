// How a run came about: what is worth knowing about it and does not decide its numbers.
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "record/cell.h"

namespace layerlab::record {

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
};

// Replaces manifest.json.
void write_manifest(const CellFolder& cell, const Manifest& manifest);

// Throws UserError when manifest.json is missing or damaged.
Manifest read_manifest(const CellFolder& cell);

// Now, as manifests write it.
std::string utc_now();

}  // namespace layerlab::record
