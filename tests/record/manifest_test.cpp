#include "record/manifest.h"

#include <gtest/gtest.h>

#include "core/files.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/user_error.h"

namespace layerlab::record {
namespace {

TEST(Manifest, ReadsBackWhatWasWritten) {
  const TemporaryFolder folder;
  const CellFolder cell{folder.path()};
  Manifest manifest;
  manifest.versions = {{"layerlab", "0.1"}, {"torch", "2.13.0"}};
  manifest.host = "node7";
  manifest.device = "cpu";
  manifest.threads = 2;
  manifest.replicas = 3;
  manifest.sittings = 4;
  manifest.started = "2026-01-31T12:00:00Z";
  manifest.ended = "2026-01-31T12:01:00Z";
  manifest.seconds = 12;
  manifest.steps = 400;
  manifest.measured = {12, 0.75};
  manifest.unmeasured = {387, 11};
  write_manifest(cell, manifest);

  const Manifest back = read_manifest(cell);
  EXPECT_EQ(back.versions, manifest.versions);
  EXPECT_EQ(back.host, "node7");
  EXPECT_EQ(back.device, "cpu");
  EXPECT_EQ(back.threads, 2);
  EXPECT_EQ(back.replicas, 3);
  EXPECT_EQ(back.sittings, 4);
  EXPECT_EQ(back.started, manifest.started);
  EXPECT_EQ(back.ended, manifest.ended);
  EXPECT_EQ(back.seconds, 12);
  EXPECT_EQ(back.steps, 400);
  EXPECT_EQ(back.measured.steps, 12);
  EXPECT_EQ(back.measured.seconds, 0.75);
  EXPECT_EQ(back.unmeasured.steps, 387);
  EXPECT_EQ(back.unmeasured.seconds, 11);
}

TEST(Manifest, SaysWhatMeasuringAdded) {
  const TemporaryFolder folder;
  const CellFolder cell{folder.path()};
  Manifest manifest;
  manifest.measured = {10, 1.5};    // 150 ms each
  manifest.unmeasured = {190, 19};  // 100 ms each: 0.5 s more than 20 s
  EXPECT_DOUBLE_EQ(measuring_percent(manifest).value(), 2.5);
  write_manifest(cell, manifest);
  EXPECT_THAT(read_file(cell.manifest()), testing::HasSubstr("\"measuring_percent\": 2.5"));
  manifest.unmeasured = {4, 0.4};
  EXPECT_FALSE(measuring_percent(manifest)) << "too little to compare with";
}

TEST(TrainingSeconds, AreARunsShareOfItsPack) {
  const TemporaryFolder folder;
  const CellFolder cell{folder.path()};
  EXPECT_FALSE(training_seconds(cell)) << "no manifest";
  Manifest manifest;
  manifest.seconds = 12;
  manifest.replicas = 4;
  write_manifest(cell, manifest);
  EXPECT_EQ(training_seconds(cell), 3);
  write_file_atomically(cell.manifest(), "{");
  EXPECT_FALSE(training_seconds(cell)) << "damaged";
}

TEST(Manifest, NamesTheKeyThatIsNotUsable) {
  const TemporaryFolder folder;
  const CellFolder cell{folder.path()};
  write_file_atomically(cell.manifest(), R"({"versions":{},"host":1})");
  EXPECT_THAT([&] { read_manifest(cell); }, throws_user_error("lacks a usable 'host'"));
}

TEST(Manifest, TellsTimeInUtc) {
  EXPECT_THAT(utc_now(), testing::MatchesRegex("20..-[01].-[0-3].T[0-2].:[0-5].:[0-6].Z"));
}

}  // namespace
}  // namespace layerlab::record
