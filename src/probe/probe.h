// Measures places of the equation and parameters during one training step.
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <string_view>
#include <vector>

#include "config/probe_selection.h"
#include "equation/program.h"
#include "models/parameters.h"
#include "models/tap.h"
#include "probe/readings.h"

namespace layerlab::probe {

// Used around a step in this order:
//   begin(); forward with observers(); backward; before_clip(); around_update(); read().
// It never changes a value that training uses, and waits for the device in read() only.
//
// Quantities are those of quantities.h at every place that `selection` names; docs/record.md has
// their meanings. branch_ratio is token_norm of `branch` over that of `in` of the same sub-layer.
class Probe {
 public:
  // Both references must outlive the probe.
  Probe(const config::ProbeConfig& selection, const std::vector<equation::Tap>& taps,
        const models::Parameters& parameters);

  void begin();
  models::Observers observers();
  // Gradients as backward left them. Who has their slot_norms() already passes them on; undefined,
  // they are taken here.
  void before_clip(const at::Tensor& norms);
  // Calls `update` for all parameters, in groups that caches hold while they are measured, updated
  // and measured again. `grad_norm` and `grad_norm_clipped` [R] are of the whole gradient, and a
  // parameter's share of it keeps its direction when it is clipped; `moments` [R, P] is what the
  // optimiser remembers, of which the first two have columns.
  void around_update(const models::GroupFunction& update, const at::Tensor& grad_norm,
                     const at::Tensor& grad_norm_clipped, const std::vector<at::Tensor>& moments);

  // One copy to the host, then one element a replica, which the next read() overwrites. Without
  // rows where nothing was measured: no place has what was selected.
  const std::vector<Readings>& read(std::int64_t step);

 private:
  models::TapFunction tap();
  models::AttentionTap attention();
  bool wants(std::string_view param_quantity) const;
  void keep(Measured::Kind kind, std::size_t place, const at::Tensor& values);
  void keep(std::string_view param_quantity, const models::Parameters::Group& group,
            const at::Tensor& norms);

  const config::SelectedQuantities selected_;
  const models::Parameters& parameters_;
  std::vector<Place> places_;  // by tap
  std::vector<Measured> measured_;
  std::vector<Readings> readings_;  // by replica; rows stay, a step changes their numbers
  std::vector<Readings> nothing_;   // by replica
  std::vector<models::Parameters::Group> groups_;
  at::Tensor before_;  // a group's weights before the update
};

}  // namespace layerlab::probe
