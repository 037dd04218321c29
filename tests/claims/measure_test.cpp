#include "claims/measure.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "tests/support/temporary_folder.h"
#include "tests/support/user_error.h"

namespace layerlab::claims {
namespace {

using record::Reader;
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
        .of(Reader(folder_ / "record.db"), {/*chance_loss=*/2.5});
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
    return Measure(expression, {"demo.toml", 7, 13}).of(Reader(folder_ / "pair.db"), {1});
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
                                 .of(Reader(folder / "record.db"), {1});
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
                 "the measure does not work: no such column: loss; text stands in "
                 "single quotes: final('loss')");
  expect_refused("final('loss'", "the measure does not work: ");
  expect_refused("", "the measure does not work: near \")\": syntax error");
  expect_refused("final('loss", "a quote ' is not closed in the measure");
  expect_refused("1--1", "'--' begins a comment in SQL; leave comments out");
  expect_refused("1 /* one */", "'/*' begins a comment in SQL");
  expect_refused("site('ff', 'out', 'rmse', 0, 0)",
                 "the measure does not work: there is no quantity 'rmse'; did you mean 'rms'?");
  expect_refused("mean_last('loss', 0)",
                 "the measure does not work: mean_last(name, k) needs k of at least 1");
  expect_refused("'text'", "the measure gives text, not a number");
  expect_refused("1, 2", "the measure does not work: ");
}

TEST(Measure, CannotDoAnythingButReadOneRow) {
  expect_refused("1) FROM scalar WHERE (1", "the measure has a ')' without its '('");
  expect_refused("1); DELETE FROM scalar; SELECT (1", "the measure has a ')' without its '('");
  expect_refused("1; SELECT 1", "the measure does not work: ");
  expect_refused("(DELETE FROM scalar)", "the measure does not work: ");
  expect_refused("load_extension('x')", "the measure does not work: ");
}

TEST(Measure, LeavesTheReaderAsItWas) {
  const TemporaryFolder folder;
  { Writer(folder / "record.db", 0); }
  const Reader reader(folder / "record.db");
  Measure("last_step()", {}).of(reader, {1});
  EXPECT_THROW(reader.numbers("SELECT last_step()"), std::logic_error);
  EXPECT_EQ(reader.strings("PRAGMA quick_check"), std::vector<std::string>{"ok"});
}

TEST_F(AMeasure, IsStoppedWhenItDoesNotEnd) {
  EXPECT_THAT(
      [&] {
        measure(
            "(WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) "
            "SELECT max(i) FROM n)");
      },
      throws_user_error("demo.toml:7:13: the measure does not come to an end; give a recursive "
                        "query a condition that ends it"));
}

}  // namespace
}  // namespace layerlab::claims
