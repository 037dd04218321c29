#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmath>
#include <fstream>
#include <limits>

#include "core/files.h"
#include "record/record.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/user_error.h"

namespace layerlab::record {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

SiteRow site_row(std::int64_t step, int layer, const std::string& site, double rms) {
  SiteRow row{step, layer, "attn", site, {}};
  row.values.fill(kNan);
  row.values[site_quantity("rms")] = rms;
  return row;
}

// What a run records in one step, in the order a forward pass comes by.
void write_step(Writer& writer, std::int64_t step) {
  writer.add(ScalarRow{step, "loss", 3.0 / static_cast<double>(step + 1)});
  for (const int layer : {-1, 0, 1}) {
    writer.add(site_row(step, layer, "in", 1.0 + layer));
    writer.add(site_row(step, layer, "branch", 2.0 + layer));
    writer.add(ParamRow{step, layer, "attn.q.weight", {1, 2, 3, 4, 5}});
  }
  if (step % 2 == 1) writer.add(EventRow{step, "loss_spike", "loss 3 after 2"});
}

// Everything but timings, as text.
std::vector<std::string> all_rows(const std::filesystem::path& path) {
  const Reader reader(path);
  std::vector<std::string> rows;
  for (const char* const sql :
       {"SELECT step||' '||name||' '||value FROM scalar",
        "SELECT step||' '||layer||' '||sublayer||' '||site||' '||rms||coalesce(mean,'-') FROM site",
        "SELECT step||' '||layer||' '||name||' '||weight_norm||' '||update_ratio FROM param",
        "SELECT step||' '||kind||' '||detail FROM event"}) {
    for (std::string& row : reader.strings(sql)) rows.push_back(std::move(row));
  }
  return rows;
}

double count(const std::filesystem::path& path, const std::string& table) {
  return Reader(path).numbers("SELECT count(*) FROM " + table)[0][0];
}

TEST(Writer, RecordsEveryKindOfRow) {
  const TemporaryFolder folder;
  Writer writer(folder / "record.db", 0);
  write_step(writer, 1);
  writer.add_timing(1, "forward", 0.5);
  writer.commit();
  EXPECT_EQ(all_rows(folder / "record.db"),
            (std::vector<std::string>{"1 loss 1.5", "1 -1 attn branch 1.0-", "1 -1 attn in 0.0-",
                                      "1 0 attn branch 2.0-", "1 0 attn in 1.0-",
                                      "1 1 attn branch 3.0-", "1 1 attn in 2.0-",
                                      "1 -1 attn.q.weight 1.0 5.0", "1 0 attn.q.weight 1.0 5.0",
                                      "1 1 attn.q.weight 1.0 5.0", "1 loss_spike loss 3 after 2"}));
  EXPECT_EQ(Reader(folder / "record.db").numbers("SELECT step, value FROM timing"),
            (std::vector<std::vector<double>>{{1, 0.5}}));
}

TEST(Writer, StoresNanAsNullAndInfinityAsItself) {
  const TemporaryFolder folder;
  Writer writer(folder / "record.db", 0);
  writer.add(ScalarRow{0, "loss", kNan});
  writer.add(ScalarRow{0, "grad_norm", std::numeric_limits<double>::infinity()});
  writer.commit();
  const Reader reader(folder / "record.db");
  EXPECT_EQ(reader.numbers("SELECT count(*) FROM scalar WHERE value IS NULL")[0][0], 1);
  EXPECT_EQ(reader.numbers("SELECT value FROM scalar WHERE name = 'grad_norm'")[0][0],
            std::numeric_limits<double>::infinity());
}

TEST(Writer, DropsWhatWasNotCommitted) {
  const TemporaryFolder folder;
  {
    Writer writer(folder / "record.db", 0);
    write_step(writer, 0);
    writer.commit();
    write_step(writer, 1);
  }
  EXPECT_EQ(count(folder / "record.db", "scalar"), 1);
}

TEST(Writer, KeepsWhatWasCommittedWhenTheProcessIsKilled) {
  const TemporaryFolder folder;
  const std::filesystem::path path = folder / "record.db";
  int ready[2];
  ASSERT_EQ(::pipe(ready), 0);
  const pid_t child = ::fork();
  if (child == 0) {
    Writer writer(path, 0);
    for (int step = 0; step < 50; ++step) write_step(writer, step);
    writer.commit();
    for (int step = 50; step < 5000; ++step) write_step(writer, step);
    if (::write(ready[1], "!", 1) == 1) ::pause();
    ::_exit(1);
  }
  char byte;
  ASSERT_EQ(::read(ready[0], &byte, 1), 1);
  ::kill(child, SIGKILL);
  ::waitpid(child, nullptr, 0);
  EXPECT_EQ(count(path, "scalar"), 50);
  EXPECT_EQ(count(path, "site"), 300);
  EXPECT_EQ(Reader(path).strings("PRAGMA integrity_check"), std::vector<std::string>{"ok"});
  ::close(ready[0]);
  ::close(ready[1]);
}

// Kills the child at random moments of its commits: the file must hold whole steps each time.
TEST(Writer, NeverKeepsHalfACommit) {
  for (int round = 0; round < 20; ++round) {
    const TemporaryFolder folder;
    const std::filesystem::path path = folder / "record.db";
    int ready[2];
    ASSERT_EQ(::pipe(ready), 0);
    const pid_t child = ::fork();
    if (child == 0) {
      Writer writer(path, 0);
      for (int step = 0;; ++step) {
        write_step(writer, step);
        writer.commit();
        if (step == 0 && ::write(ready[1], "!", 1) != 1) ::_exit(1);
      }
    }
    char byte;
    ASSERT_EQ(::read(ready[0], &byte, 1), 1);
    ::usleep(static_cast<useconds_t>(700 * round));
    ::kill(child, SIGKILL);
    ::waitpid(child, nullptr, 0);
    const double steps = count(path, "scalar");
    EXPECT_GE(steps, 1);
    EXPECT_EQ(count(path, "site"), 6 * steps);
    EXPECT_EQ(count(path, "param"), 3 * steps);
    ::close(ready[0]);
    ::close(ready[1]);
  }
}

TEST(Writer, ResumedEqualsUninterruptedRowForRow) {
  const TemporaryFolder folder;
  {
    Writer writer(folder / "whole.db", 0);
    for (int step = 0; step < 10; ++step) write_step(writer, step);
    writer.commit();
  }
  {
    Writer writer(folder / "resumed.db", 0);
    for (int step = 0; step < 7; ++step) write_step(writer, step);
    writer.add_timing(6, "forward", 1);
    writer.commit();
  }
  {
    Writer writer(folder / "resumed.db", 4);  // the last checkpoint was of step 4
    for (int step = 4; step < 10; ++step) write_step(writer, step);
    writer.add_timing(6, "forward", 2);
    writer.commit();
  }
  EXPECT_EQ(all_rows(folder / "resumed.db"), all_rows(folder / "whole.db"));
  EXPECT_EQ(count(folder / "resumed.db", "timing"), 1);
}

TEST(Writer, OrdersRowsByPlaceHoweverTheyCome) {
  const TemporaryFolder folder;
  Writer forward(folder / "forward.db", 0);
  Writer backward(folder / "backward.db", 0);
  for (int layer = 0; layer < 5; ++layer) {
    forward.add(site_row(0, layer, "in", layer));
    backward.add(site_row(0, 4 - layer, "in", 4 - layer));
  }
  forward.commit();
  backward.commit();
  EXPECT_EQ(all_rows(folder / "forward.db"), all_rows(folder / "backward.db"));
}

TEST(Writer, TakesManyRowsAsOneByOne) {
  const TemporaryFolder folder;
  Writer single(folder / "single.db", 0), together(folder / "together.db", 0);
  std::vector<SiteRow> sites;
  std::vector<ParamRow> params;
  for (int layer = 0; layer < 37; ++layer) {
    sites.push_back(site_row(0, layer, "in", layer));
    params.push_back({0, layer, "attn.q.weight", {1.0 + layer, 2, 3, 4, 5}});
  }
  for (const SiteRow& row : sites) single.add(row);
  for (const ParamRow& row : params) single.add(row);
  together.add_all(sites);
  together.add_all(params);
  single.commit();
  together.commit();
  EXPECT_EQ(all_rows(folder / "together.db"), all_rows(folder / "single.db"));
  EXPECT_EQ(count(folder / "together.db", "site"), 37);
}

TEST(Writer, RefusesTwoRowsForOnePlace) {
  const TemporaryFolder folder;
  Writer writer(folder / "record.db", 0);
  writer.add(ScalarRow{0, "loss", 1});
  EXPECT_THROW(writer.add(ScalarRow{0, "loss", 2}), std::logic_error);
}

TEST(Writer, LetsReadersLookOnWhileItWrites) {
  const TemporaryFolder folder;
  Writer writer(folder / "record.db", 0);
  write_step(writer, 0);
  writer.commit();
  for (int step = 1; step < 5000; ++step) write_step(writer, step);  // more than SQLite's cache
  EXPECT_EQ(count(folder / "record.db", "scalar"), 1);
}

TEST(Writer, RefusesAFileThatIsNoRecord) {
  const TemporaryFolder folder;
  std::ofstream(folder / "notes.txt") << std::string(5000, 'x');
  EXPECT_THAT([&] { Writer(folder / "notes.txt", 0); }, throws_user_error("not a database"));
  EXPECT_THAT([&] { Writer(folder / "nowhere/record.db", 0); },
              throws_user_error("unable to open"));
}

}  // namespace
}  // namespace layerlab::record
