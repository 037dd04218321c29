#include "sweep/progress.h"

#include <gtest/gtest.h>

#include <sstream>

namespace layerlab::sweep {
namespace {

std::vector<Pack> two_packs() {
  Pack pack;
  pack.cells.resize(3);
  pack.steps = 400;
  return {pack, pack};
}

TEST(Tally, CountsCellsBeforeAnythingIsHeard) {
  EXPECT_EQ(Tally(two_packs(), 6, 12, 0).line(1), "cells 6/12");
}

TEST(Tally, ShowsTheLastNewsAndTheSpeedOfAllTogether) {
  Tally tally(two_packs(), 6, 12, 0);
  tally.progress(0, {0, 400, 2.8, 0.01, 1.5, 50000});
  tally.progress(1, {0, 400, 2.77123, 0.01, 0.8321, 1234});
  EXPECT_EQ(tally.line(1),
            "step 0/400  loss 2.771  lr 0.01  |grad| 0.832  51.2k tokens/s  cells 6/12");
}

TEST(Tally, EstimatesTheTimeLeftFromTheSpeedSoFar) {
  Tally tally(two_packs(), 0, 6, 100);
  tally.progress(0, {0, 400, 2.8, 0.01, 1.5, 50000});
  tally.progress(0, {200, 400, 2.8, 0.01, 1.5, 50000});  // a quarter of all after 10 s
  EXPECT_TRUE(tally.line(110).ends_with("cells 0/6  30 s left")) << tally.line(110);
  tally.progress(0, {400, 400, 2.8, 0.01, 1.5, 50000});
  for (int i = 0; i < 3; ++i) tally.cell_ended();
  tally.pack_ended(0);
  EXPECT_TRUE(tally.line(120).ends_with("|grad| 1.5  cells 3/6  20 s left")) << tally.line(120);
}

TEST(Tally, DoesNotCountStepsThatAResumedRunHadTakenBefore) {
  Tally tally({two_packs()[0]}, 0, 3, 0);
  tally.progress(0, {300, 400, 2.8, 0.01, 1.5, 50000});
  EXPECT_TRUE(tally.line(1).ends_with("cells 0/3")) << tally.line(1);
  tally.progress(0, {350, 400, 2.8, 0.01, 1.5, 50000});
  EXPECT_TRUE(tally.line(10).ends_with("10 s left")) << tally.line(10);
}

TEST(Tally, CountsCellsThatOtherProcessesTrain) {
  Tally tally(two_packs(), 6, 12, 0);
  tally.elsewhere(2);
  EXPECT_EQ(tally.line(1), "cells 6/12  2 trained elsewhere");
}

TEST(ProgressLine, IsRedrawnOnATerminalTenTimesASecondAtMost) {
  std::ostringstream out;
  ProgressLine line(out, ProgressLine::Style::kLive, 80);
  const Tally tally(two_packs(), 0, 6, 0);
  line.show(tally, 1.0);
  line.show(tally, 1.05);
  EXPECT_EQ(out.str(), "\rcells 0/6\x1b[K");
  line.clear();
  line.show(tally, 1.06);
  EXPECT_EQ(out.str(), "\rcells 0/6\x1b[K\r\x1b[K\rcells 0/6\x1b[K");
}

TEST(ProgressLine, IsCutToTheTerminal) {
  std::ostringstream out;
  ProgressLine line(out, ProgressLine::Style::kLive, 6);
  line.show(Tally(two_packs(), 0, 6, 0), 1.0);
  EXPECT_EQ(out.str(), "\rcells\x1b[K");
}

TEST(ProgressLine, IsALineEveryFewSecondsInAPipe) {
  std::ostringstream out;
  ProgressLine line(out, ProgressLine::Style::kPlain, 80);
  const Tally tally(two_packs(), 0, 6, 0);
  for (const double now : {0.0, 1.0, 4.9, 5.0, 5.1}) {
    line.show(tally, now);
    line.clear();
  }
  EXPECT_EQ(out.str(), "cells 0/6\ncells 0/6\n");
}

TEST(ProgressLine, SaysNothingWhenQuiet) {
  std::ostringstream out;
  ProgressLine line(out, ProgressLine::Style::kQuiet, 80);
  line.show(Tally(two_packs(), 0, 6, 0), 1.0);
  line.clear();
  EXPECT_EQ(out.str(), "");
}

}  // namespace
}  // namespace layerlab::sweep
