#include <sqlite3.h>

#include "core/error.h"
#include "record/record.h"
#include "record/schema.h"
#include "record/sqlite.h"

namespace layerlab::record {

struct Reader::Impl {
  Database database;
};

Reader::Reader(const std::filesystem::path& path) {
  if (!std::filesystem::exists(path)) throw UserError({path.string()}, "there is no record here");
  // Opened for writing all the same: only then can SQLite undo what a killed writer left half done.
  impl_ = std::make_unique<Impl>(Impl{open_database(path, OpenMode::kExisting)});
  check_format(handle(), path);
  execute(handle(), "PRAGMA query_only = ON");
}

Reader::~Reader() = default;
Reader::Reader(Reader&&) noexcept = default;
Reader& Reader::operator=(Reader&&) noexcept = default;

std::vector<std::vector<double>> Reader::numbers(std::string_view sql) const {
  Statement statement(handle(), sql);
  std::vector<std::vector<double>> rows;
  while (statement.step()) {
    std::vector<double>& row = rows.emplace_back();
    for (int column = 0; column < statement.columns(); ++column) {
      row.push_back(statement.number(column));
    }
  }
  return rows;
}

std::vector<std::string> Reader::strings(std::string_view sql) const {
  Statement statement(handle(), sql);
  std::vector<std::string> rows;
  while (statement.step()) rows.push_back(statement.text(0));
  return rows;
}

sqlite3* Reader::handle() const { return impl_->database.get(); }

}  // namespace layerlab::record
