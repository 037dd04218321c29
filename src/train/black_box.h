// Watches one run for what breaks runs, from measurements that are made anyway.
#pragma once

#include <cstdint>
#include <deque>
#include <set>
#include <string>
#include <vector>

#include "probe/probe.h"
#include "record/record.h"
#include "stats/welford.h"

namespace layerlab::train {

// Raises events (docs/failures.md says what they mean to a user):
//   diverged          loss or gradient norm is not finite
//   loss_spike        loss exceeds the mean m of the kSpikeWindow losses before it by
//   kSpikeDeviations
//                     of their standard deviations and by kSpikeShare of the chance loss
//   stall             the mean of the last kStallWindow losses is within kStallShare of the chance
//   loss,
//                     and the tokens leaving the last block have a cosine above kCollapsed
//   attention_logits  a logit beyond kLargestLogit
//   dead_stream       a stream whose RMS is below kSmallestRms
// A spike is raised again after kSpikeWindow steps at the earliest, the last three once a run, and
// where sites are measured. A run's rows decide everything: a box that restore() was given the
// rows of a record goes on as the one that wrote them.
class BlackBox {
 public:
  static constexpr std::size_t kSpikeWindow = 50, kStallWindow = 100;
  static constexpr double kSpikeDeviations = 8, kSpikeShare = 0.1;
  static constexpr double kStallShare = 0.02, kCollapsed = 0.95;
  static constexpr double kLargestLogit = 1e4, kSmallestRms = 1e-6;

  struct Step {
    std::int64_t step;
    double loss, grad_norm;
    bool finite() const;
  };

  // `chance_loss`: of the best constant guess.
  explicit BlackBox(double chance_loss) : chance_loss_(chance_loss) {}

  // Takes up what a record that ends before the next step says.
  void restore(const record::Reader& reader);

  // Steps in their order; a step's readings, if any, follow it.
  std::vector<record::EventRow> see(const Step& step);
  std::vector<record::EventRow> see(const probe::Readings& readings);

 private:
  std::string run_up(const Step& last) const;
  bool at_chance() const;
  // Mean and deviation of the last `count` steps' losses or gradient norms.
  stats::Welford over_last(std::size_t count, double Step::*quantity) const;
  bool once(const std::string& kind) { return raised_.insert(kind).second; }

  double chance_loss_;
  std::deque<Step> ring_;         // the last kStallWindow steps
  std::int64_t quiet_until_ = 0;  // no spike before this step
  std::set<std::string> raised_;  // kinds
};

}  // namespace layerlab::train
