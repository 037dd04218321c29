// Measures places of the equation and parameters during one training step.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "config/probe_selection.h"
#include "models/parameters.h"
#include "models/tap.h"
#include "probe/lengths.h"
#include "probe/measurements.h"

namespace layerlab::probe {

// Used around a step in this order, as train::train_step() does:
//   probe.begin(lengths);
//   loss = model(input, probe.observers());  backward
//   probe.before_clip(norms);  clip  probe.after_clip(norm, clipped);
//   for (group : groups) { probe.before_update(group);  update  probe.after_update(group, moments);
//   } rows = probe.read(step);
// It never changes a value that training uses, and waits for the device in read() only.
//
// Quantities are those of quantities.h at every place that `selection` names; docs/record.md has
// their meanings. branch_ratio is token_norm of `branch` over that of `in` of the same sub-layer.
class Probe {
 public:
  // Both references must outlive the probe.
  Probe(const config::ProbeConfig& selection, const std::vector<equation::Tap>& taps,
        const models::Parameters& parameters);

  // Starts a step. Positions behind `lengths` are padding and left out of all quantities.
  void begin(const Lengths& lengths = {});
  models::Observers observers();
  // Gradients as backward left them. Pass models::slot_norms() of them if you have it; undefined,
  // it is computed here.
  void before_clip(const at::Tensor& slot_norms);
  // Norms of the whole gradient [R]; a parameter's share keeps its direction when it is clipped.
  void after_clip(const at::Tensor& grad_norm, const at::Tensor& grad_norm_clipped);
  // Around the update of each group of parameters. `moments` [R, P] is what the optimiser
  // remembers, of which the first two have columns.
  void before_update(const models::Parameters::Group& group);
  void after_update(const models::Parameters::Group& group, const std::vector<at::Tensor>& moments);

  // Copies everything to the host at once: one element a replica, which the next read()
  // overwrites. Without rows where nothing was measured: no place has what was selected.
  const std::vector<StepMeasurements>& read(std::int64_t step);

 private:
  models::TapFunction tap();
  models::AttentionTap attention();
  const at::Tensor& lengths_at(int tap) const;
  bool measures_changes() const;
  bool wants(std::string_view param_quantity) const;
  void keep(Reduction::Kind kind, std::size_t index, const at::Tensor& values);
  void keep(std::string_view param_quantity, const models::Parameters::Group& group,
            const at::Tensor& norms);

  const config::SelectedQuantities selected_;
  const models::Parameters& parameters_;
  const std::vector<equation::Tap>& taps_;
  std::vector<TapSelection> selections_;  // by tap
  Lengths lengths_;
  std::vector<Reduction> reductions_;
  std::vector<StepMeasurements> measurements_;  // by replica; rows stay, a step changes numbers
  std::vector<StepMeasurements> nothing_;       // by replica
  at::Tensor before_;                           // a group's weights before the update
};

}  // namespace layerlab::probe
