#include <gtest/gtest.h>

#include <cmath>
#include <fstream>

#include "record/record.h"
#include "record/sqlite.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/user_error.h"

namespace layerlab::record {
namespace {

TEST(Reader, SaysWhenThereIsNoRecord) {
  const TemporaryFolder folder;
  EXPECT_THAT([&] { Reader(folder / "record.db"); }, throws_user_error("there is no record here"));
  EXPECT_FALSE(std::filesystem::exists(folder / "record.db"));
}

TEST(Reader, RefusesOtherFiles) {
  const TemporaryFolder folder;
  std::ofstream(folder / "text.db") << std::string(5000, 'x');
  EXPECT_THAT([&] { Reader(folder / "text.db"); }, throws_user_error("not a database"));
  std::ofstream(folder / "empty.db").flush();
  EXPECT_THAT([&] { Reader(folder / "empty.db"); }, throws_user_error("is not a record"));
  execute(open_database(folder / "other.db", OpenMode::kCreate).get(), "CREATE TABLE t (a)");
  EXPECT_THAT([&] { Reader(folder / "other.db"); }, throws_user_error("is not a record"));
}

TEST(Reader, CannotChangeTheRecord) {
  const TemporaryFolder folder;
  { Writer(folder / "record.db", 0); }
  const Reader reader(folder / "record.db");
  EXPECT_THROW(reader.numbers("DELETE FROM scalar"), UserError);
}

TEST(Reader, ReadsARecordThatMayNotBeWritten) {
  const TemporaryFolder folder;
  { Writer(folder / "record.db", 0); }
  std::filesystem::permissions(folder / "record.db", std::filesystem::perms::owner_read);
  EXPECT_EQ(Reader(folder / "record.db").numbers("SELECT count(*) FROM site")[0][0], 0);
}

TEST(Reader, ShowsTheSitesAsATidyTable) {
  const TemporaryFolder folder;
  Writer writer(folder / "record.db", 0);
  SiteRow row{3, 1, "ff", "out", {}};
  row.values.fill(std::nan(""));
  row.values[site_quantity("rms")] = 0.5;
  row.values[site_quantity("grad_norm")] = 0.25;
  writer.add(row);
  writer.commit();
  EXPECT_EQ(Reader(folder / "record.db")
                .strings("SELECT step||' '||layer||' '||sublayer||' '||site||' '||quantity||' '||"
                         "value FROM layer ORDER BY quantity"),
            (std::vector<std::string>{"3 1 ff out grad_norm 0.25", "3 1 ff out rms 0.5"}));
}

TEST(Quantities, AreFoundByName) {
  EXPECT_EQ(kSiteQuantities[site_quantity("token_cosine")], "token_cosine");
  EXPECT_EQ(kParamQuantities[param_quantity("update_norm")], "update_norm");
  EXPECT_THROW(site_quantity("weight_norm"), std::logic_error);
}

}  // namespace
}  // namespace layerlab::record
