#include "record/open.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <fstream>

#include "core/files.h"
#include "record/cell.h"
#include "record/record.h"
#include "record/schema.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/user_error.h"

namespace layerlab::record {
namespace {

namespace fs = std::filesystem;

using Numbers = std::vector<std::vector<double>>;

constexpr const char* kScalars =
    "CREATE TABLE scalar (step INTEGER, name TEXT, value REAL, PRIMARY KEY (step, name)) WITHOUT "
    "ROWID;"
    "CREATE TABLE timing (step INTEGER, name TEXT, value REAL, PRIMARY KEY (step, name)) WITHOUT "
    "ROWID;"
    "CREATE TABLE event (step INTEGER NOT NULL, kind TEXT NOT NULL, detail TEXT);"
    "INSERT INTO scalar VALUES (0, 'loss', 4), (1, 'loss', 3);"
    "INSERT INTO event VALUES (1, 'loss_spike', 'a line'), (0, 'stall', 'another');";

// Records as earlier versions made them, with two steps.
std::string record_of_format(int format) {
  const std::string side = format >= 2 ? "side TEXT, " : "", no_side = format >= 2 ? "'', " : "";
  const std::string key = format >= 2 ? "step, side, layer" : "step, layer";
  const std::string moments = format >= 3 ? ", moment1_norm REAL, moment2_norm REAL" : "";
  const std::string two = format >= 3 ? ", 6, 7" : "";
  std::string sql = kScalars;
  sql += "CREATE TABLE site (step INTEGER, " + side +
         "layer INTEGER, sublayer TEXT, site TEXT, rms REAL, token_norm REAL, max_abs REAL, mean "
         "REAL, var REAL, grad_norm REAL, " +
         (format == 1 ? "grad_rms REAL, " : "") +
         "branch_ratio REAL, token_cosine REAL, entropy REAL, max_logit REAL, PRIMARY KEY (" + key +
         ", sublayer, site)) WITHOUT ROWID;"
         "CREATE TABLE param (step INTEGER, " +
         side +
         "layer INTEGER, name TEXT, weight_norm REAL, grad_norm REAL, grad_norm_clipped REAL, "
         "update_norm REAL, update_ratio REAL" +
         moments + ", PRIMARY KEY (" + key + ", name)) WITHOUT ROWID;";
  for (const char* const step : {"0, ", "1, "}) {
    sql += "INSERT INTO site VALUES (" + (step + no_side) +
           "2, 'ff', 'out', 0.5, NULL, NULL, NULL, NULL, 0.25, " + (format == 1 ? "9, " : "") +
           "NULL, 0.75, NULL, NULL);"
           "INSERT INTO param VALUES (" +
           (step + no_side) + "2, 'ff.up.weight', 1, 2, 3, 4, 5" + two + ");";
  }
  if (format >= 4) {
    sql +=
        "CREATE TABLE dependency (step INTEGER, layer INTEGER, sublayer TEXT, on_layer INTEGER, "
        "on_sublayer TEXT, value REAL, PRIMARY KEY (step, layer, sublayer, on_layer, "
        "on_sublayer)) WITHOUT ROWID;";
  }
  return sql + "CREATE VIEW layer AS SELECT step FROM site; PRAGMA application_id = " +
         std::to_string(kApplicationId) + "; PRAGMA user_version = " + std::to_string(format);
}

class RecordFiles : public testing::Test {
 protected:
  fs::path make(const std::string& sql) const {
    fs::remove(path());
    execute(open_database(path(), OpenMode::kCreate).get(), sql);
    return path();
  }
  // A record of this program, with a row, and then changed.
  fs::path foreign(const std::string& sql) const {
    fs::remove(path());
    {
      Writer writer(path(), 0);
      writer.add(ScalarRow{0, "loss", 4});
      writer.add(ScalarRow{1, "loss", 3});
      writer.commit();
    }
    execute(open_database(path(), OpenMode::kExisting).get(), sql);
    return path();
  }
  fs::path path() const { return folder_ / "record.db"; }

  TemporaryFolder folder_;
};

Numbers numbers(const fs::path& path, const char* sql) { return Reader(path).numbers(sql); }

class OlderFormats : public RecordFiles, public testing::WithParamInterface<int> {};

TEST_P(OlderFormats, AreReadAsTodaysWithoutBeingChanged) {
  const std::string before = read_file(make(record_of_format(GetParam())));
  EXPECT_EQ(numbers(path(),
                    "SELECT rms, grad_norm, token_cosine FROM site WHERE side = '' AND "
                    "layer = 2 AND step = 1"),
            (Numbers{{0.5, 0.25, 0.75}}));
  EXPECT_EQ(numbers(path(), "SELECT count(*) FROM param WHERE moment1_norm IS NULL"),
            (Numbers{{GetParam() < 3 ? 2.0 : 0.0}}));
  EXPECT_EQ(numbers(path(), "SELECT count(*) FROM dependency"), (Numbers{{0}}));
  EXPECT_EQ(numbers(path(), "SELECT value FROM layer WHERE quantity = 'rms' AND side = ''"),
            (Numbers{{0.5}, {0.5}}));
  EXPECT_EQ(read_file(path()), before);
}

TEST_P(OlderFormats, AreBroughtToTodaysWhereARunGoesOn) {
  make(record_of_format(GetParam()));
  {
    Writer writer(path(), 1);
    writer.add(ScalarRow{1, "loss", 2});
    writer.add(DependencyRow{1, 0, "attn", -1, "", 0.5});
    writer.commit();
  }
  EXPECT_EQ(numbers(path(), "PRAGMA user_version"), (Numbers{{kFormatVersion}}));
  EXPECT_EQ(numbers(path(), "SELECT value FROM scalar"), (Numbers{{4}, {2}}));
  EXPECT_EQ(numbers(path(), "SELECT step, rms, grad_norm FROM main.site"),
            (Numbers{{0, 0.5, 0.25}}));
  EXPECT_EQ(numbers(path(), "SELECT step FROM event"), (Numbers{{0}}));
  EXPECT_EQ(numbers(path(), "SELECT value FROM dependency"), (Numbers{{0.5}}));
  EXPECT_NO_THROW(check_resumable(path()));
  EXPECT_EQ(sorted_entries(folder_.path()), std::vector<fs::path>{path()}) << "and nothing else";
}

INSTANTIATE_TEST_SUITE_P(Records, OlderFormats, testing::Values(1, 2, 3, 4));

TEST_F(RecordFiles, OfNewerFormatsAreRefused) {
  const int newer = kFormatVersion + 1;
  foreign("PRAGMA user_version = " + std::to_string(newer));
  const std::string message = "is a record of format " + std::to_string(newer) + ", newer than";
  EXPECT_THAT([&] { Reader{path()}; }, throws_user_error(message));
  EXPECT_THAT([&] { Writer(path(), 0); }, throws_user_error(message));
}

TEST_F(RecordFiles, AreRefusedWithoutATableOrColumnOfTheirFormat) {
  for (const Table& table : tables()) {
    const std::string name(table.name);
    foreign("DROP TABLE " + name);
    const std::string message = "record.db: lacks the table '" + name + "'";
    EXPECT_THAT([&] { Reader{path()}; }, throws_user_error(message));
    EXPECT_THAT([&] { Writer(path(), 0); }, throws_user_error(message));
  }
  foreign("DROP VIEW layer; ALTER TABLE site DROP COLUMN token_cosine");
  EXPECT_THAT([&] { Reader{path()}; },
              throws_user_error("lacks the column 'token_cosine' of the table 'site'"));
}

TEST_F(RecordFiles, MayLackTheirView) {
  foreign(
      "DROP VIEW layer; INSERT INTO site (step, side, layer, sublayer, site, rms) VALUES "
      "(0, '', 0, 'ff', 'out', 2)");
  EXPECT_EQ(numbers(path(), "SELECT value FROM layer"), (Numbers{{2}}));
}

TEST_F(RecordFiles, FireNoTriggers) {
  foreign("CREATE TRIGGER thief AFTER INSERT ON event BEGIN DELETE FROM scalar; END");
  {
    Writer writer(path(), 2);
    writer.add(EventRow{2, "stall", ""});
    writer.commit();
  }
  EXPECT_EQ(numbers(path(), "SELECT count(*) FROM scalar"), (Numbers{{2}}));
}

TEST_F(RecordFiles, AreRefusedWhereAViewStandsForATable) {
  foreign("DROP TABLE scalar; CREATE VIEW scalar AS SELECT 1 AS step, 'loss' AS name, 0 AS value");
  EXPECT_THAT([&] { Reader{path()}; }, throws_user_error("lacks the table 'scalar'"));
}

TEST_F(RecordFiles, ObeyNoViewOfTheirOwnNamedLikeOurs) {
  foreign("DROP VIEW layer; CREATE VIEW layer AS SELECT 'false' AS quantity");
  EXPECT_EQ(numbers(path(), "SELECT count(*) FROM layer"), (Numbers{{0}}));
}

TEST_F(RecordFiles, LoseConstraintsThatOthersAdded) {
  make(
      "CREATE TABLE scalar (step INTEGER, name TEXT, value REAL CHECK (value > 0), PRIMARY KEY "
      "(step, name)) WITHOUT ROWID;" +
      record_of_format(4).substr(std::string(kScalars).find("CREATE TABLE timing")));
  Writer writer(path(), 2);
  writer.add(ScalarRow{2, "loss", -1});
  writer.commit();
  EXPECT_EQ(numbers(path(), "SELECT value FROM scalar WHERE step = 2"), (Numbers{{-1}}));
}

TEST_F(RecordFiles, ThatAreCutAreRefused) {
  foreign("");
  fs::resize_file(path(), fs::file_size(path()) - 60);
  EXPECT_THAT([&] { Reader{path()}; }, throws_user_error("is cut"));
  EXPECT_THAT([&] { Writer(path(), 0); }, throws_user_error("is cut"));
}

TEST_F(RecordFiles, WithBrokenPagesAreNotResumed) {
  foreign("");
  EXPECT_NO_THROW(check_resumable(path()));
  {
    std::fstream file(path(), std::ios::in | std::ios::out | std::ios::binary);
    file.seekp(4096 + 3);  // the second page: how many rows it holds
    file.put('\x7f');
  }
  EXPECT_THAT([&] { check_resumable(path()); },
              throws_user_error("remove the run's folder, and it is trained again"));
}

TEST_F(RecordFiles, MayBeEmptyWhereARunWasKilledAtItsStart) {
  std::ofstream(path()).flush();
  EXPECT_NO_THROW(check_resumable(path()));
  EXPECT_NO_THROW(Writer(path(), 0));
}

TEST_F(RecordFiles, AreRefusedWhereTheyAreNoFiles) {
  ASSERT_EQ(::mkfifo(path().c_str(), 0600), 0);
  EXPECT_THAT([&] { Reader{path()}; }, throws_user_error("it is a pipe"));
  EXPECT_THAT([&] { Writer(path(), 0); }, throws_user_error("it is a pipe"));
}

TEST_F(RecordFiles, StayAsTheyAreWhenTheRunHasEnded) {
  foreign("");
  write_done({folder_.path()}, {CellState::kFinished, 2});
  EXPECT_THAT([&] { Writer(path(), 1); }, throws_user_error("belongs to a run that has ended"));
  EXPECT_EQ(numbers(path(), "SELECT count(*) FROM scalar"), (Numbers{{2}}));
}

}  // namespace
}  // namespace layerlab::record
