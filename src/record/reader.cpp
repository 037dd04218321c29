#include "record/open.h"
#include "record/record.h"

namespace layerlab::record {

struct Reader::Impl {
  Database database;
};

Reader::Reader(const std::filesystem::path& path)
    : impl_(std::make_unique<Impl>(Impl{open_for_reading(path)})) {
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
