#include "claims/measure.h"

#include <fmt/format.h>
#include <sqlite3.h>

#include <cmath>
#include <memory>
#include <string_view>
#include <utility>

#include "record/open.h"
#include "record/record.h"

namespace layerlab::claims {
namespace {

// The expression with real division, made into a statement. Multiplying by 1.0 before each
// division leaves integers alone where SQL needs them, as in LIMIT 1.
// Parentheses are counted so that the expression cannot end ours and go on as something else.
std::string to_statement(std::string_view expression, const Place& place) {
  std::string sql = "SELECT (";
  int depth = 0;
  for (std::size_t i = 0; i < expression.size(); ++i) {
    const char c = expression[i];
    if (c == '\'' || c == '"' || c == '`') {
      const std::size_t end = expression.find(c, i + 1);
      if (end == std::string_view::npos) {
        throw UserError(place, fmt::format("a quote {} is not closed in the measure", c));
      }
      sql += expression.substr(i, end + 1 - i);
      i = end;
      continue;
    }
    const std::string_view two = expression.substr(i, 2);
    if (two == "--" || two == "/*") {
      throw UserError(place, fmt::format("'{}' begins a comment in SQL", two),
                      "leave comments out, and write a - (-b) for minus a negative number");
    }
    depth += c == '(' ? 1 : c == ')' ? -1 : 0;
    if (depth < 0) throw UserError(place, "the measure has a ')' without its '('");
    sql += c == '/' ? " * 1.0 / " : std::string(1, c);
  }
  return sql + ")";
}

struct Finalize {
  void operator()(sqlite3_stmt* statement) const { sqlite3_finalize(statement); }
};
using UserStatement = std::unique_ptr<sqlite3_stmt, Finalize>;

std::string remedy_for(std::string_view message) {
  if (message.starts_with("no such function") || message.starts_with("wrong number of arguments")) {
    return fmt::format("there are {}, and SQL's own", fmt::join(Functions::signatures(), ", "));
  }
  if (message.starts_with("no such column")) return "put text in single quotes: final('loss')";
  return {};
}

[[noreturn]] void fail(sqlite3* database, const Place& place, const Sandbox& sandbox,
                       const MeasureLimits& limits) {
  if (!sandbox.stopped().empty()) {
    throw UserError(place, "the measure was stopped " + sandbox.stopped(),
                    "end a recursive query by a condition, or combine fewer rows");
  }
  if (!sandbox.refused().empty()) {
    throw UserError(place, "the measure may not call " + sandbox.refused() + "()",
                    "only functions that give the same result each time and end soon are allowed, "
                    "see docs/statistics.md");
  }
  if ((sqlite3_errcode(database) & 0xff) == SQLITE_TOOBIG) {
    throw UserError(place,
                    fmt::format("the measure makes a text of more than {} bytes", limits.text),
                    "make it shorter");
  }
  const std::string message = sqlite3_errmsg(database);
  throw UserError(place, "the measure does not work: " + message, remedy_for(message));
}

Measurement damaged(const std::string& why) { return {std::nullopt, "is damaged: " + why, true}; }

Measurement evaluate(const std::string& sql, const Place& place, sqlite3* database,
                     const Facts& facts, const MeasureLimits& limits, bool is_record) {
  const Sandbox sandbox(database, limits);
  const Functions functions(database, facts);
  sqlite3_stmt* raw = nullptr;
  const char* rest = nullptr;
  const int prepared = sqlite3_prepare_v2(database, sql.c_str(), -1, &raw, &rest);
  const UserStatement statement(raw);
  // It has worked on an empty record: a table or column is missing in this one.
  if (prepared != SQLITE_OK && is_record) return damaged(sqlite3_errmsg(database));
  if (prepared != SQLITE_OK) fail(database, place, sandbox, limits);
  if (*rest != '\0' || !sqlite3_stmt_readonly(raw)) {
    throw UserError(place, "the measure is not a single expression");
  }
  const int stepped = sqlite3_step(raw) & 0xff;
  if (stepped != SQLITE_ROW) {
    const bool unreadable = stepped == SQLITE_CORRUPT || stepped == SQLITE_NOTADB ||
                            stepped == SQLITE_IOERR || stepped == SQLITE_CANTOPEN;
    if (sandbox.stopped().empty() && !functions.damage().empty()) {
      return damaged(functions.damage());
    }
    if (unreadable) return damaged(sqlite3_errmsg(database));
    fail(database, place, sandbox, limits);
  }

  switch (sqlite3_column_type(raw, 0)) {
    case SQLITE_INTEGER:
    case SQLITE_FLOAT: {
      const double value = sqlite3_column_double(raw, 0);
      if (std::isfinite(value)) return {value, {}};
      return {std::nullopt, "the measure is infinite"};
    }
    case SQLITE_NULL:
      return {std::nullopt,
              functions.missing().empty() ? "the measure is NULL" : functions.missing()};
    default:
      throw UserError(place, "the measure gives text, not a number");
  }
}

}  // namespace

Measure::Measure(std::string expression, Place place, bool searched)
    : sql_(to_statement(expression, place)), place_(std::move(place)) {
  const record::Database empty = record::empty_record();
  Facts facts{/*chance_loss=*/1};
  if (searched) facts.found = 1;
  evaluate(sql_, place_, empty.get(), facts, {}, /*is_record=*/false);
}

Measurement Measure::of(const std::filesystem::path& record, const Facts& facts,
                        const MeasureLimits& limits) const {
  std::optional<record::Reader> reader;
  try {
    reader.emplace(record);
  } catch (const UserError& error) {
    return damaged(error.what());
  }
  return evaluate(sql_, place_, reader->handle(), facts, limits, /*is_record=*/true);
}

}  // namespace layerlab::claims
