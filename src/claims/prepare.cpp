#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "claims/evaluate.h"

namespace layerlab::claims {
namespace {

using config::Cell;
using config::Claim;
using config::ClaimKind;

std::vector<Cell> select(const config::Experiment& experiment, const config::Selection& selection) {
  std::vector<Cell> selected;
  std::ranges::copy_if(experiment.cells, std::back_inserter(selected),
                       [&](const Cell& cell) { return config::selects(selection, cell); });
  return selected;
}

// Brings both selections into the order of their seeds, which must be the same and different ones.
void pair_by_seed(Question& question) {
  const auto sort = [&](std::vector<Cell>& cells, const char* key) {
    const auto seed_of = [](const Cell& cell) { return cell.config.seed; };
    std::ranges::sort(cells, {}, seed_of);
    const auto twice = std::ranges::adjacent_find(cells, {}, seed_of);
    if (twice != cells.end()) {
      throw UserError(question.claim.place,
                      fmt::format("'{}' of claim '{}' selects several runs of seed {}, but a ratio "
                                  "pairs runs by seed",
                                  key, question.claim.id, twice->config.seed),
                      "name the other axes of the grid in it as well");
    }
  };
  sort(question.where, "where");
  sort(question.versus, "versus");
  const auto same_seed = [](const Cell& a, const Cell& b) {
    return a.config.seed == b.config.seed;
  };
  if (!std::ranges::equal(question.where, question.versus, same_seed)) {
    throw UserError(question.claim.place,
                    fmt::format("'where' and 'versus' of claim '{}' select different seeds",
                                question.claim.id));
  }
}

std::vector<std::string> mixed_axes(const config::Experiment& experiment,
                                    const std::vector<Cell>& cells) {
  std::vector<std::string> mixed;
  for (const std::string& axis : experiment.axes) {
    const auto differs = [&](const Cell& cell) {
      const TomlNode* const first = find_path(cells.front().settings, axis);
      const TomlNode* const value = find_path(cell.settings, axis);
      return first != nullptr && value != nullptr && !same_value(*first, *value);
    };
    if (axis != "seed" && std::ranges::any_of(cells, differs)) mixed.push_back(axis);
  }
  return mixed;
}

}  // namespace

std::vector<Question> prepare(const config::Experiment& experiment) {
  std::vector<Question> questions;
  for (const Claim& claim : experiment.claims) {
    Question question{claim,
                      Measure(claim.measure, claim.measure_place),
                      select(experiment, claim.where),
                      {},
                      {}};
    question.mixed = mixed_axes(experiment, question.where);
    if (claim.kind == ClaimKind::kRatio) {
      question.versus = select(experiment, claim.versus);
      pair_by_seed(question);
    }
    questions.push_back(std::move(question));
  }
  return questions;
}

}  // namespace layerlab::claims
