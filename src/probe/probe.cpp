#include "probe/probe.h"

#include <ATen/ATen.h>
#include <c10/core/GradMode.h>

#include <algorithm>
#include <array>
#include <span>
#include <utility>

#include "probe/quantities.h"

namespace layerlab::probe {
namespace {

using record::param_quantity;
using record::site_quantity;

// The tap where the stream enters the sub-layer of `branch`; -1 where there is none.
int stream_of(const equation::Site& branch, const std::vector<equation::Tap>& taps) {
  for (std::size_t i = 0; i < taps.size(); ++i) {
    for (const equation::Site& site : taps[i].sites) {
      if (site.role == "in" && site.layer == branch.layer && site.sublayer == branch.sublayer &&
          site.side == branch.side) {
        return static_cast<int>(i);
      }
    }
  }
  return -1;
}

}  // namespace

Probe::Probe(const config::ProbeConfig& selection, const std::vector<equation::Tap>& taps,
             const models::Parameters& parameters)
    : selected_(config::selected_quantities(selection)),
      parameters_(parameters),
      taps_(taps),
      selections_(taps.size()) {
  const auto selected = [&](std::string_view name) { return selected_.site[site_quantity(name)]; };
  const auto any = [&](const auto& quantities) {
    return std::ranges::any_of(quantities, [&](const auto& one) { return selected(one.name); });
  };
  for (std::size_t i = 0; i < taps.size(); ++i) {
    TapSelection& tap = selections_[i];
    for (const equation::Site& site : taps[i].sites) {
      if (selected_.any_site() && is_selected(selection, site)) tap.sites.push_back(site);
    }
    if (tap.sites.empty()) continue;
    tap.values |= any(kValueQuantities);
    tap.cosine = taps[i].stream && selected("token_cosine");
    tap.gradient = selected("grad_norm");
    tap.attention = any(kAttentionQuantities);
    const auto branch = std::ranges::find(tap.sites, "branch", &equation::Site::role);
    if (!selected("branch_ratio") || branch == tap.sites.end()) continue;
    tap.stream = stream_of(*branch, taps);
    tap.values = true;
    if (tap.stream >= 0) selections_[tap.stream].values = true;
  }
  before_ = at::empty({0}, parameters.values().options());

  std::span<const models::Parameters::Slot> measured;
  if (std::ranges::count(selected_.param, true) != 0) measured = parameters.slots();
  measurements_.assign(parameters.replicas(), rows_of(selections_, measured));
  nothing_.resize(parameters.replicas());
}

void Probe::begin(const Lengths& lengths) {
  lengths_ = lengths;
  reductions_.clear();
}

models::Observers Probe::observers() { return {tap(), attention()}; }

models::TapFunction Probe::tap() {
  return [this](int tap, const at::Tensor& value) {
    const TapSelection& selection = selections_[tap];
    if (selection.gradient && value.requires_grad()) {
      // Padding has a gradient of zeros: no scored position depends on it.
      value.register_hook([this, tap](const at::Tensor& gradient) {
        const c10::AutoGradMode no_gradients(false);
        keep(Reduction::Kind::kGradient, tap, total_norm(gradient));
      });
    }
    if (selection.values) {
      const c10::AutoGradMode no_gradients(false);  // cheaper than detaching each
      keep(Reduction::Kind::kValue, tap,
           value_quantities(value, selection.cosine, lengths_at(tap)));
    }
    return value;
  };
}

models::AttentionTap Probe::attention() {
  const bool any = std::ranges::any_of(selections_, &TapSelection::attention);
  if (!any) return {};
  return [this](int tap, const at::Tensor& logits, const at::Tensor& weights) {
    if (!selections_[tap].attention) return;
    const c10::AutoGradMode no_gradients(false);
    keep(Reduction::Kind::kAttention, tap, attention_quantities(logits, weights, lengths_at(tap)));
  };
}

const at::Tensor& Probe::lengths_at(int tap) const {
  return taps_[tap].sites.front().side == "encoder" ? lengths_.source : lengths_.tokens;
}

void Probe::before_clip(const at::Tensor& slot_norms) {
  if (!wants("grad_norm") && !wants("grad_norm_clipped")) return;
  const models::Parameters::Group all = parameters_.all();
  keep("grad_norm", all,
       slot_norms.defined() ? slot_norms : models::slot_norms(parameters_.gradients(), all));
}

void Probe::after_clip(const at::Tensor& grad_norm, const at::Tensor& grad_norm_clipped) {
  if (!wants("grad_norm_clipped")) return;
  keep(Reduction::Kind::kWholeGradient, 0,
       at::stack({grad_norm, grad_norm_clipped}, 1).to(at::kDouble));
}

void Probe::before_update(const models::Parameters::Group& group) {
  const at::Tensor weights = group.part(parameters_.values());
  if (measures_changes()) {
    before_.resize_as_(weights).copy_(weights);
  } else if (wants("weight_norm")) {
    keep("weight_norm", group, models::slot_norms(weights, group));
  }
}

void Probe::after_update(const models::Parameters::Group& group,
                         const std::vector<at::Tensor>& moments) {
  if (measures_changes()) {
    const ChangeNorms norms = change_norms(before_, group.part(parameters_.values()), group);
    keep("weight_norm", group, norms.before);
    keep("update_norm", group, norms.change);
  }
  const std::array columns = {"moment1_norm", "moment2_norm"};
  for (std::size_t i = 0; i < std::min(moments.size(), columns.size()); ++i) {
    if (!wants(columns[i])) continue;
    keep(columns[i], group, models::slot_norms(group.part(moments[i]), group));
  }
}

bool Probe::measures_changes() const { return wants("update_norm") || wants("update_ratio"); }

bool Probe::wants(std::string_view quantity) const {
  return selected_.param[param_quantity(quantity)];
}

void Probe::keep(Reduction::Kind kind, std::size_t index, const at::Tensor& values) {
  reductions_.push_back({kind, index, values});
}

void Probe::keep(std::string_view quantity, const models::Parameters::Group& group,
                 const at::Tensor& norms) {
  const auto first = static_cast<std::size_t>(group.slots.data() - parameters_.slots().data());
  reductions_.push_back({Reduction::Kind::kParameter, param_quantity(quantity), norms, first});
}

const std::vector<StepMeasurements>& Probe::read(std::int64_t step) {
  if (reductions_.empty()) return nothing_;
  std::vector<at::Tensor> columns;
  for (const Reduction& reduction : reductions_) columns.push_back(reduction.values);
  const at::Tensor host = at::cat(columns, 1).to(at::kCPU);  // [R, all]

  for (std::size_t r = 0; r < measurements_.size(); ++r) {
    const double* const numbers = host.const_data_ptr<double>() + r * host.size(1);
    fill(measurements_[r], step, selections_, reductions_, numbers, selected_);
  }
  return measurements_;
}

}  // namespace layerlab::probe
