// Verdicts for people.
#pragma once

#include <string>
#include <vector>

#include "claims/answer.h"

namespace layerlab::claims {

struct TableStyle {
  int width = 100;  // of the terminal, in columns
  bool colour =
      false;  // ANSI escapes: green what is as expected, red what is not, yellow undecided
};

// One row a claim: claim, estimate [interval] level, expected, verdict, as expected, runs; below
// them the reasons and warnings. "unpaired" follows the level of independent samples. When that is
// wider than the terminal, each claim's name moves to a line of its own above its row.
std::string verdict_table(const std::vector<Answer>& answers, const TableStyle& style);

}  // namespace layerlab::claims
