#include "claims/threshold_search.h"

#include <gmock/gmock.h>

#include "record/manifest.h"
#include "tests/claims/study.h"
#include "tests/support/user_error.h"

namespace layerlab::claims {
namespace {

using config::Cell;
using record::CellState;
using stats::Verdict;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Pair;
using testing::UnorderedElementsAre;

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

// Learning rates 0.001, 0.002, 0.004 for two blocks and some seeds; a loss below 1 passes.
class Searching : public testing::Test {
 protected:
  Searching() {
    study_.experiment.search = {
        "train.lr", {toml("1e-3"), toml("2e-3"), toml("4e-3")}, "final('loss') < 1"};
    study_.experiment.search->passes_place = {"study.toml", 5, 11};
  }
  Cell rung(std::size_t number, std::size_t combination = 0) const {
    return at_candidate(study_.experiment.cells[combination], *study_.experiment.search, number);
  }
  // Ends all rungs, of which the lowest `passing` do.
  void finish(std::size_t combination, std::size_t passing) {
    for (std::size_t number = 0; number < 3; ++number) {
      study_.finish(rung(number, combination).id, number < passing ? 0.1 : 2);
    }
  }
  SearchResult find() {
    return ThresholdSearch(*study_.experiment.search)
        .find(study_.experiment.cells[0], study_.results());
  }
  config::Claim& add_claim(const std::string& measure) {
    config::Claim& claim = study_.add_claim("rate", "post_ln", above(0));
    claim.measure = measure;
    return claim;
  }

  Study study_{2};
};

std::vector<double> rates(const SearchResult& result) {
  std::vector<double> rates;
  for (const Cell& run : result.runs) rates.push_back(run.config.train.lr);
  return rates;
}

TEST_F(Searching, BeginsInTheMiddle) {
  const SearchResult result = find();
  EXPECT_FALSE(result.ended);
  EXPECT_THAT(rates(result), ElementsAre(2e-3));
  EXPECT_EQ(result.run.id, rung(1).id);
  EXPECT_EQ(result.run.config.model.block, "post_ln");
}

TEST_F(Searching, GoesOnFromWhatRunsGave) {
  study_.finish(rung(1).id, 0.1);
  EXPECT_THAT(rates(find()), ElementsAre(2e-3, 4e-3));
  study_.begin(rung(2).id);
  EXPECT_FALSE(find().ended);
  study_.finish(rung(2).id, 2);
  EXPECT_TRUE(find().ended);
  EXPECT_EQ(find().found, 1u);
  EXPECT_EQ(find().run.id, rung(1).id);
}

TEST_F(Searching, FailsARunThatDivergedOrHasNoNumber) {
  study_.finish(rung(1).id, 0.1, CellState::kDiverged);
  EXPECT_THAT(rates(find()), ElementsAre(2e-3, 1e-3));
  study_.finish(rung(0).id, kNan);
  EXPECT_TRUE(find().ended);
  EXPECT_FALSE(find().found);
}

TEST_F(Searching, RefusesAMeasureThatNeitherPassesNorFails) {
  study_.experiment.search->passes = "final('loss')";
  study_.finish(rung(1).id, 0.5);
  EXPECT_THAT([&] { find(); },
              throws_user_error("study.toml:5:11: search.passes must be 0 or 1; it was 0.5"));
  study_.experiment.search->passes = "fnal('loss') < 1";
  EXPECT_THAT([&] { prepare(study_.experiment); },
              throws_user_error("study.toml:5:11: the measure does not work: no such function"));
}

TEST_F(Searching, GivesClaimsTheFoundRunsAndTheirValues) {
  add_claim("1000 * found() + final('loss')");
  finish(0, 1);
  finish(1, 2);
  const ClaimResult result = study_.evaluate()[0];
  ASSERT_EQ(result.where.size(), 2u);
  EXPECT_EQ(result.where[0].cell, rung(0, 0).id);
  EXPECT_EQ(*result.where[0].value, 1.1);
  EXPECT_EQ(*result.where[0].found, 1e-3);
  EXPECT_EQ(result.where[1].cell, rung(1, 1).id);
  EXPECT_EQ(*result.where[1].value, 2.1);
  EXPECT_THAT(result.warnings, IsEmpty());
}

TEST_F(Searching, TellsTheTimeOfAllRunsThatItLookedAt) {
  add_claim("found()");
  finish(0, 1);
  finish(1, 2);
  record::Manifest manifest;
  manifest.seconds = 3;
  record::write_manifest(study_.folder(rung(1).id), manifest);
  const ClaimResult result = study_.evaluate()[0];
  EXPECT_EQ(result.where[0].cell, rung(0).id);
  EXPECT_THAT(result.where[0].seconds,
              UnorderedElementsAre(Pair(rung(0).id, std::nullopt), Pair(rung(1).id, 3.0)));
}

TEST_F(Searching, PairsFoundRunsBySeed) {
  config::Claim& claim = add_claim("found()");
  claim.kind = config::ClaimKind::kRatio;
  claim.versus = {{"model.block", {toml("pre_ln")}}};
  finish(0, 1);
  finish(1, 1);
  finish(2, 2);
  finish(3, 2);
  EXPECT_NEAR(*study_.evaluate()[0].estimate, 0.5, 1e-12);
}

TEST_F(Searching, LeavesAClaimUndecidedWhereNothingPasses) {
  add_claim("found()");
  finish(0, 0);
  finish(1, 1);
  const ClaimResult result = study_.evaluate()[0];
  EXPECT_EQ(result.verdict, Verdict::kInconclusive);
  EXPECT_THAT(result.reason, HasSubstr("1 of 2 runs gave no number; seed 1 (" + rung(0).id +
                                       ") no rung of train.lr passes, the lowest is 0.001"));
}

TEST_F(Searching, LeavesAClaimUndecidedUntilItHasEnded) {
  add_claim("found()");
  finish(1, 1);
  study_.begin(rung(1).id);
  EXPECT_THAT(study_.evaluate()[0].reason,
              HasSubstr(" is still searched: train.lr = 0.002 has not finished"));
}

TEST_F(Searching, WarnsWhereTheHighestRungPasses) {
  add_claim("found()");
  finish(0, 3);
  finish(1, 2);
  const ClaimResult result = study_.evaluate()[0];
  EXPECT_EQ(*result.where[0].value, 4e-3);
  EXPECT_THAT(result.warnings,
              ElementsAre("1 of 2 runs pass at the highest rung, train.lr = 0.004, and may pass "
                          "above it"));
}

TEST_F(Searching, StopsAtADamagedRunAndSaysWhich) {
  add_claim("found()");
  finish(0, 2);
  finish(1, 2);
  write_file_atomically(study_.folder(rung(1).id).record(), "no record");
  EXPECT_FALSE(find().ended);
  const ClaimResult result = study_.evaluate()[0];
  EXPECT_THAT(result.where[0].missing, AllOf(HasSubstr("is damaged: "), HasSubstr(rung(1).id)));
  EXPECT_EQ(*result.where[1].value, 2e-3);
}

TEST_F(Searching, IsThatOfEachClaimsOwnExperiment) {
  add_claim("found()");
  finish(0, 2);
  finish(1, 2);
  std::vector<PreparedClaim> claims = prepare(study_.experiment);
  study_.experiment.search->passes = "final('loss') < 0";
  claims.push_back(prepare(study_.experiment)[0]);
  const std::vector<ClaimResult> results = evaluate(claims, study_.results());
  EXPECT_EQ(*results[0].where[0].value, 2e-3);
  EXPECT_FALSE(results[1].where[0].value);
}

TEST(Measure, KnowsFoundOnlyWhereSomethingIsSearched) {
  EXPECT_NO_THROW(Measure("found()", {}, /*searched=*/true));
  EXPECT_THAT(
      [] {
        Measure("found()", {"study.toml", 12, 11});
      },
      throws_user_error("study.toml:12:11: the measure does not work: found() is for the "
                        "claims of a file with [search]"));
}

}  // namespace
}  // namespace layerlab::claims
