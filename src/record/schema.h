// The tables of record.db, as SQL. See docs/record.md for what they mean.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "record/quantities.h"

namespace layerlab::record {

inline constexpr int kApplicationId = 0x4c4c6162;  // "LLab", in the file's header

struct Column {
  std::string_view name, type;
  int since = 1;                       // the format that brought it
  std::string_view in_older = "NULL";  // what it reads as in records of older formats
};

struct Table {
  std::string_view name;
  std::vector<Column> columns;
  std::size_t keys = 0;  // the first of the columns: the rows lie in their order
  int since = 1;
};

// All tables in today's format. A new table or column is a row here (a quantity: a row in
// quantities.h) with the number of a new format; reading older records and migrating them follow.
const std::vector<Table>& tables();
const Table& table(std::string_view name);  // which must exist

// "step, side, layer, …".
std::string column_names(const Table& table);

// What follows "CREATE TABLE " or "CREATE VIEW ": of a table, and of the view `layer`.
std::string definition(const Table& table);
std::string layer_view();

// Statements that create all of it in a database of the connection, and stamp that.
std::string schema_sql(const std::string& database = "main");

// "INSERT INTO site (step, …) VALUES (?,…),(?,…),…".
std::string insert_sql(const Table& table, std::size_t rows);

}  // namespace layerlab::record
