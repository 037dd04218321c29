#include "claims/settle.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <set>
#include <string>
#include <utility>

namespace layerlab::claims {

double look_alpha(int number) { return std::ldexp(kAlpha, -number); }

std::vector<std::uint64_t> look_seeds(const config::Experiment& experiment, int number) {
  assert(number >= 1 && number <= kMostLooks);
  std::vector<std::uint64_t> seeds;
  for (const config::Cell& cell : experiment.cells) {
    const std::uint64_t seed = cell.config.seed;
    if (std::ranges::find(seeds, seed) == seeds.end()) seeds.push_back(seed);
  }
  const std::size_t count = seeds.size() << (number - 1);
  std::uint64_t next = std::ranges::max(seeds) + 1;
  while (seeds.size() < count) seeds.push_back(next++);
  return seeds;
}

bool is_open(const Answer& answer) {
  return answer.verdict == stats::Verdict::kInconclusive && answer.estimate && !answer.as_expected;
}

std::vector<Answer> take_look(const std::vector<Question>& questions, const CellFolders& folders,
                              int number, std::vector<Answer> before) {
  assert(before.empty() || before.size() == questions.size());
  for (Answer& answer : before) answer.closed = !is_open(answer);
  return evaluate(questions, folders, {look_alpha(number), std::move(before)});
}

std::vector<config::Cell> open_runs(const std::vector<Question>& questions,
                                    const std::vector<Answer>& answers) {
  std::vector<config::Cell> runs;
  std::set<std::string> ids;
  for (std::size_t i = 0; i < questions.size(); ++i) {
    if (!is_open(answers[i])) continue;
    for (const auto* const cells : {&questions[i].where, &questions[i].versus}) {
      for (const config::Cell& cell : *cells) {
        if (ids.insert(cell.id).second) runs.push_back(cell);
      }
    }
  }
  return runs;
}

}  // namespace layerlab::claims
