#include "core/names.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace layerlab {
namespace {

constexpr std::size_t kLongest = 100;  // bytes of a name that may be misspelt; time is quadratic

std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), 0);
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = row[0]++;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t substituted = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
      diagonal = row[j];
      row[j] = std::min({substituted, row[j] + 1, row[j - 1] + 1});
    }
  }
  return row[b.size()];
}

}  // namespace

std::string nearest(std::string_view name, const std::vector<std::string>& known) {
  if (name.size() > kLongest) return {};
  std::string best;
  std::size_t best_distance = name.size() / 2 + 1;  // at most half of the letters wrong
  for (const std::string& candidate : known) {
    if (candidate.size() > kLongest) continue;
    // What was only cut short or spelled out counts as one mistake.
    const bool begins = name.size() > 1 && candidate.size() > 1 &&
                        (name.starts_with(candidate) || candidate.starts_with(name));
    const std::size_t distance = begins ? 1 : edit_distance(name, candidate);
    if (distance < best_distance && distance < candidate.size()) {
      best = candidate;
      best_distance = distance;
    }
  }
  return best;
}

std::string suggestion(std::string_view name, const std::vector<std::string>& known) {
  const std::string near = nearest(name, known);
  if (!near.empty()) return "did you mean '" + near + "'?";
  std::string list = "known:";
  for (const std::string& candidate : known) {
    list += (list.back() == ':' ? " " : ", ") + candidate;
  }
  return list;
}

std::string counted(std::int64_t count, std::string_view thing) {
  return std::to_string(count) + " " + std::string(thing) + (count == 1 ? "" : "s");
}

std::string duration_text(double seconds) {
  const auto whole = static_cast<std::int64_t>(std::ceil(seconds));
  if (whole < 60) return fmt::format("{} s", whole);
  const std::int64_t minutes = (whole + 30) / 60;
  if (minutes < 60) return fmt::format("{} min", minutes);
  return fmt::format("{} h {} min", minutes / 60, minutes % 60);
}

}  // namespace layerlab
