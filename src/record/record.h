// A run's measurements in SQLite: record.db in its cell. See docs/record.md for the tables.
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "record/quantities.h"

struct sqlite3;

namespace layerlab::record {

// Rows of the tables. A quantity that was not measured is NaN, stored as NULL.

struct ScalarRow {
  std::int64_t step;
  std::string name;  // "loss", "accuracy", "lr", "grad_norm", "grad_norm_clipped"
  double value;
};

struct SiteRow {
  std::int64_t step;
  int layer;
  std::string sublayer, site;
  std::array<double, kSiteQuantities.size()> values;
  std::string side = {};  // "encoder" or "decoder" of a pair, else ""
};

struct ParamRow {
  std::int64_t step;
  int layer;         // -1 outside the blocks
  std::string name;  // "attn.q.weight" within its layer
  std::array<double, kParamQuantities.size()> values;
  std::string side = {};  // as of a site
};

// How much of the stream behind one sub-layer an earlier branch is (probe/dependency.h).
struct DependencyRow {
  std::int64_t step;
  int layer;
  std::string sublayer;
  int on_layer;             // -1: the stream that enters the first sub-layer
  std::string on_sublayer;  // "" then
  double value;
};

struct EventRow {
  std::int64_t step;
  std::string kind;  // "diverged", "loss_spike", …: what an uninterrupted run would have seen too
  std::string detail;
};

// Appends to one record. One writer per file; readers may look on. Rows become durable at
// commit(); whatever ends the writer in between, its destructor included, leaves what the last
// commit held. To resume from a checkpoint of step n, commit before writing that checkpoint.
// Each place (the columns before the values) has at most one row a step; the order of rows in the
// file is that of their places and does not depend on the order of add().
// Throws UserError when the disk fails or the file is no record.
class Writer {
 public:
  // Opens or creates the file and deletes rows of steps >= `resume_at`, so that a resumed run's
  // record equals an uninterrupted one's. A record of an older format is migrated (record/open.h).
  // Throws UserError where `done` stands beside it: the record of a run that has ended stays.
  Writer(const std::filesystem::path& path, std::int64_t resume_at);
  ~Writer();
  Writer(Writer&&) noexcept;
  Writer& operator=(Writer&&) noexcept;

  void add(const ScalarRow& row);
  void add(const SiteRow& row);
  void add(const ParamRow& row);
  void add(const DependencyRow& row);
  void add(const EventRow& row);
  // As add() of each, in a third less time.
  void add_all(std::span<const SiteRow> rows);
  void add_all(std::span<const ParamRow> rows);
  // Wall-clock figures of the run (name, value), kept apart from what is reproducible.
  void add_timing(std::int64_t step, std::string_view name, double value);
  void commit();

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

// Read-only access for show, verify and report.
class Reader {
 public:
  // Throws UserError when there is no record at `path` or it cannot be read (record/open.h).
  explicit Reader(const std::filesystem::path& path);
  ~Reader();
  Reader(Reader&&) noexcept;
  Reader& operator=(Reader&&) noexcept;

  // Column-wise result of a SELECT: rows of doubles (NULL is NaN); for ad-hoc tables in the CLI.
  std::vector<std::vector<double>> numbers(std::string_view sql) const;
  std::vector<std::string> strings(std::string_view sql) const;  // first column of each row

  sqlite3* handle() const;  // for claims/, which adds SQL functions

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace layerlab::record
