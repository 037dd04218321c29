// How far a sweep is, in one line.
#pragma once

#include <ostream>
#include <string>
#include <vector>

#include "sweep/plan.h"
#include "sweep/protocol.h"

namespace layerlab::sweep {

// The state of all packs. Times are seconds on any clock that only goes forward.
class Tally {
 public:
  // `done` of `cells` runs had ended before.
  Tally(const std::vector<Pack>& packs, int done, int cells, double now);

  void progress(std::size_t pack, const Progress& progress);
  void cell_ended() { ++done_; }
  void pack_ended(std::size_t pack);
  void elsewhere(int cells) { elsewhere_ = cells; }  // that other processes train

  // "step 120/400  loss 2.104  lr 0.01  |grad| 0.83  51k tokens/s  cells 3/12  1 min left", with
  // "2 trained elsewhere" after the cells when other processes train some.
  std::string line(double now) const;

 private:
  struct State {
    std::int64_t replicas = 0, steps = 0;
    std::int64_t first = -1, step = 0;  // -1: nothing heard yet
    double tokens_per_second = 0;
    bool ended = false;
  };
  // Seconds to go at the speed so far; negative when nothing is known.
  double seconds_left(double now) const;

  std::vector<State> packs_;
  int done_, cells_, elsewhere_ = 0;
  double begin_;
  Progress latest_;
  bool heard_ = false;
};

// Shows a tally to a person: on a terminal one line that is redrawn, at most ten times a second;
// elsewhere a line now and then.
class ProgressLine {
 public:
  enum class Style { kLive, kPlain, kQuiet };

  // `width` is the terminal's, in characters; longer lines are cut.
  ProgressLine(std::ostream& out, Style style, int width)
      : out_(out), style_(style), width_(width) {}

  void show(const Tally& tally, double now);
  // Removes the live line, so that something else can be printed; the next show() brings it back.
  void clear();

 private:
  std::ostream& out_;
  Style style_;
  int width_;
  double shown_ = -1e9;
  bool visible_ = false;
};

}  // namespace layerlab::sweep
