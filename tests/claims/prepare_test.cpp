#include <gtest/gtest.h>

#include "tests/claims/study.h"
#include "tests/support/user_error.h"

namespace layerlab::claims {
namespace {

std::vector<std::string> ids(const std::vector<config::Cell>& cells) {
  std::vector<std::string> result;
  for (const config::Cell& cell : cells) result.push_back(cell.id);
  return result;
}

TEST(Prepare, SelectsRunsByTheirSettings) {
  Study study(2);
  study.add_claim("a", "pre_ln", above(1));
  EXPECT_EQ(ids(prepare(study.experiment)[0].where),
            (std::vector<std::string>{"pre_ln-1", "pre_ln-2"}));
}

TEST(Prepare, RefusesAMeasureThatDoesNotWorkBeforeTraining) {
  Study study(1);
  study.add_claim("a", "pre_ln", above(1)).measure = "fnal('loss')";
  EXPECT_THAT([&] { prepare(study.experiment); },
              throws_user_error("study.toml:12:11: the measure does not work: no such function"));
}

config::Claim& add_ratio(Study& study) {
  config::Claim& claim = study.add_claim("r", "post_ln", above(1));
  claim.kind = config::ClaimKind::kRatio;
  claim.versus = {{"model.block", {toml("pre_ln")}}};
  return claim;
}

TEST(Prepare, PairsARatiosRunsBySeed) {
  Study study(2);
  add_ratio(study);
  std::swap(study.experiment.cells[0], study.experiment.cells[1]);
  const PreparedClaim prepared = prepare(study.experiment)[0];
  EXPECT_TRUE(prepared.paired);
  EXPECT_EQ(ids(prepared.where), (std::vector<std::string>{"post_ln-1", "post_ln-2"}));
  EXPECT_EQ(ids(prepared.versus), (std::vector<std::string>{"pre_ln-1", "pre_ln-2"}));
}

TEST(Prepare, TakesSelectionsWithoutACommonSeedForIndependentSamples) {
  Study study(3);
  config::Claim& claim = add_ratio(study);
  claim.where.push_back({"seed", {toml("3"), toml("1")}});
  claim.versus.push_back({"seed", {toml("2")}});
  const PreparedClaim prepared = prepare(study.experiment)[0];
  EXPECT_FALSE(prepared.paired);
  EXPECT_EQ(ids(prepared.where), (std::vector<std::string>{"post_ln-1", "post_ln-3"}));
  EXPECT_EQ(ids(prepared.versus), (std::vector<std::string>{"pre_ln-2"}));
}

TEST(Prepare, RefusesARatioOfWhichOnlySomeSeedsPairUp) {
  Study study(2);
  add_ratio(study).where.push_back({"seed", {toml("2")}});
  EXPECT_THAT([&] { prepare(study.experiment); },
              throws_user_error("'where' and 'versus' of claim 'r' have some seeds in common, such "
                                "as 2, and others not; select the same seeds, to pair them"));
}

TEST(Prepare, RefusesARatioWithSeveralRunsOfASeed) {
  Study study(2);
  add_ratio(study).where = {{"model.depth", {toml("6")}}};
  EXPECT_THAT([&] { prepare(study.experiment); },
              throws_user_error("'where' of claim 'r' selects several runs of seed 1"));
}

config::Claim& add_slope(Study& study, config::ClaimKind kind = config::ClaimKind::kSlope) {
  config::Claim& claim = study.add_claim("s", "pre_ln", above(0));
  claim.kind = kind;
  claim.along = "model.depth";
  claim.along_place = {"study.toml", 13, 10};
  return claim;
}

TEST(Prepare, OrdersRunsBySeedAndPlaceOnTheAxis) {
  Study study(2, {12, 6});
  add_slope(study);
  const PreparedClaim prepared = prepare(study.experiment)[0];
  EXPECT_EQ(ids(prepared.where),
            (std::vector<std::string>{"pre_ln-1-6", "pre_ln-1-12", "pre_ln-2-6", "pre_ln-2-12"}));
  EXPECT_EQ(prepared.along, (std::vector<double>{6, 12, 6, 12}));
  EXPECT_TRUE(prepared.mixed.empty());
}

TEST(Prepare, RefusesAnAxisWithTooFewValues) {
  Study study(2);
  add_slope(study);
  EXPECT_THAT([&] { prepare(study.experiment); },
              throws_user_error("study.toml:13:10: kind = \"slope\" needs runs with at least 2 "
                                "values of model.depth, got 1; name more of them in [grid]"));
  Study two(2, {6, 12});
  add_slope(two, config::ClaimKind::kTrend);
  EXPECT_THAT([&] { prepare(two.experiment); }, throws_user_error("at least 3 values"));
}

TEST(Prepare, RefusesAnAxisWithoutNumbers) {
  Study study(2);
  add_slope(study).along = "model.block";
  EXPECT_THAT([&] { prepare(study.experiment); },
              throws_user_error("study.toml:13:10: model.block is no number in the runs of"));
}

TEST(Prepare, RefusesSeveralRunsAtOnePlaceOfTheAxis) {
  Study study(2, {6, 12});
  add_slope(study).where.clear();
  EXPECT_THAT(
      [&] { prepare(study.experiment); },
      throws_user_error("claim 's' selects several runs of seed 1 with model.depth = 6; name "
                        "the other axes of the grid in 'where' as well"));
}

TEST(Prepare, RefusesAnAxisOnWhichSeedsDiffer) {
  Study study(2, {6, 12, 24});
  add_slope(study);
  study.experiment.cells.pop_back();
  EXPECT_THAT([&] { prepare(study.experiment); },
              throws_user_error("the seeds of claim 's' have different values of model.depth"));
}

TEST(Prepare, NotesWhenRunsDifferInMoreThanTheSeed) {
  Study study(2);
  study.add_claim("a", "pre_ln", above(1));
  study.add_claim("b", "pre_ln", above(1)).where = {{"model.depth", {toml("6")}}};
  const std::vector<PreparedClaim> claims = prepare(study.experiment);
  EXPECT_TRUE(claims[0].mixed.empty());
  EXPECT_EQ(claims[1].mixed, std::vector<std::string>{"model.block"});
}

}  // namespace
}  // namespace layerlab::claims
