// From the numbers of runs to one number a seed, which is what estimates are made from. Runs of one
// seed share initial weights and data, so they are one observation, however many there are.
#pragma once

#include <string>
#include <vector>

#include "claims/claim_result.h"

namespace layerlab::claims {

// Numbers of the seeds, or why there are none.
struct Sample {
  std::vector<SeedNumber> numbers;
  std::vector<SeedNumber> versus;  // of the other side, where no seed is in both
  std::string refusal;
};

// By the claim's kind:
//   mean, fraction            each run's number
//   ratio                     where / versus of a seed; both must be positive
//   difference, equivalence   where - versus of a seed
//   these three, unpaired     each run's number, side by side
//   slope                     of the least-squares line through a seed's runs along the axis
//   exponent                  the same of the logarithms; numbers and axis must be positive
//   trend                     Kendall's tau of a seed's runs
// REQUIRES: every run has a number; pairs and seeds are in the order that prepare() gives them.
Sample sample_of(const ClaimResult& result);

}  // namespace layerlab::claims
