#include "conform/table.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "conform/tensor_names.h"
#include "core/names.h"
#include "core/text.h"
#include "core/text_table.h"

namespace layerlab::conform {
namespace {

constexpr std::size_t kMostShown = 10;  // of those that disagree

// How far a row is from agreeing; values that are not finite are the farthest.
double badness(const TensorComparison& row) {
  const double ratio = row.relative_error / row.tolerance;
  return std::isnan(ratio) ? HUGE_VAL : ratio;
}

bool is_worse(const TensorComparison& a, const TensorComparison& b) {
  return badness(a) > badness(b);
}

std::string group_of(const TensorComparison& row) {
  const bool gradient = row.kind == TensorKind::kGradient;
  const std::string name = gradient ? row.tensor.substr(5) : row.tensor;  // without "grad."
  if (is_parameter(name)) return "of parameters";
  return gradient ? "of inputs and streams" : "";
}

std::string number(double value) {
  return std::isfinite(value) ? fmt::format("{:.1e}", value) : "not finite";
}

std::vector<TextCell> cells(const TensorComparison& row, const std::string& name) {
  return {{name},
          {number(row.max_error)},
          {number(row.relative_error)},
          {fmt::format("{:.0e}", row.tolerance)},
          {row.agrees() ? "agrees" : "DIFFERS"}};
}

// The worst of each group, in the order in which groups come first.
std::vector<std::vector<TextCell>> groups(const std::vector<TensorComparison>& rows) {
  struct Group {
    std::string name;
    const TensorComparison* worst;
    int count;
  };
  std::vector<Group> found;
  for (const TensorComparison& row : rows) {
    const std::string name = group_of(row);
    const auto group = std::ranges::find(found, name, &Group::name);
    if (group == found.end()) {
      found.push_back({name, &row, 1});
    } else {
      ++group->count;
      if (is_worse(row, *group->worst)) group->worst = &row;
    }
  }
  std::vector<std::vector<TextCell>> lines;
  for (const Group& group : found) {
    const bool value = group.worst->kind == TensorKind::kValue;
    const std::string what = counted(group.count, value ? "value" : "gradient");
    const std::string name = group.name.empty() ? what : what + " " + group.name;
    lines.push_back(cells(*group.worst, name + ", worst " + group.worst->tensor));
  }
  return lines;
}

std::string joined(const std::vector<std::string>& names) {
  std::string text;
  for (std::size_t i = 0; i < std::min(names.size(), kMostShown); ++i) {
    text += (i == 0 ? "" : ", ") + visible(names[i]);
  }
  if (names.size() > kMostShown) text += fmt::format(" and {} more", names.size() - kMostShown);
  return text;
}

}  // namespace

std::string comparison_table(const Comparison& comparison, bool all) {
  const std::vector<TensorComparison>& rows = comparison.rows;
  std::vector<TensorComparison> shown;
  for (const TensorComparison& row : rows) {
    if (all || !row.agrees()) shown.push_back(row);
  }
  std::ranges::stable_sort(shown, is_worse);
  const auto differing =
      std::ranges::count_if(rows, [](const TensorComparison& row) { return !row.agrees(); });
  if (!all && shown.size() > kMostShown) shown.resize(kMostShown);

  std::string text;
  if (!rows.empty()) {
    constexpr int kAnyWidth = 10'000;  // a line a tensor, whatever its name
    TextTable table{
        {{"tensor"}, {"max error", true}, {"relative", true}, {"tolerance", true}, {"verdict"}},
        {}};
    if (!all) table.rows = groups(rows);
    for (const TensorComparison& row : shown) table.rows.push_back(cells(row, row.tensor));
    text += to_text(table, {.width = kAnyWidth});
    if (differing > 0 && !all && static_cast<std::size_t>(differing) > kMostShown) {
      text += fmt::format("and {} more that differ (--verbose)\n", differing - kMostShown);
    }
  }
  if (!comparison.missing.empty()) {
    text += "the equation has parameters that the file lacks: " + joined(comparison.missing) + "\n";
  }
  if (!comparison.unused.empty()) {
    text += "the file has tensors that the equation lacks: " + joined(comparison.unused) + "\n";
  }
  if (comparison.agrees()) {
    text += fmt::format("all {} tensors agree\n", rows.size());
  } else if (differing > 0) {
    text += fmt::format("{} of {} differ\n", differing, counted(std::ssize(rows), "tensor"));
  } else if (!rows.empty()) {
    text += fmt::format("all {} that both have agree\n", counted(std::ssize(rows), "tensor"));
  }
  if (!comparison.difference.empty())
    text += "first difference: " + visible(comparison.difference) + "\n";
  for (const std::string& what : comparison.explanations) {
    text += "they agree with " + visible(what) + "\n";
  }
  if (differing > 0 && comparison.explanations.empty() && comparison.tried > 0) {
    text += fmt::format("none of {} agrees\n", counted(comparison.tried, "single change"));
  }
  return text;
}

}  // namespace layerlab::conform
