#include "claims/measure.h"

#include <gmock/gmock.h>

#include <cmath>
#include <limits>

#include "record/record.h"
#include "record/sqlite.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/user_error.h"

namespace layerlab::claims {
namespace {

using record::Writer;

// Losses 4, 2, 1, 0.5 at steps 0..3, and sites of two blocks at steps 0 and 3.
class AMeasure : public testing::Test {
 protected:
  AMeasure() {
    Writer writer(folder_ / "record.db", 0);
    for (int step = 0; step < 4; ++step) {
      writer.add(record::ScalarRow{step, "loss", std::exp2(2 - step)});
      writer.add(record::ScalarRow{step, "lr", step == 3 ? std::nan("") : 0.01});
    }
    for (const int step : {0, 3}) {
      for (const int layer : {-1, 0, 1}) {
        record::SiteRow site{step, layer, "attn", "sum", {}};
        site.values.fill(std::nan(""));
        site.values[record::site_quantity("rms")] = 10 * step + layer;
        writer.add(site);
        record::ParamRow param{step, layer, "attn.q.weight", {}};
        param.values.fill(std::nan(""));
        param.values[record::param_quantity("grad_norm")] = 100 * step + layer;
        writer.add(param);
      }
    }
    writer.commit();
  }

  Measurement measure(const std::string& expression) const {
    return Measure(expression, {"demo.toml", 7, 13})
        .of(folder_ / "record.db", {/*chance_loss=*/2.5});
  }
  double value(const std::string& expression) const {
    const Measurement result = measure(expression);
    EXPECT_TRUE(result.value.has_value()) << expression << ": " << result.missing;
    return result.value.value_or(std::nan(""));
  }
  std::string missing(const std::string& expression) const {
    const Measurement result = measure(expression);
    EXPECT_FALSE(result.value.has_value()) << expression;
    return result.missing;
  }

  TemporaryFolder folder_;
};

TEST_F(AMeasure, AsksForEndsOfAScalar) {
  EXPECT_EQ(value("first('loss')"), 4);
  EXPECT_EQ(value("final('loss')"), 0.5);
  EXPECT_EQ(value("min_value('loss')"), 0.5);
}

TEST_F(AMeasure, AveragesTheLastValues) {
  EXPECT_EQ(value("mean_last('loss', 2)"), 0.75);
  EXPECT_EQ(value("mean_last('loss', 100)"), 7.5 / 4);
}

TEST_F(AMeasure, FindsWhenALevelWasPassed) {
  EXPECT_EQ(value("first_step_below('loss', 2)"), 2);
  EXPECT_EQ(value("coalesce(first_step_below('loss', 0.1), 400)"), 400);
}

TEST_F(AMeasure, LooksAtOneSideOfAPair) {
  Writer writer(folder_ / "pair.db", 0);
  for (const int layer : {0, 1, 2}) {
    for (const std::string side : {"encoder", "decoder"}) {
      if (side == "encoder" && layer == 2) continue;
      record::SiteRow site{0, layer, "ff", "out", {}, side};
      site.values.fill(std::nan(""));
      site.values[record::site_quantity("rms")] = layer + (side == "decoder" ? 10 : 0);
      writer.add(site);
    }
  }
  writer.commit();
  const auto of_pair = [&](const std::string& expression) {
    return Measure(expression, {"demo.toml", 7, 13}).of(folder_ / "pair.db", {1});
  };
  EXPECT_EQ(of_pair("site('ff', 'out', 'rms', last_layer('encoder'), 0, 'encoder')").value, 1);
  EXPECT_EQ(of_pair("site('ff', 'out', 'rms', last_layer('decoder'), 0, 'decoder')").value, 12);
  EXPECT_EQ(of_pair("site('ff', 'out', 'rms', 1, 0)").missing,
            "site 'out' of 'ff' in layer 1 has no rms at step 0; as the last argument, name the "
            "side: 'decoder' or 'encoder'");
}

TEST_F(AMeasure, LooksAtSitesAndParameters) {
  EXPECT_EQ(value("site('attn', 'sum', 'rms', 1, 3)"), 31);
  EXPECT_EQ(value("site('attn', 'sum', 'rms', -1, 3)"), 29);
  EXPECT_EQ(value("param('attn.q.weight', 'grad_norm', 0, 3)"), 300);
}

TEST_F(AMeasure, AddressesTheLastBlockAndTheLastLoggedStep) {
  EXPECT_EQ(value("last_layer()"), 1);
  EXPECT_EQ(value("last_step()"), 3);
  EXPECT_EQ(value("site('attn', 'sum', 'rms', last_layer(), last_step())"), 31);
}

TEST_F(AMeasure, KnowsTheLossOfGuessing) { EXPECT_EQ(value("final('loss') / chance_loss()"), 0.2); }

TEST_F(AMeasure, DividesReally) {
  EXPECT_EQ(value("1/2"), 0.5);
  EXPECT_EQ(value("8/4/4"), 0.5);
  EXPECT_EQ(value("1 + 6 / 4 * 2"), 4);
  EXPECT_EQ(value("(SELECT count(*) FROM site) / (SELECT count(*) FROM scalar)"), 0.75);
  EXPECT_EQ(value("length('a/b')"), 3);
}

TEST_F(AMeasure, TakesNaturalLogarithms) { EXPECT_EQ(value("log(first('loss'))"), std::log(4)); }

TEST_F(AMeasure, MayBeAComparison) {
  EXPECT_EQ(value("final('loss') < 1"), 1);
  EXPECT_EQ(value("final('loss') < 0.1"), 0);
}

TEST_F(AMeasure, MayReadTheTables) {
  EXPECT_EQ(value("(SELECT value FROM scalar WHERE name = 'loss' ORDER BY step LIMIT 1)"), 4);
  EXPECT_EQ(value("(SELECT sum(value) FROM layer WHERE quantity = 'rms' AND step = 3)"), 90);
}

TEST_F(AMeasure, SaysWhyThereIsNoNumber) {
  EXPECT_EQ(missing("final('los')"), "scalar 'los' was not recorded; did you mean 'loss'?");
  EXPECT_EQ(missing("final('lr')"), "'lr' was not a number there");
  EXPECT_EQ(missing("mean_last('lr', 2)"), "'lr' was not a number there");
  EXPECT_EQ(missing("first_step_below('loss', 0.1)"), "'loss' never fell below 0.1");
  EXPECT_EQ(missing("1 / site('ff', 'sum', 'rms', 1, 3)"),
            "site 'sum' of 'ff' in layer 1 has no rms at step 3");
  EXPECT_EQ(missing("site('attn', 'sum', 'entropy', 1, 3)"),
            "site 'sum' of 'attn' in layer 1 has no entropy at step 3");
  EXPECT_EQ(missing("param('k', 'grad_norm', 0, 2)"),
            "parameter 'k' of layer 0 has no grad_norm at step 2");
  EXPECT_EQ(missing("log(-final('loss'))"), "log of -0.5");
  EXPECT_EQ(missing("1e308 * 1e10"), "the measure is infinite");
  EXPECT_EQ(missing("1/0"), "the measure is NULL");
}

TEST_F(AMeasure, KeepsTheFirstReason) {
  const TemporaryFolder folder;
  { Writer(folder / "record.db", 0); }
  const Measurement result = Measure("site('ff', 'out', 'rms', last_layer(), last_step())", {})
                                 .of(folder / "record.db", {1});
  EXPECT_EQ(result.missing, "no site or parameter was recorded");
}

void expect_refused(const std::string& expression, const std::string& line) {
  EXPECT_THAT(
      [&] {
        Measure(expression, {"demo.toml", 7, 13});
      },
      throws_user_error("demo.toml:7:13: " + line))
      << expression;
}

TEST(Measure, IsRefusedBeforeAnythingIsTrained) {
  expect_refused("fnal('loss')",
                 "the measure does not work: no such function: fnal; there are "
                 "first(name), final(name), mean_last(name, k),");
  expect_refused("final()",
                 "the measure does not work: wrong number of arguments to function "
                 "final(); there are first(name)");
  expect_refused("final(loss)",
                 "the measure does not work: no such column: loss; put text in "
                 "single quotes: final('loss')");
  expect_refused("final('loss'", "the measure does not work: ");
  expect_refused("", "the measure does not work: near \")\": syntax error");
  expect_refused("final('loss", "a quote ' is not closed in the measure");
  expect_refused("1--1", "'--' begins a comment in SQL; leave comments out");
  expect_refused("1 /* one */", "'/*' begins a comment in SQL");
  expect_refused("site('ff', 'out', 'rmse', 0, 0)",
                 "the measure does not work: there is no quantity 'rmse'; did you mean 'rms'?");
  expect_refused(
      "mean_last('loss', 0)",
      "the measure does not work: mean_last(name, k) takes a whole number k of at least 1");
  expect_refused("'text'", "the measure gives text, not a number");
  expect_refused("1, 2", "the measure does not work: ");
}

TEST(Measure, CannotDoAnythingButReadOneRow) {
  expect_refused("1) FROM scalar WHERE (1", "the measure has a ')' without its '('");
  expect_refused("1); DELETE FROM scalar; SELECT (1", "the measure has a ')' without its '('");
  expect_refused("1; SELECT 1", "the measure does not work: ");
  expect_refused("(DELETE FROM scalar)", "the measure does not work: ");
  expect_refused("load_extension('x')", "the measure may not call load_extension()");
}

TEST(Measure, CallsNothingThatGivesAnotherNumberNextTime) {
  for (const std::string call :
       {"random()", "randomblob(1)", "julianday('now')", "strftime('%s', 'now')", "date()",
        "unixepoch()", "changes()", "total_changes()", "last_insert_rowid()", "sqlite_version()"}) {
    expect_refused("1 + " + call, "the measure may not call " + call.substr(0, call.find('(')) +
                                      "(); only functions that give the same result");
  }
  expect_refused("CURRENT_TIMESTAMP > 1", "the measure may not call current_timestamp()");
}

TEST(Measure, RefusesArgumentsOfTheWrongType) {
  const auto refuse = [](const std::string& call, int argument, const std::string& type) {
    expect_refused(call, "the measure does not work: ");
    EXPECT_THAT(
        [&] {
          Measure(call, {"demo.toml", 7, 13});
        },
        throws_user_error("takes " + type + " as argument " + std::to_string(argument)))
        << call;
  };
  refuse("site('ff', 'out', 'rms', 'last', 0)", 4, "a number");
  refuse("site('ff', 'out', 'rms', 0, '0')", 5, "a number");
  refuse("site(0, 'out', 'rms', 0, 0)", 1, "text in single quotes");
  refuse("site('ff', 'out', 'rms', 0, 0, 1)", 6, "text in single quotes");
  refuse("param('ff.up.weight', 'grad_norm', 'last', 0)", 3, "a number");
  refuse("first_step_below('loss', '2')", 2, "a number");
  refuse("mean_last('loss', 'k')", 2, "a number");
  refuse("final(1)", 1, "text in single quotes");
  refuse("last_layer(1)", 1, "text in single quotes");
  refuse("log('2')", 1, "a number");
  expect_refused("mean_last('loss', 1.5)",
                 "the measure does not work: mean_last(name, k) takes a whole number k");
}

TEST_F(AMeasure, HasNoNumberWhereAnArgumentIsNothing) {
  EXPECT_EQ(missing("final(NULL)"), "final() of nothing");
  EXPECT_EQ(missing("site('attn', 'sum', 'rms', NULL, 3)"), "site() of nothing");
}

class AMeasureWithoutEnd : public AMeasure {
 protected:
  void expect_stopped(const std::string& expression, const MeasureLimits& limits,
                      const std::string& line) const {
    const Measure measure(expression, {"demo.toml", 7, 13});
    EXPECT_THAT([&] { measure.of(folder_ / "record.db", {2.5}, limits); },
                throws_user_error("demo.toml:7:13: " + line));
  }
  // Ends on an empty record.
  const std::string rows_ = "(SELECT count(*) FROM scalar a, scalar b, scalar c, scalar d)";
  const std::string calls_ = "(SELECT sum(final('loss')) FROM scalar a, scalar b, scalar c)";
};

TEST_F(AMeasureWithoutEnd, IsStoppedByItsSteps) {
  expect_stopped(rows_, {.steps = 1000}, "the measure was stopped after 1000 steps of SQLite; ");
}

TEST_F(AMeasureWithoutEnd, IsStoppedByTheDeadline) {
  expect_stopped(rows_, {.seconds = 0}, "the measure was stopped after 0 seconds; ");
}

TEST_F(AMeasureWithoutEnd, IsStoppedWhereFunctionsTakeTheTime) {
  expect_stopped(calls_, {.seconds = 0}, "the measure was stopped after 0 seconds; ");
}

TEST(Measure, IsRefusedWhereItDoesNotEndAtAll) {
  expect_refused(
      "(WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT max(i) FROM n)",
      "the measure was stopped after 50000000 steps of SQLite; end a recursive query by a "
      "condition");
}

TEST(Measure, MakesNoLongTexts) {
  expect_refused("length('x' || printf('%.*c', 999999, 'x') || 'x')",
                 "the measure makes a text of more than 1000000 bytes");
  expect_refused("instr(printf('%.*c', 999999, 'a'), 'b')", "the measure may not call instr()");
  std::string deep = "1";
  for (int i = 0; i < 200; ++i) deep = "abs(" + deep + ")";
  expect_refused(deep, "the measure does not work: ");
}

TEST_F(AMeasure, BlamesADamagedRecordAndNotItself) {
  const record::Database database =
      record::open_database(folder_ / "record.db", record::OpenMode::kExisting);
  record::execute(database.get(), "DROP VIEW layer; DROP TABLE param; DROP TABLE scalar");
  for (const char* const expression :
       {"(SELECT max(value) FROM scalar)", "final('loss')", "last_step()"}) {
    const Measurement result =
        Measure(expression, {"demo.toml", 7, 13}).of(folder_ / "record.db", {1});
    EXPECT_TRUE(result.damaged) << expression;
    EXPECT_THAT(result.missing, testing::StartsWith("is damaged: ")) << expression;
  }
}

TEST_F(AMeasure, HasNoNumberWhereThereIsNoRecord) {
  const Measurement result = Measure("1", {}).of(folder_ / "none.db", {1});
  EXPECT_TRUE(result.damaged);
  EXPECT_THAT(result.missing, testing::HasSubstr("none.db"));
}

}  // namespace
}  // namespace layerlab::claims
