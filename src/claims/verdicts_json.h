// Verdicts for programs: the file verdicts.json.
#pragma once

#include <string>
#include <vector>

#include "claims/claim_result.h"

namespace layerlab::claims {

// {"claims": [{"id", …, "verdict", "estimate", "low", "high", "level", …, "where": [{"cell",
// "seed", "value"}]}]}: every claim with every run's number; null where there is none. The keys are
// explained in docs/statistics.md.
std::string verdicts_json(const std::vector<ClaimResult>& results);

}  // namespace layerlab::claims
