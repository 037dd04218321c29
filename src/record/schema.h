// The tables of record.db, as SQL. See docs/record.md for what they mean.
#pragma once

#include <filesystem>
#include <string>

struct sqlite3;

namespace layerlab::record {

inline constexpr int kApplicationId = 0x4c4c6162;  // "LLab", in the file's header
inline constexpr int kFormatVersion = 4;           // PRAGMA user_version; raise it with the tables

// Statements that create all tables and the view, and stamp the file.
std::string schema_sql();

// "INSERT INTO site VALUES (?,?,…),(?,?,…),…" for a table with `columns` columns.
std::string insert_sql(const std::string& table, std::size_t columns, std::size_t rows);

// Throws UserError unless the file is a record of this version.
void check_format(sqlite3* database, const std::filesystem::path& path);

}  // namespace layerlab::record
