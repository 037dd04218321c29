#include "record/schema.h"

#include <cassert>
#include <stdexcept>

namespace layerlab::record {
namespace {

std::vector<Column> followed_by(std::vector<Column> keys, const auto& quantities) {
  for (const Quantity& quantity : quantities) {
    keys.push_back({quantity.name, "REAL", quantity.since});
  }
  return keys;
}

template <std::size_t n>
std::size_t index_of(const std::array<std::string_view, n>& names, std::string_view name) {
  for (std::size_t i = 0; i < n; ++i) {
    if (names[i] == name) return i;
  }
  throw std::logic_error("no such quantity: " + std::string(name));
}

std::string joined(const std::string& part, std::size_t count) {
  std::string text = part;
  for (std::size_t i = 1; i < count; ++i) text += "," + part;
  return text;
}

std::vector<Table> make_tables() {
  const Column step{"step", "INTEGER"}, name{"name", "TEXT"}, layer{"layer", "INTEGER"},
      sublayer{"sublayer", "TEXT"}, value{"value", "REAL"}, side{"side", "TEXT", 2, "''"};
  return {
      {"scalar", {step, name, value}, 2},
      {"site", followed_by({step, side, layer, sublayer, {"site", "TEXT"}}, kSiteColumns), 5},
      {"param", followed_by({step, side, layer, name}, kParamColumns), 4},
      {"dependency",
       {step, layer, sublayer, {"on_layer", "INTEGER"}, {"on_sublayer", "TEXT"}, value},
       5,
       4},
      {"event", {{"step", "INTEGER NOT NULL"}, {"kind", "TEXT NOT NULL"}, {"detail", "TEXT"}}},
      {"timing", {step, name, value}, 2},
  };
}

}  // namespace

std::size_t site_quantity(std::string_view name) { return index_of(kSiteQuantities, name); }
std::size_t param_quantity(std::string_view name) { return index_of(kParamQuantities, name); }

const std::vector<Table>& tables() {
  static const std::vector<Table> all = make_tables();
  return all;
}

const Table& table(std::string_view name) {
  const auto found = std::ranges::find(tables(), name, &Table::name);
  assert(found != tables().end());
  return *found;
}

std::string column_names(const Table& table) {
  std::string names;
  for (const Column& column : table.columns) {
    names += (names.empty() ? "" : ", ") + std::string(column.name);
  }
  return names;
}

// Without a rowid a table is one tree in the order of its key: smaller than a table with an index,
// and the order of its rows does not depend on the order of writing.
std::string definition(const Table& table) {
  std::string columns, keys;
  for (std::size_t i = 0; i < table.columns.size(); ++i) {
    const std::string name(table.columns[i].name), comma = i == 0 ? "" : ", ";
    columns += comma + name + " " + std::string(table.columns[i].type);
    if (i < table.keys) keys += comma + name;
  }
  const std::string key = table.keys == 0 ? ")" : ", PRIMARY KEY (" + keys + ")) WITHOUT ROWID";
  return std::string(table.name) + " (" + columns + key;
}

std::string layer_view() {
  std::string sql = "layer (step, side, layer, sublayer, site, quantity, value) AS\n";
  std::string separator;
  for (const std::string_view name : kSiteQuantities) {
    const std::string quantity(name);
    sql += separator + "SELECT step, side, layer, sublayer, site, '" + quantity + "', " + quantity +
           " FROM site WHERE " + quantity + " IS NOT NULL";
    separator = " UNION ALL\n";
  }
  return sql;
}

std::string schema_sql(const std::string& database) {
  std::string sql;
  for (const Table& table : tables()) {
    sql += "CREATE TABLE " + database + "." + definition(table) + ";\n";
  }
  return sql + "CREATE VIEW " + database + "." + layer_view() + ";\nPRAGMA " + database +
         ".application_id = " + std::to_string(kApplicationId) + ";\nPRAGMA " + database +
         ".user_version = " + std::to_string(kFormatVersion) + ";\n";
}

std::string insert_sql(const Table& table, std::size_t rows) {
  return "INSERT INTO " + std::string(table.name) + " (" + column_names(table) + ") VALUES " +
         joined("(" + joined("?", table.columns.size()) + ")", rows);
}

}  // namespace layerlab::record
