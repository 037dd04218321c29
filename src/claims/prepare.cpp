#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <utility>

#include "claims/evaluate.h"
#include "claims/finder.h"
#include "config/enum_names.h"
#include "core/table_reader.h"

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

// Brings both selections into the order of their seeds, each once: the same in both, which pairs
// them, or none in common, which makes them independent samples.
void order_by_seed(Question& question) {
  const auto seed_of = [](const Cell& cell) { return cell.config.seed; };
  const auto sort = [&](std::vector<Cell>& cells, const char* key) {
    std::ranges::sort(cells, {}, seed_of);
    const auto twice = std::ranges::adjacent_find(cells, {}, seed_of);
    if (twice != cells.end()) {
      throw UserError(
          question.claim.place,
          fmt::format("'{}' of claim '{}' selects several runs of seed {}, but kind = "
                      "\"{}\" takes one of each",
                      key, question.claim.id, twice->config.seed, name_of(question.claim.kind)),
          "name the other axes of the grid in it as well");
    }
  };
  sort(question.where, "where");
  sort(question.versus, "versus");
  std::vector<Cell> shared;
  std::ranges::set_intersection(question.where, question.versus, std::back_inserter(shared), {},
                                seed_of, seed_of);
  question.paired =
      shared.size() == question.where.size() && shared.size() == question.versus.size();
  if (!question.paired && !shared.empty()) {
    throw UserError(question.claim.place,
                    fmt::format("'where' and 'versus' of claim '{}' have some seeds in common, "
                                "such as {}, and others not",
                                question.claim.id, seed_of(shared.front())),
                    "select the same seeds, to pair them, or different ones in each");
  }
}

double place_on_axis(const Claim& claim, const Cell& cell) {
  const TomlNode* const node = find_path(cell.settings, claim.along);
  const std::optional<double> place = node == nullptr ? std::nullopt : as_number(*node);
  if (place) return *place;
  throw UserError(claim.along_place,
                  fmt::format("{} is no number in the runs of claim '{}'", claim.along, claim.id),
                  "follow an axis such as \"model.depth\"");
}

// Brings the runs into the order of their seeds and, within one, of their places on the axis.
void order_along_axis(Question& question) {
  const Claim& claim = question.claim;
  const auto key = [&](const Cell& cell) {
    return std::pair(cell.config.seed, place_on_axis(claim, cell));
  };
  std::ranges::sort(question.where, {}, key);
  std::map<std::uint64_t, std::vector<double>> places;  // of each seed
  for (const Cell& cell : question.where) {
    question.along.push_back(place_on_axis(claim, cell));
    places[cell.config.seed].push_back(question.along.back());
  }
  for (const auto& [seed, own] : places) {
    const auto twice = std::ranges::adjacent_find(own);
    if (twice != own.end()) {
      throw UserError(claim.place,
                      fmt::format("claim '{}' selects several runs of seed {} with {} = {}",
                                  claim.id, seed, claim.along, *twice),
                      "name the other axes of the grid in 'where' as well");
    }
    if (own != places.begin()->second) {
      throw UserError(claim.place,
                      fmt::format("the seeds of claim '{}' have different values of {}", claim.id,
                                  claim.along));
    }
  }
  const std::vector<double>& points = places.begin()->second;
  const std::size_t needed = claim.kind == ClaimKind::kTrend ? 3 : 2;
  if (points.size() < needed) {
    throw UserError(claim.along_place,
                    fmt::format("kind = \"{}\" needs runs with at least {} values of {}, got {}",
                                name_of(claim.kind), needed, claim.along, points.size()),
                    "name more of them in [grid]");
  }
  if (claim.kind == ClaimKind::kExponent && points.front() <= 0) {
    throw UserError(claim.along_place,
                    fmt::format("an exponent needs positive values of {}, got {}", claim.along,
                                points.front()));
  }
}

std::vector<std::string> mixed_axes(const config::Experiment& experiment,
                                    const std::vector<Cell>& cells, const std::string& along) {
  std::vector<std::string> mixed;
  for (const std::string& axis : experiment.axes) {
    const auto differs = [&](const Cell& cell) {
      const TomlNode* const first = find_path(cells.front().settings, axis);
      const TomlNode* const value = find_path(cell.settings, axis);
      return first != nullptr && value != nullptr && !same_value(*first, *value);
    };
    if (axis != "seed" && axis != along && std::ranges::any_of(cells, differs))
      mixed.push_back(axis);
  }
  return mixed;
}

}  // namespace

std::vector<Question> prepare(const config::Experiment& experiment) {
  if (experiment.search) Finder{*experiment.search};  // refuses a `passes` that does not work
  std::vector<Question> questions;
  for (const Claim& claim : experiment.claims) {
    Question question{claim,
                      Measure(claim.measure, claim.measure_place, experiment.search.has_value()),
                      select(experiment, claim.where)};
    question.search = experiment.search;
    question.mixed = mixed_axes(experiment, question.where, claim.along);
    if (config::follows_axis(claim.kind)) order_along_axis(question);
    if (config::compares(claim.kind)) {
      question.versus = select(experiment, claim.versus);
      order_by_seed(question);
    }
    questions.push_back(std::move(question));
  }
  return questions;
}

}  // namespace layerlab::claims
