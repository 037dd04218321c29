#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <utility>

#include "claims/evaluate.h"
#include "config/claims.h"
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
void order_by_seed(PreparedClaim& prepared) {
  const auto seed_of = [](const Cell& cell) { return cell.config.seed; };
  const auto sort = [&](std::vector<Cell>& cells, const char* key) {
    std::ranges::sort(cells, {}, seed_of);
    const auto twice = std::ranges::adjacent_find(cells, {}, seed_of);
    if (twice != cells.end()) {
      throw UserError(
          prepared.claim.place,
          fmt::format("'{}' of claim '{}' selects several runs of seed {}, but kind = "
                      "\"{}\" takes one of each",
                      key, prepared.claim.id, twice->config.seed, name_of(prepared.claim.kind)),
          "name the other axes of the grid in it as well");
    }
  };
  sort(prepared.where, "where");
  sort(prepared.versus, "versus");
  std::vector<Cell> shared;
  std::ranges::set_intersection(prepared.where, prepared.versus, std::back_inserter(shared), {},
                                seed_of, seed_of);
  prepared.paired =
      shared.size() == prepared.where.size() && shared.size() == prepared.versus.size();
  if (!prepared.paired && !shared.empty()) {
    throw UserError(prepared.claim.place,
                    fmt::format("'where' and 'versus' of claim '{}' have some seeds in common, "
                                "such as {}, and others not",
                                prepared.claim.id, seed_of(shared.front())),
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
void order_along_axis(PreparedClaim& prepared) {
  const Claim& claim = prepared.claim;
  const auto key = [&](const Cell& cell) {
    return std::pair(cell.config.seed, place_on_axis(claim, cell));
  };
  std::ranges::sort(prepared.where, {}, key);
  std::map<std::uint64_t, std::vector<double>> places;  // of each seed
  for (const Cell& cell : prepared.where) {
    prepared.along.push_back(place_on_axis(claim, cell));
    places[cell.config.seed].push_back(prepared.along.back());
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

std::vector<PreparedClaim> prepare(const config::Experiment& experiment) {
  std::shared_ptr<ThresholdSearch> search;
  if (experiment.search) search = std::make_shared<ThresholdSearch>(*experiment.search);
  std::vector<PreparedClaim> claims;
  for (const Claim& claim : experiment.claims) {
    PreparedClaim prepared{
        claim, Measure(claim.measure, claim.measure_place, experiment.search.has_value()),
        select(experiment, claim.where)};
    prepared.search = search;
    prepared.mixed = mixed_axes(experiment, prepared.where, claim.along);
    if (config::follows_axis(claim.kind)) order_along_axis(prepared);
    if (config::compares(claim.kind)) {
      prepared.versus = select(experiment, claim.versus);
      order_by_seed(prepared);
    }
    claims.push_back(std::move(prepared));
  }
  return claims;
}

}  // namespace layerlab::claims
