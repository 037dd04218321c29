#include "train/black_box.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "core/random.h"
#include "tests/support/temporary_folder.h"

namespace layerlab::train {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr double kChance = 2.7726;
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

// A loss that falls from chance to `floor`, with noise in proportion to it.
double ordinary_loss(std::int64_t step, double floor, RandomStream& noise) {
  const double mean = floor + (kChance - floor) * std::exp(-static_cast<double>(step) / 60);
  return mean * std::exp(0.2 * noise.normal());
}

std::vector<std::string> kinds(const std::vector<record::EventRow>& events) {
  std::vector<std::string> result;
  for (const record::EventRow& event : events) result.push_back(event.kind);
  return result;
}

record::SiteRow row(const char* site, int layer, const char* quantity, double value) {
  record::SiteRow result{99, layer, "ff", site, {}};
  result.values.fill(kNan);
  result.values[record::site_quantity(quantity)] = value;
  return result;
}

// A box that has seen `steps` steps at this loss.
BlackBox box_at(double loss, int steps = 120) {
  BlackBox box(kChance);
  for (int step = 0; step < steps; ++step) box.observe(BlackBox::Step{step, loss, 1});
  return box;
}

TEST(BlackBox, IsSilentInOrdinaryTraining) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    RandomStream noise(seed, Purpose::kResampling, "ordinary");
    BlackBox box(kChance);
    for (std::int64_t step = 0; step < 2000; ++step) {
      const double loss = ordinary_loss(step, seed % 2 == 0 ? 0.001 : 1.5, noise);
      ASSERT_THAT(box.observe(BlackBox::Step{step, loss, 1}), IsEmpty()) << seed << ' ' << step;
    }
  }
}

TEST(BlackBox, RaisesASpikeOnce) {
  RandomStream noise(1, Purpose::kResampling, "spike");
  BlackBox box(kChance);
  std::vector<record::EventRow> events;
  for (std::int64_t step = 0; step < 600; ++step) {
    const bool spike = step >= 400 && step < 420;
    const double loss = spike ? 2.5 : ordinary_loss(step, 0.1, noise);
    for (const auto& event : box.observe(BlackBox::Step{step, loss, spike ? 30. : 2.})) {
      events.push_back(event);
    }
  }
  ASSERT_THAT(kinds(events), ElementsAre("loss_spike"));
  EXPECT_EQ(events[0].step, 400);
  EXPECT_THAT(events[0].detail, AllOf(HasSubstr("the loss is 2.5 after a mean of 0.1"),
                                      HasSubstr("the gradient norm is 30, its mean was 2")));
}

TEST(BlackBox, SaysHowARunDiverged) {
  BlackBox box(kChance);
  for (int step = 0; step < 20; ++step) {
    box.observe(BlackBox::Step{step, 2.8 + (step > 15 ? 1000 : 0), 1.5});
  }
  const auto events = box.observe(BlackBox::Step{20, -kNan, kNan});
  ASSERT_THAT(kinds(events), ElementsAre("diverged"));
  EXPECT_EQ(events[0].detail,
            "the loss is nan; from step 10 to 19 the loss went from 2.8 to 1e+03, the gradient "
            "norm from 1.5 to 1.5");
  const auto at_start =
      BlackBox(kChance).observe(BlackBox::Step{0, 2.8, std::numeric_limits<double>::infinity()});
  EXPECT_EQ(at_start[0].detail, "the gradient norm is inf");
}

TEST(BlackBox, RaisesAStallAtChanceWithCollapsedTokensOnly) {
  const probe::StepMeasurements collapsed{{row("out", 5, "token_cosine", 0.999)}, {}};
  const probe::StepMeasurements apart{{row("out", 5, "token_cosine", 0.5)}, {}};
  BlackBox box = box_at(2.775);
  EXPECT_THAT(box.observe(apart), IsEmpty());
  const auto events = box.observe(collapsed);
  ASSERT_THAT(kinds(events), ElementsAre("stall"));
  EXPECT_EQ(events[0].detail,
            "forward, layer 5, ff, out: tokens have collapsed onto one direction (mean cosine "
            "0.9990) and the loss has stayed at chance, 2.773, for 100 steps");
  EXPECT_THAT(box.observe(collapsed), IsEmpty()) << "once a run";
  EXPECT_THAT(box_at(2.6).observe(collapsed), IsEmpty());
  EXPECT_THAT(box_at(2.775, 90).observe(collapsed), IsEmpty()) << "too early to tell";
}

TEST(BlackBox, LooksAtTheLastBlockForCollapse) {
  EXPECT_THAT(box_at(2.775).observe(probe::StepMeasurements{
                  {row("out", 0, "token_cosine", 0.999), row("out", 1, "token_cosine", 0.2),
                   row("out", -1, "token_cosine", 0.999)},
                  {}}),
              IsEmpty());
}

TEST(BlackBox, NamesLargeLogitsAndDeadStreams) {
  BlackBox box(kChance);
  const auto events = box.observe(probe::StepMeasurements{
      {row("branch", 1, "max_logit", 2e4), row("branch", 2, "max_logit", 3e4),
       row("branch", 2, "rms", 0), row("out", 3, "rms", 1e-7)},
      {}});
  ASSERT_THAT(kinds(events), ElementsAre("attention_logits", "dead_stream"));
  EXPECT_THAT(events[0].detail, HasSubstr("forward, layer 1, ff, branch: the largest attention "
                                          "logit is 2e+04"));
  EXPECT_THAT(events[1].detail, HasSubstr("forward, layer 3, ff, out: the stream's RMS is 1e-07"))
      << "branches may return zeros";
}

TEST(BlackBox, GoesOnFromARecordAsIfNothingHadHappened) {
  TemporaryFolder folder;
  const auto loss = [](std::int64_t step) {
    return step % 97 == 90 || step % 97 == 95 ? 2.5 : 0.1 + 0.001 * static_cast<double>(step % 7);
  };
  std::vector<std::string> whole;
  std::vector<std::vector<std::string>> resumed(3);
  BlackBox box(kChance);
  record::Writer writer(folder / "record.db", 0);
  for (std::int64_t step = 0; step < 400; ++step) {
    for (const std::int64_t at : {92, 150, 193}) {
      if (step != at) continue;
      writer.commit();
      BlackBox other(kChance);
      other.restore(record::Reader(folder / "record.db"));
      for (std::int64_t later = at; later < 400; ++later) {
        for (const auto& event : other.observe(BlackBox::Step{later, loss(later), 1})) {
          resumed[at == 92    ? 0
                  : at == 150 ? 1
                              : 2]
              .push_back(std::to_string(event.step) + event.detail);
        }
      }
    }
    writer.add(record::ScalarRow{step, "loss", loss(step)});
    writer.add(record::ScalarRow{step, "grad_norm", 1});
    for (const auto& event : box.observe(BlackBox::Step{step, loss(step), 1})) {
      writer.add(event);
      whole.push_back(std::to_string(event.step) + event.detail);
    }
  }
  ASSERT_THAT(whole, testing::SizeIs(4));
  EXPECT_EQ(resumed[0], std::vector<std::string>(whole.begin() + 1, whole.end()));
  EXPECT_EQ(resumed[1], std::vector<std::string>(whole.begin() + 1, whole.end()));
  EXPECT_EQ(resumed[2], std::vector<std::string>(whole.begin() + 2, whole.end()));
}

}  // namespace
}  // namespace layerlab::train
