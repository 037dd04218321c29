#include "report/step_comparison.h"

#include <gmock/gmock.h>

#include <cmath>

#include "tests/support/temporary_folder.h"

namespace layerlab::report {
namespace {

using record::Writer;
using testing::ElementsAre;
using testing::IsEmpty;

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

record::SiteRow site(double rms) {
  record::SiteRow row{3, 1, "attn", "out", {}, "encoder"};
  row.values.fill(kNan);
  row.values[record::site_quantity("rms")] = rms;
  return row;
}

record::ParamRow param(double grad_norm) {
  record::ParamRow row{3, 0, "ff.up.weight", {}};
  row.values.fill(kNan);
  row.values[record::param_quantity("grad_norm")] = grad_norm;
  return row;
}

// Two records of step 3 that differ as the functions say.
class StepComparison : public testing::Test {
 protected:
  using Fill = std::function<void(Writer&)>;

  std::vector<std::string> compare(const Fill& on_record, const Fill& repeated) const {
    write("a.db", on_record);
    write("b.db", repeated);
    return differences(record::Reader(folder_ / "a.db"), record::Reader(folder_ / "b.db"), 3);
  }

 private:
  void write(const char* name, const Fill& fill) const {
    Writer writer(folder_ / name, 0);
    fill(writer);
    writer.commit();
  }

  TemporaryFolder folder_;
};

TEST_F(StepComparison, FindsEqualWhatIsEqual) {
  const auto fill = [](Writer& writer) {
    writer.add(record::ScalarRow{3, "loss", kNan});
    writer.add(record::ScalarRow{3, "sharpness", 2.5});
    writer.add(site(1));
    writer.add(param(2));
    writer.add(record::DependencyRow{3, 1, "ff", 0, "attn", 0.5});
    writer.add(record::EventRow{3, "non_finite_activation", "forward, layer 0"});
  };
  EXPECT_THAT(compare(fill, fill), IsEmpty());
}

TEST_F(StepComparison, NamesEveryKindOfNumberThatDiffers) {
  const auto fill = [](double change) {
    return [change](Writer& writer) {
      writer.add(record::ScalarRow{3, "loss", 1 + change});
      writer.add(site(2 + change));
      writer.add(param(3 + change));
      writer.add(record::DependencyRow{3, 1, "ff", 0, "attn", 4 + change});
    };
  };
  EXPECT_THAT(
      compare(fill(0), fill(0.5)),
      ElementsAre("dependency of layer 1 ff on layer 0 attn 4.5, on record 4",
                  "encoder layer 1 attn out rms 2.5, on record 2",
                  "layer 0 ff.up.weight grad_norm 3.5, on record 3", "loss 1.5, on record 1"));
}

TEST_F(StepComparison, NamesWhatWasNotRepeated) {
  EXPECT_THAT(compare(
                  [](Writer& writer) {
                    writer.add(record::ScalarRow{3, "amplification", 1});
                    writer.add(record::EventRow{3, "diverged", "the loss is nan; from step 0 …"});
                  },
                  [](Writer&) {}),
              ElementsAre("amplification was not repeated", "event diverged was not repeated"));
}

TEST_F(StepComparison, AllowsTheRepetitionToMeasureMore) {
  EXPECT_THAT(compare([](Writer&) {}, [](Writer& writer) { writer.add(site(1)); }), IsEmpty());
}

TEST_F(StepComparison, LeavesOutWhatAStepCannotGiveAlone) {
  EXPECT_THAT(compare(
                  [](Writer& writer) {
                    writer.add(record::ScalarRow{3, "eval_loss", 1});
                    writer.add(record::EventRow{3, "stall", "tokens have collapsed"});
                    writer.add(record::EventRow{3, "diverged", "the loss is nan; from step 0 …"});
                  },
                  [](Writer& writer) {
                    writer.add(record::EventRow{3, "diverged", "the loss is nan"});
                  }),
              IsEmpty());
}

}  // namespace
}  // namespace layerlab::report
