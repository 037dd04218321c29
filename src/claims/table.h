// Verdicts for people.
#pragma once

#include <string>
#include <vector>

#include "claims/claim_result.h"
#include "core/text_table.h"

namespace layerlab::claims {

// One row a claim: claim, estimate [interval] level, expected, verdict, as expected, runs; below
// them the reasons and warnings. "unpaired" follows the level of independent samples. When that is
// wider than the terminal, each claim's name moves to a line of its own above its row. Colours:
// green what is as expected, red what is not, yellow undecided.
std::string verdict_table(const std::vector<ClaimResult>& results, const TextStyle& style);

// A study's name and what became of its claims.
struct JudgedStudy {
  std::string name;
  std::vector<ClaimResult> results;
};

// All claims of several studies in one table: study, claim, source, expected (region and outcome),
// verdict, estimate, interval and its level, runs, time; below it totals, and again each claim that
// is not as expected, with the reason. Time is what the claim's runs took to train, and runs that
// several claims share are in the total once.
std::string overview(const std::vector<JudgedStudy>& studies, const TextStyle& style);

// The same as Markdown.
std::string overview_markdown(const std::vector<JudgedStudy>& studies);

}  // namespace layerlab::claims
