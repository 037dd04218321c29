// What this worker is made of and can train on.
#pragma once

#include "sweep/protocol.h"

namespace layerlab::worker {

sweep::WorkerVersion worker_version();

}  // namespace layerlab::worker
