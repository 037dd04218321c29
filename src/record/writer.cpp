#include <span>

#include "record/record.h"
#include "record/schema.h"
#include "record/sqlite.h"

namespace layerlab::record {
namespace {

bool is_empty(sqlite3* database) {
  return !Statement(database, "SELECT 1 FROM sqlite_master").step();
}

void prepare_file(sqlite3* database, const std::filesystem::path& path, std::int64_t resume_at) {
  // Changed pages wait in memory until commit(): writing them out earlier would lock readers out.
  execute(database, "PRAGMA cache_spill = OFF");
  execute(database, "BEGIN IMMEDIATE");
  if (is_empty(database)) {
    execute(database, schema_sql());
  } else {
    check_format(database, path);
    for (const char* const table : {"scalar", "site", "param", "dependency", "event", "timing"}) {
      execute(database,
              std::string("DELETE FROM ") + table + " WHERE step >= " + std::to_string(resume_at));
    }
  }
  execute(database, "COMMIT; BEGIN IMMEDIATE");
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
  Insertion(sqlite3* database, const char* table, std::size_t columns)
      : one_(database, insert_sql(table, columns, 1)),
        many_(database, insert_sql(table, columns, kMany)) {}

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
      : database(open_database(path, OpenMode::kCreate)) {
    prepare_file(database.get(), path, resume_at);
    const auto insertion = [&](const char* table, std::size_t columns) {
      return std::make_unique<Insertion>(database.get(), table, columns);
    };
    scalar = insertion("scalar", 3);
    site = insertion("site", 5 + kSiteQuantities.size());
    param = insertion("param", 4 + kParamQuantities.size());
    dependency = insertion("dependency", 6);
    event = insertion("event", 3);
    timing = insertion("timing", 3);
  }

  Database database;  // first, so that it is closed last
  std::unique_ptr<Insertion> scalar, site, param, dependency, event, timing;
};

Writer::Writer(const std::filesystem::path& path, std::int64_t resume_at)
    : impl_(std::make_unique<Impl>(path, resume_at)) {}

Writer::~Writer() = default;
Writer::Writer(Writer&&) noexcept = default;
Writer& Writer::operator=(Writer&&) noexcept = default;

void Writer::add(const ScalarRow& row) { impl_->scalar->add(row); }
void Writer::add(const SiteRow& row) { impl_->site->add(row); }
void Writer::add(const ParamRow& row) { impl_->param->add(row); }
void Writer::add(const DependencyRow& row) { impl_->dependency->add(row); }
void Writer::add(const EventRow& row) { impl_->event->add(row); }
void Writer::add_all(std::span<const SiteRow> rows) { impl_->site->add_all(rows); }
void Writer::add_all(std::span<const ParamRow> rows) { impl_->param->add_all(rows); }

void Writer::add_timing(std::int64_t step, std::string_view name, double value) {
  impl_->timing->add(ScalarRow{step, std::string(name), value});
}

void Writer::commit() { execute(impl_->database.get(), "COMMIT; BEGIN IMMEDIATE"); }

}  // namespace layerlab::record
