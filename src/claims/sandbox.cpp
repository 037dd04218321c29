#include "claims/sandbox.h"

#include <fmt/format.h>
#include <sqlite3.h>

#include <algorithm>
#include <string_view>

#include "claims/functions.h"

namespace layerlab::claims {
namespace {

constexpr int kStepsBetweenChecks = 100;  // few: one step may take as long as a text of 1 MB takes

// SQL's own functions that give the same result whenever they are called. `instr` and `replace` are
// left out: within one step of SQLite they take the product of their texts' lengths.
constexpr std::string_view kAllowed[] = {
    "abs",          "acos",       "acosh",       "asin",       "asinh",        "atan",
    "atan2",        "atanh",      "avg",         "ceil",       "ceiling",      "char",
    "coalesce",     "cos",        "cosh",        "count",      "cume_dist",    "degrees",
    "dense_rank",   "exp",        "first_value", "floor",      "format",       "glob",
    "group_concat", "hex",        "ifnull",      "iif",        "lag",          "last_value",
    "lead",         "length",     "like",        "likelihood", "likely",       "ln",
    "log10",        "log2",       "lower",       "ltrim",      "max",          "min",
    "mod",          "nth_value",  "ntile",       "nullif",     "percent_rank", "pi",
    "pow",          "power",      "printf",      "quote",      "radians",      "rank",
    "round",        "row_number", "rtrim",       "sign",       "sin",          "sinh",
    "sqrt",         "substr",     "substring",   "sum",        "tan",          "tanh",
    "total",        "trim",       "trunc",       "typeof",     "unicode",      "unlikely",
    "upper"};

}  // namespace

Sandbox::Sandbox(sqlite3* database, const MeasureLimits& limits)
    : limits_(limits), begin_(std::chrono::steady_clock::now()) {
  for (const std::string& signature : Functions::signatures()) {
    own_.insert(signature.substr(0, signature.find('(')));
  }
  constexpr int kDepth = 100, kSelects = 50, kArguments = 30, kPattern = 100;
  sqlite3_limit(database, SQLITE_LIMIT_LENGTH, limits.text);
  sqlite3_limit(database, SQLITE_LIMIT_EXPR_DEPTH, kDepth);
  sqlite3_limit(database, SQLITE_LIMIT_COMPOUND_SELECT, kSelects);
  sqlite3_limit(database, SQLITE_LIMIT_FUNCTION_ARG, kArguments);
  sqlite3_limit(database, SQLITE_LIMIT_LIKE_PATTERN_LENGTH, kPattern);
  sqlite3_set_authorizer(database, authorize, this);
  sqlite3_progress_handler(database, kStepsBetweenChecks, check, this);
}

int Sandbox::authorize(void* self, int action, const char*, const char* name, const char*,
                       const char*) {
  Sandbox& sandbox = *static_cast<Sandbox*>(self);
  if (action == SQLITE_SELECT || action == SQLITE_READ || action == SQLITE_RECURSIVE) {
    return SQLITE_OK;
  }
  if (action != SQLITE_FUNCTION) return SQLITE_DENY;
  if (std::ranges::find(kAllowed, name) != std::end(kAllowed) || sandbox.own_.contains(name)) {
    return SQLITE_OK;
  }
  sandbox.refused_ = name;
  return SQLITE_DENY;
}

// Called for statements that functions run, too.
int Sandbox::check(void* self) {
  Sandbox& sandbox = *static_cast<Sandbox*>(self);
  const MeasureLimits& limits = sandbox.limits_;
  const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - sandbox.begin_;
  sandbox.steps_ += kStepsBetweenChecks;
  if (sandbox.steps_ > limits.steps) {
    sandbox.stopped_ = fmt::format("after {} steps of SQLite", limits.steps);
  } else if (taken.count() > limits.seconds) {
    sandbox.stopped_ = fmt::format("after {:g} seconds", limits.seconds);
  }
  return sandbox.stopped_.empty() ? 0 : 1;
}

}  // namespace layerlab::claims
