#include "claims/measure.h"

#include <fmt/format.h>
#include <sqlite3.h>

#include <cmath>
#include <memory>
#include <string_view>
#include <utility>

#include "record/schema.h"
#include "record/sqlite.h"

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

int allow_reading_only(void*, int action, const char*, const char*, const char*, const char*) {
  const bool reads = action == SQLITE_SELECT || action == SQLITE_READ ||
                     action == SQLITE_FUNCTION || action == SQLITE_RECURSIVE;
  return reads ? SQLITE_OK : SQLITE_DENY;
}

constexpr int kStepsBetweenLooks = 100'000;

int count_down(void* looks_left) { return --*static_cast<int*>(looks_left) > 0 ? 0 : 1; }

// Lets a connection do nothing but read, and not for ever, until it goes out of scope.
class ReadingOnly {
 public:
  explicit ReadingOnly(sqlite3* database) : database_(database) {
    sqlite3_set_authorizer(database_, allow_reading_only, nullptr);
    sqlite3_progress_handler(database_, kStepsBetweenLooks, count_down, &looks_left_);
  }
  ~ReadingOnly() {
    sqlite3_set_authorizer(database_, nullptr, nullptr);
    sqlite3_progress_handler(database_, 0, nullptr, nullptr);
  }
  ReadingOnly(const ReadingOnly&) = delete;
  ReadingOnly& operator=(const ReadingOnly&) = delete;

 private:
  sqlite3* database_;
  int looks_left_ = kMostSteps / kStepsBetweenLooks;
};

struct Finalize {
  void operator()(sqlite3_stmt* statement) const { sqlite3_finalize(statement); }
};
using UserStatement = std::unique_ptr<sqlite3_stmt, Finalize>;

std::string remedy_for(std::string_view message) {
  if (message.starts_with("no such function") || message.starts_with("wrong number of arguments")) {
    return fmt::format("there are {}, and SQL's own", fmt::join(Functions::signatures(), ", "));
  }
  if (message.starts_with("no such column")) return "text stands in single quotes: final('loss')";
  return {};
}

[[noreturn]] void fail(sqlite3* database, const Place& place) {
  if (sqlite3_errcode(database) == SQLITE_INTERRUPT) {
    throw UserError(place, "the measure does not come to an end",
                    "give a recursive query a condition that ends it");
  }
  const std::string message = sqlite3_errmsg(database);
  throw UserError(place, "the measure does not work: " + message, remedy_for(message));
}

}  // namespace

Measure::Measure(std::string expression, Place place, bool searched)
    : sql_(to_statement(expression, place)), place_(std::move(place)) {
  const record::Database empty = record::open_database(":memory:", record::OpenMode::kCreate);
  record::execute(empty.get(), record::schema_sql());
  Facts facts{/*chance_loss=*/1};
  if (searched) facts.found = 1;
  evaluate(empty.get(), Functions(empty.get(), facts));
}

Measurement Measure::of(const record::Reader& run, const Facts& facts) const {
  return evaluate(run.handle(), Functions(run.handle(), facts));
}

Measurement Measure::evaluate(sqlite3* database, const Functions& functions) const {
  const ReadingOnly guard(database);

  sqlite3_stmt* raw = nullptr;
  const char* rest = nullptr;
  const int prepared = sqlite3_prepare_v2(database, sql_.c_str(), -1, &raw, &rest);
  const UserStatement statement(raw);
  if (prepared != SQLITE_OK) fail(database, place_);
  if (*rest != '\0' || !sqlite3_stmt_readonly(raw)) {
    throw UserError(place_, "the measure is not a single expression");
  }
  if (sqlite3_step(raw) != SQLITE_ROW) fail(database, place_);

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
      throw UserError(place_, "the measure gives text, not a number");
  }
}

}  // namespace layerlab::claims
