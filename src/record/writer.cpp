#include <span>

#include "core/error.h"
#include "core/files.h"
#include "record/cell.h"
#include "record/open.h"
#include "record/record.h"
#include "record/schema.h"

namespace layerlab::record {
namespace {

// With the rows of steps before `resume_at`, in a transaction.
Database open_at(const std::filesystem::path& path, std::int64_t resume_at) {
  if (is_there(CellFolder{path.parent_path()}.done())) {
    throw UserError({path.string()}, "belongs to a run that has ended, and stays as it is",
                    "remove the run's folder to train it again");
  }
  Database database = open_for_writing(path);
  // Changed pages wait in memory until commit(): writing them out earlier would lock readers out.
  std::string sql = "PRAGMA cache_spill = OFF; BEGIN IMMEDIATE;";
  for (const Table& table : tables()) {
    sql += "DELETE FROM " + std::string(table.name) +
           " WHERE step >= " + std::to_string(resume_at) + ";";
  }
  execute(database.get(), sql + "COMMIT; BEGIN IMMEDIATE");
  return database;
}

// To the parameters after `last`, which then is the last of them.
void bind_all(Statement& statement, int& last, std::span<const double> values,
              const auto&... keys) {
  (statement.bind(++last, keys), ...);
  for (const double value : values) statement.bind(++last, value);
}

void bind(Statement& statement, int& last, const ScalarRow& row) {
  bind_all(statement, last, {&row.value, 1}, row.step, std::string_view(row.name));
}

void bind(Statement& statement, int& last, const SiteRow& row) {
  bind_all(statement, last, row.values, row.step, std::string_view(row.side),
           std::int64_t{row.layer}, std::string_view(row.sublayer), std::string_view(row.site));
}

void bind(Statement& statement, int& last, const ParamRow& row) {
  bind_all(statement, last, row.values, row.step, std::string_view(row.side),
           std::int64_t{row.layer}, std::string_view(row.name));
}

void bind(Statement& statement, int& last, const DependencyRow& row) {
  bind_all(statement, last, {&row.value, 1}, row.step, std::int64_t{row.layer},
           std::string_view(row.sublayer), std::int64_t{row.on_layer},
           std::string_view(row.on_sublayer));
}

void bind(Statement& statement, int& last, const EventRow& row) {
  bind_all(statement, last, {}, row.step, std::string_view(row.kind), std::string_view(row.detail));
}

// Rows of one table, many to a statement: to begin and end one takes as long as a row.
class Insertion {
 public:
  Insertion(sqlite3* database, const Table& table)
      : one_(database, insert_sql(table, 1)), many_(database, insert_sql(table, kMany)) {}

  template <typename Row>
  void add(const Row& row) {
    add_all(std::span<const Row>(&row, 1));
  }

  template <typename Row>
  void add_all(std::span<const Row> rows) {
    while (!rows.empty()) {
      const std::size_t count = rows.size() < kMany ? 1 : kMany;
      Statement& statement = count == 1 ? one_ : many_;
      int last = 0;
      for (const Row& row : rows.first(count)) bind(statement, last, row);
      statement.run();
      rows = rows.subspan(count);
    }
  }

 private:
  static constexpr std::size_t kMany = 16;

  Statement one_, many_;
};

}  // namespace

struct Writer::Impl {
  Impl(const std::filesystem::path& path, std::int64_t resume_at)
      : database(open_at(path, resume_at)) {}

  Insertion insertion(const char* name) const { return {database.get(), table(name)}; }

  Database database;  // first, so that it is closed last
  Insertion scalar = insertion("scalar"), site = insertion("site"), param = insertion("param"),
            dependency = insertion("dependency"), event = insertion("event"),
            timing = insertion("timing");
};

Writer::Writer(const std::filesystem::path& path, std::int64_t resume_at)
    : impl_(std::make_unique<Impl>(path, resume_at)) {}

Writer::~Writer() = default;
Writer::Writer(Writer&&) noexcept = default;
Writer& Writer::operator=(Writer&&) noexcept = default;

void Writer::add(const ScalarRow& row) { impl_->scalar.add(row); }
void Writer::add(const SiteRow& row) { impl_->site.add(row); }
void Writer::add(const ParamRow& row) { impl_->param.add(row); }
void Writer::add(const DependencyRow& row) { impl_->dependency.add(row); }
void Writer::add(const EventRow& row) { impl_->event.add(row); }
void Writer::add_all(std::span<const SiteRow> rows) { impl_->site.add_all(rows); }
void Writer::add_all(std::span<const ParamRow> rows) { impl_->param.add_all(rows); }

void Writer::add_timing(std::int64_t step, std::string_view name, double value) {
  impl_->timing.add(ScalarRow{step, std::string(name), value});
}

void Writer::commit() { execute(impl_->database.get(), "COMMIT; BEGIN IMMEDIATE"); }

}  // namespace layerlab::record
