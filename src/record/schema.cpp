#include "record/schema.h"

#include "core/error.h"
#include "record/record.h"
#include "record/sqlite.h"

namespace layerlab::record {
namespace {

// Without a rowid a table is one tree in the order of its key: smaller than a table with an index,
// and the order of its rows does not depend on the order of writing.
std::string keyed_table(const std::string& name, const std::string& keys_with_types,
                        const std::string& keys, const auto& quantities) {
  std::string sql = "CREATE TABLE " + name + " (" + keys_with_types;
  for (const std::string_view quantity : quantities) sql += ", " + std::string(quantity) + " REAL";
  return sql + ", PRIMARY KEY (" + keys + ")) WITHOUT ROWID;\n";
}

std::string tidy_view() {
  std::string sql = "CREATE VIEW layer (step, side, layer, sublayer, site, quantity, value) AS\n";
  std::string separator;
  for (const std::string_view name : kSiteQuantities) {
    const std::string quantity(name);
    sql += separator + "SELECT step, side, layer, sublayer, site, '" + quantity + "', " + quantity +
           " FROM site WHERE " + quantity + " IS NOT NULL";
    separator = " UNION ALL\n";
  }
  return sql + ";\n";
}

template <std::size_t n>
std::size_t index_of(const std::array<std::string_view, n>& names, std::string_view name) {
  for (std::size_t i = 0; i < n; ++i) {
    if (names[i] == name) return i;
  }
  throw std::logic_error("no such quantity: " + std::string(name));
}

}  // namespace

std::size_t site_quantity(std::string_view name) { return index_of(kSiteQuantities, name); }
std::size_t param_quantity(std::string_view name) { return index_of(kParamQuantities, name); }

std::string schema_sql() {
  const std::array<std::string_view, 1> value = {"value"};
  return keyed_table("scalar", "step INTEGER, name TEXT", "step, name", value) +
         keyed_table("site", "step INTEGER, side TEXT, layer INTEGER, sublayer TEXT, site TEXT",
                     "step, side, layer, sublayer, site", kSiteQuantities) +
         keyed_table("param", "step INTEGER, side TEXT, layer INTEGER, name TEXT",
                     "step, side, layer, name", kParamQuantities) +
         keyed_table(
             "dependency",
             "step INTEGER, layer INTEGER, sublayer TEXT, on_layer INTEGER, on_sublayer TEXT",
             "step, layer, sublayer, on_layer, on_sublayer", value) +
         "CREATE TABLE event (step INTEGER NOT NULL, kind TEXT NOT NULL, detail TEXT);\n" +
         keyed_table("timing", "step INTEGER, name TEXT", "step, name", value) + tidy_view() +
         "PRAGMA application_id = " + std::to_string(kApplicationId) +
         ";\nPRAGMA user_version = " + std::to_string(kFormatVersion) + ";\n";
}

std::string insert_sql(const std::string& table, std::size_t columns, std::size_t rows) {
  std::string row = "(?";
  for (std::size_t i = 1; i < columns; ++i) row += ",?";
  row += ")";
  std::string sql = "INSERT INTO " + table + " VALUES " + row;
  for (std::size_t i = 1; i < rows; ++i) sql += "," + row;
  return sql;
}

void check_format(sqlite3* database, const std::filesystem::path& path) {
  const auto pragma = [&](const char* sql) {
    Statement statement(database, sql);
    statement.step();
    return statement.integer(0);
  };
  if (pragma("PRAGMA application_id") != kApplicationId) {
    throw UserError({path.string()}, "is not a record of a run");
  }
  const std::int64_t version = pragma("PRAGMA user_version");
  if (version != kFormatVersion) {
    throw UserError({path.string()},
                    "is a record of format " + std::to_string(version) + ", not " +
                        std::to_string(kFormatVersion),
                    "read it with the version of layerlab that wrote it, or train the cell again");
  }
}

}  // namespace layerlab::record
