// Watches one run for what breaks runs, from measurements that are made anyway.
//   BlackBox box(task.shape().chance_loss);
//   for (const record::EventRow& event : box.observe({step, loss, grad_norm})) writer.add(event);
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
//
//   diverged          loss or gradient norm is not finite
//   loss_spike        the loss exceeds the mean of the kSpikeWindow losses before it by
//                     kSpikeDeviations of their standard deviations, and by kSpikeShare of the
//                     chance loss
//   stall             the mean of the last kStallWindow losses is within kStallShare of the chance
//                     loss, and the tokens that leave the last block have a cosine above kCollapsed
//   attention_logits  a logit is beyond kLargestLogit
//   dead_stream       a stream's RMS is below kSmallestRms
//
// A spike is raised again after kSpikeWindow steps at the earliest; the last three are raised once
// a run, at steps whose sites are measured. A run's rows decide everything: a box that restore()
// was given the rows of a record goes on as the one that wrote them.
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

  // Continues from a record that ends before the next step.
  void restore(const record::Reader& reader);

  // Steps in their order; a step's measurements, if any, follow it.
  std::vector<record::EventRow> observe(const Step& step);
  std::vector<record::EventRow> observe(const probe::StepMeasurements& measured);

 private:
  std::string run_up(const Step& last) const;
  bool at_chance() const;
  // Mean and variance of the last `count` steps' losses or gradient norms.
  stats::Welford over_last(std::size_t count, double Step::*quantity) const;
  bool once(const std::string& kind) { return raised_.insert(kind).second; }

  double chance_loss_;
  std::deque<Step> ring_;         // the last kStallWindow steps
  std::int64_t quiet_until_ = 0;  // no spike before this step
  std::set<std::string> raised_;  // kinds
};

}  // namespace layerlab::train
