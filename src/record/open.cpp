#include "record/open.h"

#include <sqlite3.h>

#include <algorithm>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "core/error.h"
#include "core/files.h"
#include "record/schema.h"

namespace layerlab::record {
namespace fs = std::filesystem;
namespace {

constexpr const char* kRemedy = "remove the run's folder, and it is trained again";

std::int64_t number(sqlite3* database, const char* sql) {
  Statement statement(database, sql);
  return statement.step() ? statement.integer(0) : 0;
}

bool is_empty(sqlite3* database) {
  return number(database, "SELECT count(*) FROM main.sqlite_schema") == 0;
}

// A record's format. Throws UserError for what is no record, or newer than this program.
std::int64_t format_of(sqlite3* database, const fs::path& path) {
  const Place place{path.string()};
  if (number(database, "PRAGMA application_id") != kApplicationId) {
    throw UserError(place, "is not a record of a run");
  }
  const std::int64_t pages = number(database, "PRAGMA page_count");
  const std::int64_t bytes = pages * number(database, "PRAGMA page_size");
  std::error_code error;
  if (static_cast<std::int64_t>(fs::file_size(path, error)) < bytes) {
    throw UserError(place, "is cut: its end is missing", kRemedy);
  }
  const std::int64_t format = number(database, "PRAGMA user_version");
  if (format >= 1 && format <= kFormatVersion) return format;
  throw UserError(place,
                  "is a record of format " + std::to_string(format) + ", newer than " +
                      std::to_string(kFormatVersion),
                  "use the version of layerlab that manifest.json beside it names");
}

// Whether tables and view are those that this program makes.
bool is_current(sqlite3* database) {
  std::set<std::string> wanted = {"CREATE VIEW " + layer_view()};
  for (const Table& table : tables()) wanted.insert("CREATE TABLE " + definition(table));
  Statement statement(database, "SELECT sql FROM main.sqlite_schema");
  while (statement.step()) wanted.erase(statement.text(0));
  return wanted.empty() && number(database, "PRAGMA user_version") == kFormatVersion;
}

using Columns = std::set<std::pair<std::string, std::string>>;  // {table, column}

Columns columns_of(sqlite3* database) {
  Columns columns;
  Statement statement(database,
                      "SELECT t.name, c.name FROM main.sqlite_schema AS t, "
                      "pragma_table_info(t.name, 'main') AS c WHERE t.sql LIKE 'CREATE TABLE%'");
  while (statement.step()) columns.insert({statement.text(0), statement.text(1)});
  return columns;
}

// Lays temporary views over the file: under the tables' names they show it in today's format.
void adapt(sqlite3* database, std::int64_t format, const fs::path& path) {
  const Columns columns = columns_of(database);
  std::string sql;
  for (const Table& table : tables()) {
    const std::string name(table.name);
    const auto has = [&](const Column& column) {
      return columns.contains({name, std::string(column.name)});
    };
    const bool any = std::ranges::any_of(table.columns, has);
    std::string selected;
    for (const Column& column : table.columns) {
      const std::string column_name(column.name);
      if (!has(column) && std::max(table.since, column.since) <= format) {
        throw UserError({path.string()},
                        any ? "lacks the column '" + column_name + "' of the table '" + name + "'"
                            : "lacks the table '" + name + "'",
                        kRemedy);
      }
      selected += selected.empty() ? "" : ", ";
      selected += has(column) ? column_name : std::string(column.in_older) + " AS " + column_name;
    }
    sql += "CREATE TEMP VIEW " + name + " AS SELECT " + selected +
           (any ? " FROM main." + name : " WHERE 0") + ";\n";
  }
  sqlite3_db_config(database, SQLITE_DBCONFIG_ENABLE_VIEW, 0, nullptr);  // those of the file
  execute(database, sql + "CREATE TEMP VIEW " + layer_view());
}

void migrate(const fs::path& path) {
  AtomicFile copy(path);
  {
    const Database database = open_for_reading(path);
    const std::string name = copy.temporary().string();
    Statement attach(database.get(), "ATTACH ? AS copy");
    attach.bind(1, std::string_view(name));
    attach.run();
    std::string sql = "PRAGMA copy.journal_mode = MEMORY; BEGIN;" + schema_sql("copy");
    for (const Table& table : tables()) {
      const std::string columns = column_names(table), source(table.name);
      sql += "INSERT INTO copy." + source + " (" + columns + ") SELECT " + columns + " FROM " +
             source + ";\n";
    }
    execute(database.get(), sql + "COMMIT");
  }
  copy.commit();
}

}  // namespace

Database open_for_reading(const fs::path& path) {
  if (!is_there(path)) throw UserError({path.string()}, "there is no record here");
  require_file(path);
  // Opened for writing all the same: only then can SQLite undo what a killed writer left half done.
  Database database = open_database(path, OpenMode::kExisting);
  const std::int64_t format = format_of(database.get(), path);
  if (!is_current(database.get())) adapt(database.get(), format, path);
  return database;
}

Database open_for_writing(const fs::path& path) {
  if (is_there(path)) require_file(path);
  Database database = open_database(path, OpenMode::kCreate);
  if (is_empty(database.get())) {
    execute(database.get(), "BEGIN IMMEDIATE;" + schema_sql() + "COMMIT");
    return database;
  }
  format_of(database.get(), path);
  if (is_current(database.get())) return database;
  database.reset();
  migrate(path);
  return open_database(path, OpenMode::kExisting);
}

Database empty_record() {
  Database database = open_database(":memory:", OpenMode::kCreate);
  execute(database.get(), schema_sql());
  return database;
}

void check_resumable(const fs::path& path) {
  require_file(path);
  {
    const Database database = open_database(path, OpenMode::kExisting);
    if (is_empty(database.get())) return;
  }
  const Database database = open_for_reading(path);
  Statement check(database.get(), "PRAGMA main.quick_check(1)");
  const std::string found = check.step() ? check.text(0) : "ok";
  if (found == "ok") return;
  throw UserError({path.string()}, "is damaged: " + found.substr(found.rfind('\n') + 1), kRemedy);
}

}  // namespace layerlab::record
