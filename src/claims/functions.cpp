#include "claims/functions.h"

#include <fmt/format.h>
#include <sqlite3.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string_view>

#include "core/names.h"
#include "record/record.h"
#include "record/sqlite.h"

namespace layerlab::claims {

using record::Statement;

class Call;

struct Function {
  const char* name;
  const char* arguments;  // as a person writes them
  const char* types;      // a letter each: t text, n number
  void (*call)(Call&);
};

struct Functions::Binding {
  Functions* owner;
  const Function* function;
};

// One call from SQL: its arguments, the record, and a place for the result.
class Call {
 public:
  Call(sqlite3_context* context, sqlite3_value** arguments)
      : context_(context),
        arguments_(arguments),
        binding_(*static_cast<Functions::Binding*>(sqlite3_user_data(context))) {}

  std::string text(int i) const {
    return reinterpret_cast<const char*>(sqlite3_value_text(arguments_[i]));
  }
  double number(int i) const { return sqlite3_value_double(arguments_[i]); }

  // Argument i is bound to parameter ?i+1, where the query has it.
  Statement query(const std::string& sql) const {
    Statement statement(sqlite3_context_db_handle(context_), sql);
    for (int i = 0; i < count(); ++i) {
      if (sql.find(fmt::format("?{}", i + 1)) == std::string::npos) continue;
      if (function().types[i] == 'n') {
        statement.bind(i + 1, number(i));
      } else {
        const auto* const text = sqlite3_value_text(arguments_[i]);
        statement.bind(i + 1, std::string_view(reinterpret_cast<const char*>(text)));
      }
    }
    return statement;
  }
  const Facts& facts() const { return binding_.owner->facts_; }

  void give(double value) { sqlite3_result_double(context_, value); }
  void give_nothing(const std::string& why) {
    if (binding_.owner->missing_.empty()) binding_.owner->missing_ = why;
    sqlite3_result_null(context_);
  }
  // The first number that the query gives, or nothing because of why().
  void give_first(const std::string& sql, const auto& why) {
    Statement statement = query(sql);
    const bool found = statement.step() && !std::isnan(statement.number(0));
    found ? give(statement.number(0)) : give_nothing(why());
  }

  void run() {
    bool null = false;
    for (int i = 0; i < count(); ++i) {
      const int type = sqlite3_value_type(arguments_[i]);
      const bool number = function().types[i] == 'n';
      const bool fits =
          number ? type == SQLITE_INTEGER || type == SQLITE_FLOAT : type == SQLITE_TEXT;
      null |= type == SQLITE_NULL;
      if (fits || type == SQLITE_NULL) continue;
      throw std::invalid_argument(
          fmt::format("{}({}) takes {} as argument {}", function().name, function().arguments,
                      number ? "a number" : "text in single quotes", i + 1));
    }
    if (null) return give_nothing(fmt::format("{}() of nothing", function().name));
    function().call(*this);
  }
  // Nothing in the record is to blame for std::invalid_argument; for anything else it is.
  void fail(const std::exception& error) {
    const bool damage = dynamic_cast<const std::invalid_argument*>(&error) == nullptr;
    if (damage) binding_.owner->damage_ = error.what();
    sqlite3_result_error(context_, error.what(), -1);
  }

 private:
  const Function& function() const { return *binding_.function; }
  int count() const { return static_cast<int>(std::string_view(function().types).size()); }

  sqlite3_context* context_;
  sqlite3_value** arguments_;
  const Functions::Binding& binding_;
};

namespace {

// Why a query about the scalar of this name came back empty.
std::string why_no_value(const Call& call) {
  const std::string name = call.text(0);
  Statement names = call.query("SELECT DISTINCT name FROM scalar");
  std::vector<std::string> known;
  while (names.step()) known.push_back(names.text(0));
  if (std::ranges::find(known, name) != known.end()) {
    return fmt::format("'{}' was not a number there", name);
  }
  const std::string why = fmt::format("scalar '{}' was not recorded", name);
  return known.empty() ? why : why + "; " + suggestion(name, known);
}

// A number that the end of a run gives, of a loss also where the run lost it.
void give_last(Call& call, const std::string& sql) {
  const std::string name = call.text(0);
  Statement statement = call.query(sql);
  if (statement.step() && !std::isnan(statement.number(0))) {
    call.give(statement.number(0));
  } else if (call.facts().lost_is_chance && (name == "loss" || name == "eval_loss")) {
    call.give(call.facts().chance_loss);
  } else {
    call.give_nothing(why_no_value(call));
  }
}

void first(Call& call) {
  call.give_first("SELECT value FROM scalar WHERE name = ?1 ORDER BY step LIMIT 1",
                  [&] { return why_no_value(call); });
}

void final_value(Call& call) {
  give_last(call, "SELECT value FROM scalar WHERE name = ?1 ORDER BY step DESC LIMIT 1");
}

void mean_last(Call& call) {
  const double k = call.number(1);
  if (!(k >= 1) || k != std::floor(k)) {
    throw std::invalid_argument("mean_last(name, k) takes a whole number k of at least 1");
  }
  // A mean over values that are not all there would be the mean of something else: one NULL and
  // the result is NULL.
  give_last(call,
            "SELECT CASE WHEN count(value) = count(*) THEN avg(value) END FROM (SELECT value FROM "
            "scalar WHERE name = ?1 ORDER BY step DESC LIMIT CAST(?2 AS INTEGER))");
}

void min_value(Call& call) {
  call.give_first("SELECT min(value) FROM scalar WHERE name = ?1",
                  [&] { return why_no_value(call); });
}

void first_step_below(Call& call) {
  call.give_first("SELECT min(step) FROM scalar WHERE name = ?1 AND value < ?2", [&] {
    Statement any = call.query("SELECT 1 FROM scalar WHERE name = ?1 AND value IS NOT NULL");
    return any.step() ? fmt::format("'{}' never fell below {}", call.text(0), call.number(1))
                      : why_no_value(call);
  });
}

// A column of a table. Throws std::invalid_argument for a quantity that there is not.
template <std::size_t n>
std::string column(const std::string& name, const std::array<std::string_view, n>& quantities) {
  if (std::ranges::find(quantities, name) != quantities.end()) return name;
  throw std::invalid_argument(
      fmt::format("there is no quantity '{}'; {}", name,
                  suggestion(name, {quantities.begin(), quantities.end()})));
}

// What to add where a value was looked for without a side, or on the wrong one.
std::string sides_note(const Call& call, const char* table) {
  Statement statement =
      call.query(fmt::format("SELECT DISTINCT side FROM {} WHERE side <> ''", table));
  std::string known;
  while (statement.step()) known += (known.empty() ? "'" : " or '") + statement.text(0) + "'";
  return known.empty() ? "" : "; as the last argument, name the side: " + known;
}

void site(Call& call) {
  const std::string quantity = column(call.text(2), record::kSiteQuantities);
  call.give_first("SELECT " + quantity +
                      " FROM site WHERE sublayer = ?1 AND site = ?2 "
                      "AND layer = ?4 AND step = ?5 AND side = coalesce(?6, '')",
                  [&] {
                    return fmt::format("site '{}' of '{}' in layer {} has no {} at step {}{}",
                                       call.text(1), call.text(0), call.number(3), quantity,
                                       call.number(4), sides_note(call, "site"));
                  });
}

void param(Call& call) {
  const std::string quantity = column(call.text(1), record::kParamQuantities);
  call.give_first("SELECT " + quantity +
                      " FROM param WHERE name = ?1 AND layer = ?3 "
                      "AND step = ?4 AND side = coalesce(?5, '')",
                  [&] {
                    return fmt::format("parameter '{}' of layer {} has no {} at step {}{}",
                                       call.text(0), call.number(2), quantity, call.number(3),
                                       sides_note(call, "param"));
                  });
}

constexpr const char* kNothingLogged = "no site or parameter was recorded";

void last_step(Call& call) {
  call.give_first(
      "SELECT max(step) FROM (SELECT max(step) AS step FROM site UNION ALL "
      "SELECT max(step) FROM param)",
      [] { return kNothingLogged; });
}

void last_layer(Call& call) {
  // At the last step only: the key then leads straight to it.
  call.give_first(
      "SELECT max(layer) FROM (SELECT max(layer) AS layer FROM site "
      "WHERE step = (SELECT max(step) FROM site) AND side = coalesce(?1, '') UNION ALL "
      "SELECT max(layer) FROM param "
      "WHERE step = (SELECT max(step) FROM param) AND side = coalesce(?1, ''))",
      [&] { return kNothingLogged + sides_note(call, "site"); });
}

void chance_loss(Call& call) { call.give(call.facts().chance_loss); }

void found(Call& call) {
  const std::optional<double>& value = call.facts().found;
  if (!value) throw std::invalid_argument("found() is for the claims of a file with [search]");
  call.give(*value);
}

void natural_log(Call& call) {
  const double x = call.number(0);
  x > 0 ? call.give(std::log(x)) : call.give_nothing(fmt::format("log of {}", x));
}

constexpr Function kFunctions[] = {
    {"first", "name", "t", first},
    {"final", "name", "t", final_value},
    {"mean_last", "name, k", "tn", mean_last},
    {"min_value", "name", "t", min_value},
    {"first_step_below", "name, value", "tn", first_step_below},
    {"site", "sublayer, site, quantity, layer, step", "tttnn", site},
    {"site", "sublayer, site, quantity, layer, step, side", "tttnnt", site},
    {"param", "name, quantity, layer, step", "ttnn", param},
    {"param", "name, quantity, layer, step, side", "ttnnt", param},
    {"last_layer", "", "", last_layer},
    {"last_layer", "side", "t", last_layer},
    {"last_step", "", "", last_step},
    {"chance_loss", "", "", chance_loss},
    {"found", "", "", found},
    {"log", "x", "n", natural_log},  // SQLite's own is to base 10
};

// SQLite is C: an exception must not pass through it.
void run_call(sqlite3_context* context, int, sqlite3_value** arguments) {
  Call call(context, arguments);
  try {
    call.run();
  } catch (const std::exception& error) {
    call.fail(error);
  }
}

}  // namespace

Functions::Functions(sqlite3* database, const Facts& facts) : facts_(facts) {
  for (const Function& function : kFunctions) bindings_.push_back({this, &function});
  for (Binding& binding : bindings_) {
    const int count = static_cast<int>(std::string_view(binding.function->types).size());
    sqlite3_create_function(database, binding.function->name, count, SQLITE_UTF8, &binding,
                            run_call, /*xStep=*/nullptr, /*xFinal=*/nullptr);
  }
}

Functions::~Functions() = default;

std::vector<std::string> Functions::signatures() {
  std::vector<std::string> signatures;
  for (const Function& function : kFunctions) {
    signatures.push_back(fmt::format("{}({})", function.name, function.arguments));
  }
  return signatures;
}

}  // namespace layerlab::claims
