#include "examples/row.h"

#include <fmt/format.h>

#include <algorithm>

#include "examples/stated.h"
#include "stats/verdict.h"

namespace layerlab::examples {
namespace {

bool all_agree(const std::vector<double>& computed, const std::string& stated) {
  return std::ranges::equal(computed, read_stated(stated), [](double value, const Stated& number) {
    return agrees(value, number);
  });
}

std::string text_of(const std::vector<double>& computed, const std::string& stated) {
  const std::vector<Stated> numbers = read_stated(stated);
  std::string text;
  for (std::size_t i = 0; i < computed.size(); ++i) {
    const Stated& like = numbers[std::min(i, numbers.size() - 1)];
    text += (i == 0 ? "" : " ") + as_stated(computed[i], like);
  }
  return text;
}

std::string text_of(const Simulated& estimate) {
  return fmt::format("{:.4g} [{:.4g}, {:.4g}]", estimate.value, estimate.interval.low,
                     estimate.interval.high);
}

}  // namespace

Row compare(const std::string& quantity, const std::string& stated,
            const std::vector<double>& computed) {
  return {quantity, stated, text_of(computed, stated),
          all_agree(computed, stated) ? Verdict::kAgrees : Verdict::kDiffers};
}

Row compare_with_error(const std::string& quantity, const std::string& stated,
                       const std::string& right, const std::vector<double>& computed) {
  const bool errs = all_agree(computed, right) && !all_agree(computed, stated);
  return {quantity, stated, text_of(computed, stated),
          errs ? Verdict::kDocumentErrs : Verdict::kDiffers};
}

Row compare_by_interval(const std::string& quantity, const std::string& stated,
                        const Simulated& computed) {
  const double value = read_stated(stated).front().value;
  const bool contains = computed.interval.low <= value && value <= computed.interval.high;
  return {quantity, stated, text_of(computed), contains ? Verdict::kAgrees : Verdict::kDiffers};
}

Row compare_with_region(const std::string& quantity, const std::string& stated,
                        const stats::Interval& region, const Simulated& computed) {
  const bool inside = stats::judge(computed.interval, region) == stats::Verdict::kConfirmed;
  return {quantity, stated, text_of(computed), inside ? Verdict::kAgrees : Verdict::kDiffers};
}

Row compare_with_error(const std::string& quantity, const std::string& stated,
                       const stats::Interval& right, const Simulated& computed) {
  Row row = compare_with_region(quantity, stated, right, computed);
  if (row.verdict == Verdict::kAgrees) row.verdict = Verdict::kDocumentErrs;
  return row;
}

}  // namespace layerlab::examples
