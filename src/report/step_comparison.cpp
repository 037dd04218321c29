#include "report/step_comparison.h"

#include <fmt/format.h>

#include <cmath>
#include <map>

#include "record/sqlite.h"

namespace layerlab::report {
namespace {

// All that is on record of step ?1, as rows (name, value). NULL is a scalar that was not a number;
// in other tables it means that nothing was measured.
std::string measurements_sql() {
  std::string sql =
      "SELECT name, value FROM scalar WHERE step = ?1 AND name NOT LIKE 'eval%' "
      "UNION ALL SELECT ltrim(side || ' layer ' || layer || ' ' || sublayer || ' ' || site || ' ' "
      "|| quantity), value FROM layer WHERE step = ?1 "
      "UNION ALL SELECT 'dependency of layer ' || layer || ' ' || sublayer || ' on layer ' || "
      "on_layer || ' ' || on_sublayer, value FROM dependency WHERE step = ?1 "
      "UNION ALL SELECT 'event ' || kind || CASE kind WHEN 'diverged' THEN '' ELSE ': ' || detail "
      "END, 1 FROM event WHERE step = ?1 AND (kind = 'diverged' OR kind LIKE 'non_finite%')";
  for (const std::string_view quantity : record::kParamQuantities) {
    sql += fmt::format(
        " UNION ALL SELECT ltrim(side || ' layer ' || layer || ' ' || name || ' {0}'), {0} "
        "FROM param WHERE step = ?1 AND {0} IS NOT NULL",
        quantity);
  }
  return sql;
}

// By name. NaN where the number was none.
std::map<std::string, double> measurements(const record::Reader& reader, std::int64_t step) {
  record::Statement statement(reader.handle(), measurements_sql());
  statement.bind(1, step);
  std::map<std::string, double> result;
  while (statement.step()) result[statement.text(0)] = statement.number(1);
  return result;
}

bool same(double a, double b) { return a == b || (std::isnan(a) && std::isnan(b)); }

}  // namespace

std::vector<std::string> differences(const record::Reader& on_record,
                                     const record::Reader& repeated, std::int64_t step) {
  const std::map<std::string, double> again = measurements(repeated, step);
  std::vector<std::string> result;
  for (const auto& [name, value] : measurements(on_record, step)) {
    const auto found = again.find(name);
    if (found == again.end()) {
      result.push_back(name + " was not repeated");
    } else if (!same(value, found->second)) {
      result.push_back(fmt::format("{} {:.9g}, on record {:.9g}", name, found->second, value));
    }
  }
  return result;
}

}  // namespace layerlab::report
