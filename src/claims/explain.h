// One verdict with everything that it rests on, for people.
#pragma once

#include <string>

#include "claims/claim_result.h"

namespace layerlab::claims {

// The claim as its file has it, each selected run with its number, each seed's number where that is
// another, the interval, and the rule by which it became a verdict.
std::string explanation(const ClaimResult& result);

// The verdict in words: which, whether it was expected, and why.
std::string verdict_text(const ClaimResult& result);

}  // namespace layerlab::claims
