// From the numbers of a claim's runs to its estimate.
#pragma once

#include <optional>

#include "claims/claim_result.h"
#include "claims/estimate.h"

namespace layerlab::claims {

// The estimate where it has an interval, else nothing and the reason in the result: a run without a
// number, numbers that the kind cannot take, a mean of two groups that disagree (stats/bimodal.h),
// or a single seed. Fills in the result's sample, estimate, reason and warnings; diverged runs are
// always told of. Throws UserError for a fraction whose measure is neither 0 nor 1.
std::optional<Estimate> estimate_claim(ClaimResult& result);

}  // namespace layerlab::claims
