// A thin layer over SQLite's C interface: handles that close themselves, errors that are thrown.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

struct sqlite3;
struct sqlite3_stmt;

namespace layerlab::record {

struct CloseDatabase {
  void operator()(sqlite3* database) const;
};
using Database = std::unique_ptr<sqlite3, CloseDatabase>;

enum class OpenMode { kExisting, kCreate };

// Opens the file; a lock that another process holds is waited for. An existing file that may not
// be written is opened for reading. No trigger of the file fires, and its views and defaults call
// nothing. One thread at a time may use the handle. Throws UserError naming the file.
Database open_database(const std::filesystem::path& path, OpenMode mode);

// Runs statements that return nothing.
void execute(sqlite3* database, const std::string& sql);

// A prepared statement. Errors that disk, locks or a damaged file cause are UserErrors that name
// the file; the rest are our own mistakes and thrown as std::logic_error.
class Statement {
 public:
  Statement(sqlite3* database, std::string_view sql);
  ~Statement();
  Statement(Statement&& other) noexcept;
  Statement& operator=(Statement&&) = delete;

  // Parameters count from 1. Text must stay alive until the statement has run. NaN is NULL.
  void bind(int parameter, std::int64_t value);
  void bind(int parameter, double value);
  void bind(int parameter, std::string_view value);
  void bind(int parameter, std::string&& value) = delete;  // gone before the statement runs

  bool step();  // to the next row; false after the last
  void run();   // to the end, then ready for other parameters

  // Columns of the current row count from 0.
  int columns() const;
  double number(int column) const;  // NULL is NaN
  std::int64_t integer(int column) const;
  std::string text(int column) const;  // NULL is ""

 private:
  void check(int code) const;

  sqlite3* database_;
  sqlite3_stmt* statement_ = nullptr;
};

}  // namespace layerlab::record
