#include "claims/functions.h"

#include <fmt/format.h>
#include <sqlite3.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "core/names.h"
#include "record/record.h"
#include "record/sqlite.h"

namespace layerlab::claims {

using record::Statement;

// One call from SQL: its arguments, the record, and a place for the answer.
class Call {
 public:
  Call(sqlite3_context* context, int count, sqlite3_value** arguments)
      : context_(context), count_(count), arguments_(arguments) {}

  int count() const { return count_; }

  std::string text(int i) const {
    const unsigned char* const text = sqlite3_value_text(arguments_[i]);
    return text == nullptr ? "" : reinterpret_cast<const char*>(text);
  }
  bool is_null(int i) const { return sqlite3_value_type(arguments_[i]) == SQLITE_NULL; }
  double number(int i) const { return sqlite3_value_double(arguments_[i]); }
  std::int64_t integer(int i) const { return sqlite3_value_int64(arguments_[i]); }

  Statement query(const std::string& sql) const {
    return Statement(sqlite3_context_db_handle(context_), sql);
  }
  const Facts& facts() const { return owner().facts_; }

  void give(double value) const { sqlite3_result_double(context_, value); }
  void give_nothing(const std::string& why) const {
    if (owner().missing_.empty()) owner().missing_ = why;
    sqlite3_result_null(context_);
  }
  // The statement's first number, or nothing because of why().
  void give_first(Statement& statement, const auto& why) const {
    const bool found = statement.step() && !std::isnan(statement.number(0));
    found ? give(statement.number(0)) : give_nothing(why());
  }

 private:
  Functions& owner() const { return *static_cast<Functions*>(sqlite3_user_data(context_)); }

  sqlite3_context* context_;
  int count_;
  sqlite3_value** arguments_;
};

namespace {

// Why a query about a scalar came back empty.
std::string why_no_value(const Call& call, const std::string& name) {
  Statement names = call.query("SELECT DISTINCT name FROM scalar");
  std::vector<std::string> known;
  while (names.step()) known.push_back(names.text(0));
  if (std::find(known.begin(), known.end(), name) != known.end()) {
    return fmt::format("'{}' was not a number there", name);
  }
  std::string why = fmt::format("scalar '{}' was not recorded", name);
  return known.empty() ? why : why + "; " + suggestion(name, known);
}

// The last value of a scalar, or a mean of its last.
void give_last(const Call& call, Statement& statement, const std::string& name) {
  const bool lost = !statement.step() || std::isnan(statement.number(0));
  if (!lost) return call.give(statement.number(0));
  if (call.facts().lost_is_chance && (name == "loss" || name == "eval_loss")) {
    return call.give(call.facts().chance_loss);
  }
  call.give_nothing(why_no_value(call, name));
}

Statement end_of_scalar(const Call& call, const std::string& name, const char* order) {
  Statement statement = call.query(std::string("SELECT value FROM scalar WHERE name = ? ") +
                                   "ORDER BY step " + order + " LIMIT 1");
  statement.bind(1, name);
  return statement;
}

void first(const Call& call) {
  const std::string name = call.text(0);
  Statement statement = end_of_scalar(call, name, "ASC");
  call.give_first(statement, [&] { return why_no_value(call, name); });
}

void final_value(const Call& call) {
  const std::string name = call.text(0);
  Statement statement = end_of_scalar(call, name, "DESC");
  give_last(call, statement, name);
}

void mean_last(const Call& call) {
  const std::string name = call.text(0);
  const std::int64_t k = call.integer(1);
  if (k < 1) throw std::invalid_argument("mean_last(name, k) needs k of at least 1");
  // A mean over values that are not all there would be the mean of something else: one NULL and
  // the answer is NULL.
  Statement statement = call.query(
      "SELECT CASE WHEN count(value) = count(*) THEN avg(value) END FROM "
      "(SELECT value FROM scalar WHERE name = ? ORDER BY step DESC LIMIT ?)");
  statement.bind(1, name);
  statement.bind(2, k);
  give_last(call, statement, name);
}

void min_value(const Call& call) {
  const std::string name = call.text(0);
  Statement statement = call.query("SELECT min(value) FROM scalar WHERE name = ?");
  statement.bind(1, name);
  call.give_first(statement, [&] { return why_no_value(call, name); });
}

void first_step_below(const Call& call) {
  const std::string name = call.text(0);
  Statement any = call.query("SELECT 1 FROM scalar WHERE name = ? AND value IS NOT NULL");
  any.bind(1, name);
  if (!any.step()) return call.give_nothing(why_no_value(call, name));
  Statement statement = call.query("SELECT min(step) FROM scalar WHERE name = ? AND value < ?");
  statement.bind(1, name);
  statement.bind(2, call.number(1));
  call.give_first(statement,
                  [&] { return fmt::format("'{}' never fell below {}", name, call.number(1)); });
}

template <std::size_t n>
std::string known_quantity(const std::string& name,
                           const std::array<std::string_view, n>& quantities) {
  if (std::find(quantities.begin(), quantities.end(), name) == quantities.end()) {
    throw std::invalid_argument(
        fmt::format("there is no quantity '{}'; {}", name,
                    suggestion(name, {quantities.begin(), quantities.end()})));
  }
  return name;
}

// Of the argument behind the last that must be there: "" where the model is no pair.
std::string side_of(const Call& call, int argument) {
  return call.count() > argument ? call.text(argument) : "";
}

// What to add where a value was looked for without a side, or on the wrong one.
std::string sides_note(const Call& call, const char* table) {
  Statement statement = call.query(std::string("SELECT DISTINCT side FROM ") + table);
  std::string known;
  while (statement.step()) {
    if (!statement.text(0).empty())
      known += (known.empty() ? "'" : " or '") + statement.text(0) + "'";
  }
  return known.empty() ? "" : "; as the last argument, name the side: " + known;
}

void site(const Call& call) {
  const std::string sublayer = call.text(0);
  const std::string role = call.text(1);
  const std::string quantity = known_quantity(call.text(2), record::kSiteQuantities);
  // last_layer() or last_step() found nothing and has said so.
  if (call.is_null(3) || call.is_null(4)) return call.give_nothing("no place to look at");
  Statement statement =
      call.query("SELECT " + quantity +
                 " FROM site WHERE sublayer = ? AND site = ? AND layer = ? AND step = ? "
                 "AND side = ?");
  statement.bind(1, sublayer);
  statement.bind(2, role);
  statement.bind(3, call.number(3));
  statement.bind(4, call.number(4));
  const std::string side = side_of(call, 5);
  statement.bind(5, side);
  call.give_first(statement, [&] {
    return fmt::format("site '{}' of '{}' in layer {} has no {} at step {}{}", role, sublayer,
                       call.number(3), quantity, call.number(4), sides_note(call, "site"));
  });
}

void param(const Call& call) {
  const std::string name = call.text(0);
  const std::string quantity = known_quantity(call.text(1), record::kParamQuantities);
  if (call.is_null(2) || call.is_null(3)) return call.give_nothing("no place to look at");
  Statement statement = call.query(
      "SELECT " + quantity + " FROM param WHERE name = ? AND layer = ? AND step = ? AND side = ?");
  statement.bind(1, name);
  statement.bind(2, call.number(2));
  statement.bind(3, call.number(3));
  const std::string side = side_of(call, 4);
  statement.bind(4, side);
  call.give_first(statement, [&] {
    return fmt::format("parameter '{}' of layer {} has no {} at step {}{}", name, call.number(2),
                       quantity, call.number(3), sides_note(call, "param"));
  });
}

std::string nothing_logged() { return "no site or parameter was recorded"; }

void last_step(const Call& call) {
  Statement statement = call.query(
      "SELECT max(step) FROM (SELECT max(step) AS step FROM site UNION ALL "
      "SELECT max(step) FROM param)");
  call.give_first(statement, nothing_logged);
}

void last_layer(const Call& call) {
  // At the last step only: the key then leads straight to it.
  Statement statement = call.query(
      "SELECT max(layer) FROM ("
      "SELECT max(layer) AS layer FROM site WHERE step = (SELECT max(step) FROM site) "
      "AND side = ?1 UNION ALL "
      "SELECT max(layer) FROM param WHERE step = (SELECT max(step) FROM param) AND side = ?1)");
  const std::string side = side_of(call, 0);
  statement.bind(1, side);
  call.give_first(statement, [&] { return nothing_logged() + sides_note(call, "site"); });
}

void chance_loss(const Call& call) { call.give(call.facts().chance_loss); }

void found(const Call& call) {
  const std::optional<double>& value = call.facts().found;
  if (!value) throw std::invalid_argument("found() is for the claims of a file with [search]");
  call.give(*value);
}

void natural_log(const Call& call) {
  if (call.is_null(0)) return call.give_nothing("log of nothing");
  const double x = call.number(0);
  x > 0 ? call.give(std::log(x)) : call.give_nothing(fmt::format("log of {}", x));
}

// SQLite is C: an exception must not pass through it.
template <void (*function)(const Call&)>
void guarded(sqlite3_context* context, int count, sqlite3_value** arguments) {
  try {
    function(Call(context, count, arguments));
  } catch (const std::exception& error) {
    sqlite3_result_error(context, error.what(), -1);
  }
}

struct Function {
  const char* name;
  const char* arguments;
  int count;
  void (*call)(sqlite3_context*, int, sqlite3_value**);
};

constexpr Function kFunctions[] = {
    {"first", "name", 1, guarded<first>},
    {"final", "name", 1, guarded<final_value>},
    {"mean_last", "name, k", 2, guarded<mean_last>},
    {"min_value", "name", 1, guarded<min_value>},
    {"first_step_below", "name, value", 2, guarded<first_step_below>},
    {"site", "sublayer, site, quantity, layer, step", 5, guarded<site>},
    {"site", "sublayer, site, quantity, layer, step, side", 6, guarded<site>},
    {"param", "name, quantity, layer, step", 4, guarded<param>},
    {"param", "name, quantity, layer, step, side", 5, guarded<param>},
    {"last_layer", "", 0, guarded<last_layer>},
    {"last_layer", "side", 1, guarded<last_layer>},
    {"last_step", "", 0, guarded<last_step>},
    {"chance_loss", "", 0, guarded<chance_loss>},
    {"found", "", 0, guarded<found>},
    {"log", "x", 1, guarded<natural_log>},  // SQLite's own is to base 10
};

}  // namespace

Functions::Functions(sqlite3* database, const Facts& facts) : database_(database), facts_(facts) {
  for (const Function& function : kFunctions) {
    sqlite3_create_function(database_, function.name, function.count, SQLITE_UTF8, this,
                            function.call, /*xStep=*/nullptr, /*xFinal=*/nullptr);
  }
}

Functions::~Functions() {
  for (const Function& function : kFunctions) {
    sqlite3_create_function(database_, function.name, function.count, SQLITE_UTF8, nullptr, nullptr,
                            nullptr, nullptr);
  }
}

std::vector<std::string> Functions::signatures() {
  std::vector<std::string> signatures;
  for (const Function& function : kFunctions) {
    signatures.push_back(fmt::format("{}({})", function.name, function.arguments));
  }
  return signatures;
}

}  // namespace layerlab::claims
