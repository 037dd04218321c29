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

}  // namespace

struct Writer::Impl {
  Impl(const std::filesystem::path& path, std::int64_t resume_at)
      : database(open_database(path, OpenMode::kCreate)) {
    prepare_file(database.get(), path, resume_at);
    const auto insert = [&](const char* table, std::size_t columns) {
      return std::make_unique<Statement>(database.get(), insert_sql(table, columns));
    };
    scalar = insert("scalar", 3);
    site = insert("site", 5 + kSiteQuantities.size());
    param = insert("param", 4 + kParamQuantities.size());
    dependency = insert("dependency", 6);
    event = insert("event", 3);
    timing = insert("timing", 3);
  }

  Database database;  // first, so that it is closed last
  std::unique_ptr<Statement> scalar, site, param, dependency, event, timing;
};

Writer::Writer(const std::filesystem::path& path, std::int64_t resume_at)
    : impl_(std::make_unique<Impl>(path, resume_at)) {}

Writer::~Writer() = default;
Writer::Writer(Writer&&) noexcept = default;
Writer& Writer::operator=(Writer&&) noexcept = default;

namespace {

template <typename... Keys>
void insert(Statement& statement, std::span<const double> values, const Keys&... keys) {
  int parameter = 0;
  (statement.bind(++parameter, keys), ...);
  for (const double value : values) statement.bind(++parameter, value);
  statement.run();
}

}  // namespace

void Writer::add(const ScalarRow& row) {
  insert(*impl_->scalar, {&row.value, 1}, row.step, std::string_view(row.name));
}

void Writer::add(const SiteRow& row) {
  insert(*impl_->site, row.values, row.step, std::string_view(row.side), std::int64_t{row.layer},
         std::string_view(row.sublayer), std::string_view(row.site));
}

void Writer::add(const ParamRow& row) {
  insert(*impl_->param, row.values, row.step, std::string_view(row.side), std::int64_t{row.layer},
         std::string_view(row.name));
}

void Writer::add(const DependencyRow& row) {
  insert(*impl_->dependency, {&row.value, 1}, row.step, std::int64_t{row.layer},
         std::string_view(row.sublayer), std::int64_t{row.on_layer},
         std::string_view(row.on_sublayer));
}

void Writer::add(const EventRow& row) {
  insert(*impl_->event, {}, row.step, std::string_view(row.kind), std::string_view(row.detail));
}

void Writer::add_timing(std::int64_t step, std::string_view name, double value) {
  insert(*impl_->timing, {&value, 1}, step, name);
}

void Writer::commit() { execute(impl_->database.get(), "COMMIT; BEGIN IMMEDIATE"); }

}  // namespace layerlab::record
