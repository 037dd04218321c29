// Verdicts on all claims of a file together, so that many claims are not wrong more often than one.
//
// Confirming is one family of tests and refuting another; Holm's procedure runs on each, over all
// claims of the file. So, whatever the claims have to do with each other, the probability that even
// one is confirmed wrongly is at most alpha, and that one is refuted wrongly is too
// (docs/statistics.md has the argument and sharper numbers).
#pragma once

#include <optional>
#include <vector>

#include "claims/claim_result.h"
#include "claims/estimate.h"

namespace layerlab::claims {

inline constexpr double kAlpha = 0.05;

// Fills in interval, method, level, p, p_adjusted, verdict, as_expected, and for an undecided claim
// the number of seeds that would settle it. Answers without an estimate keep their reason and count
// as claims; those that are closed stay as they are, and a verdict they have counts as passed.
// REQUIRES: estimates[i] belongs to results[i]; closed results have none.
void judge(const std::vector<std::optional<Estimate>>& estimates, std::vector<ClaimResult>& results,
           double alpha = kAlpha);

}  // namespace layerlab::claims
