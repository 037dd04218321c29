#include "sweep/protocol.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace layerlab::sweep {
namespace {

template <typename T>
T round_trip(const T& event) {
  return std::get<T>(parse_line(to_line(event)).value());
}

TEST(Protocol, CarriesProgressExactly) {
  const Progress sent{120, 400, 1.0 / 3, 0.01, 1e-9, 51234.5};
  const Progress got = round_trip(sent);
  EXPECT_EQ(got.step, 120);
  EXPECT_EQ(got.steps, 400);
  EXPECT_EQ(got.loss, 1.0 / 3);
  EXPECT_EQ(got.lr, 0.01);
  EXPECT_EQ(got.grad_norm, 1e-9);
  EXPECT_EQ(got.tokens_per_second, 51234.5);
}

TEST(Protocol, CarriesALossThatIsNotANumber) {
  Progress sent;
  sent.loss = std::numeric_limits<double>::quiet_NaN();
  EXPECT_TRUE(std::isnan(round_trip(sent).loss));
}

TEST(Protocol, CarriesTheEndOfACell) {
  for (const auto state : {record::CellState::kFinished, record::CellState::kDiverged}) {
    const CellEnded got = round_trip(CellEnded{"my results/cells/3f", state});
    EXPECT_EQ(got.cell, "my results/cells/3f");
    EXPECT_EQ(got.state, state);
  }
}

TEST(Protocol, CarriesThatAnotherProcessTrainsACell) {
  EXPECT_EQ(round_trip(CellElsewhere{"results/cells/3f"}).cell, "results/cells/3f");
}

TEST(Protocol, CarriesNamesThatAreNoText) {
  EXPECT_EQ(round_trip(CellElsewhere{"results\xff/cells/3f"}).cell, "results\uFFFD/cells/3f");
}

TEST(Protocol, CarriesMessagesOfEveryLevelOnOneLine) {
  for (const auto level : {Level::kInfo, Level::kWarning, Level::kError}) {
    const std::string line = to_line(Message{level, "two\nlines \"quoted\""});
    EXPECT_EQ(line.find('\n'), std::string::npos);
    const Message got = std::get<Message>(parse_line(line).value());
    EXPECT_EQ(got.level, level);
    EXPECT_EQ(got.text, "two\nlines \"quoted\"");
  }
}

TEST(Protocol, LeavesOtherLinesAlone) {
  for (const char* line :
       {"", "a library's notice", "{", "[1]", "{\"step\":1}", "[{\"event\":\"cell\"}]"}) {
    EXPECT_FALSE(parse_line(line)) << line;
  }
}

TEST(Protocol, RefusesEventsThatNoWorkerSends) {
  for (const char* line :
       {R"({"event":"other"})", R"({"event":1})", R"({"event":"cell","status":"finished"})",
        R"({"event":"cell","cell":"3f","status":"odd"})", R"({"event":"progress","step":1})",
        R"({"event":"message","level":"odd","text":""})", R"({"event":"message","level":"info"})",
        R"({"event":"message","level":"info","text":["a"]})"}) {
    EXPECT_THROW(parse_line(line), ProtocolError) << line;
  }
}

TEST(Protocol, CarriesTheWorkersVersion) {
  const WorkerVersion sent{"0.1", "2.13.0+cpu", "Release", {"cpu", "cuda:0 NVIDIA H200"}, 4};
  const WorkerVersion got = parse_version(to_line(sent)).value();
  EXPECT_EQ(got.version, sent.version);
  EXPECT_EQ(got.torch, sent.torch);
  EXPECT_EQ(got.build, sent.build);
  EXPECT_EQ(got.devices, sent.devices);
  EXPECT_EQ(got.threads, sent.threads);
  EXPECT_FALSE(parse_version("Segmentation fault"));
}

}  // namespace
}  // namespace layerlab::sweep
