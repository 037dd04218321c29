#include "record/sqlite.h"

#include <sqlite3.h>

#include <limits>
#include <stdexcept>
#include <utility>

#include "core/error.h"

namespace layerlab::record {
namespace {

constexpr int kPatienceMs = 30000;  // a reader or a commit never holds the file this long

[[noreturn]] void fail(sqlite3* database, int code) {
  const char* const file = sqlite3_db_filename(database, "main");
  const Place place{file == nullptr ? "" : file};
  const std::string message = sqlite3_errmsg(database);
  switch (code & 0xff) {
    case SQLITE_CORRUPT:
    case SQLITE_NOTADB:
      throw UserError(place, message, "remove the run's folder, and it is trained again");
    case SQLITE_PERM:
    case SQLITE_BUSY:
    case SQLITE_READONLY:
    case SQLITE_IOERR:
    case SQLITE_FULL:
    case SQLITE_CANTOPEN:
      throw UserError(place, message);
    default:
      throw std::logic_error(place.file + ": " + message);
  }
}

}  // namespace

void CloseDatabase::operator()(sqlite3* database) const { sqlite3_close_v2(database); }

Database open_database(const std::filesystem::path& path, OpenMode mode) {
  const int create = mode == OpenMode::kCreate ? SQLITE_OPEN_CREATE : 0;
  sqlite3* handle = nullptr;
  const int code =
      sqlite3_open_v2(path.c_str(), &handle, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX | create,
                      /*zVfs=*/nullptr);
  Database database(handle);  // SQLite hands out a handle even when it fails
  if (code != SQLITE_OK) throw UserError({path.string()}, sqlite3_errmsg(handle));
  sqlite3_extended_result_codes(handle, 1);
  sqlite3_busy_timeout(handle, kPatienceMs);
  // Others may have written the file: it is data, and nothing in it runs.
  sqlite3_db_config(handle, SQLITE_DBCONFIG_DEFENSIVE, 1, nullptr);
  sqlite3_db_config(handle, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, nullptr);
  sqlite3_db_config(handle, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, nullptr);
  return database;
}

void execute(sqlite3* database, const std::string& sql) {
  const int code = sqlite3_exec(database, sql.c_str(), nullptr, nullptr, nullptr);
  if (code != SQLITE_OK) fail(database, code);
}

Statement::Statement(sqlite3* database, std::string_view sql) : database_(database) {
  check(sqlite3_prepare_v2(database, sql.data(), static_cast<int>(sql.size()), &statement_,
                           /*pzTail=*/nullptr));
}

Statement::~Statement() { sqlite3_finalize(statement_); }

Statement::Statement(Statement&& other) noexcept
    : database_(other.database_), statement_(std::exchange(other.statement_, nullptr)) {}

void Statement::bind(int parameter, std::int64_t value) {
  check(sqlite3_bind_int64(statement_, parameter, value));
}

void Statement::bind(int parameter, double value) {
  check(sqlite3_bind_double(statement_, parameter, value));  // makes NaN a NULL by itself
}

void Statement::bind(int parameter, std::string_view value) {
  check(sqlite3_bind_text(statement_, parameter, value.data(), static_cast<int>(value.size()),
                          SQLITE_STATIC));
}

bool Statement::step() {
  const int code = sqlite3_step(statement_);
  if (code == SQLITE_ROW) return true;
  if (code == SQLITE_DONE) return false;
  sqlite3_reset(statement_);
  fail(database_, code);
}

void Statement::run() {
  while (step()) {
  }
  check(sqlite3_reset(statement_));
}

int Statement::columns() const { return sqlite3_column_count(statement_); }

double Statement::number(int column) const {
  if (sqlite3_column_type(statement_, column) == SQLITE_NULL) {
    return std::numeric_limits<double>::quiet_NaN();
  }
  return sqlite3_column_double(statement_, column);
}

std::int64_t Statement::integer(int column) const {
  return sqlite3_column_int64(statement_, column);
}

std::string Statement::text(int column) const {
  const unsigned char* const text = sqlite3_column_text(statement_, column);
  if (text == nullptr) return {};
  return {reinterpret_cast<const char*>(text),
          static_cast<std::size_t>(sqlite3_column_bytes(statement_, column))};
}

void Statement::check(int code) const {
  if (code != SQLITE_OK) fail(database_, code);
}

}  // namespace layerlab::record
