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

// Columns that are updated together: with gradients and moments they fit into a second-level cache.
constexpr std::int64_t kInCache = 1 << 16;

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
      places_(taps.size()) {
  const auto any = [&](const auto& names) {
    return std::ranges::any_of(
        names, [&](std::string_view name) { return selected_.site[site_quantity(name)]; });
  };
  const bool ratio = any(std::array{"branch_ratio"});
  for (std::size_t i = 0; i < taps.size(); ++i) {
    Place& place = places_[i];
    for (const equation::Site& site : taps[i].sites) {
      if (selected_.any_site() && is_selected(selection, site)) place.sites.push_back(site);
    }
    if (place.sites.empty()) continue;
    place.values |= any(kValueQuantities);
    place.cosine = taps[i].stream && any(std::array{"token_cosine"});
    place.gradient = any(std::array{"grad_norm"});
    place.attention = any(kAttentionQuantities);
    const auto branch = std::ranges::find(place.sites, "branch", &equation::Site::role);
    if (!ratio || branch == place.sites.end()) continue;
    place.stream = stream_of(*branch, taps);
    place.values = true;
    if (place.stream >= 0) places_[place.stream].values = true;
  }
  const at::Tensor& weights = parameters.values();
  groups_ = parameters.groups(weights.is_cpu() ? kInCache : weights.size(1));
  before_ = at::empty({0}, weights.options());

  std::span<const models::Parameters::Slot> measured;
  if (std::ranges::count(selected_.param, true) != 0) measured = parameters.slots();
  readings_.assign(parameters.replicas(), rows_of(places_, measured));
  nothing_.resize(parameters.replicas());
}

void Probe::begin() { measured_.clear(); }

models::Observers Probe::observers() { return {tap(), attention()}; }

models::TapFunction Probe::tap() {
  return [this](int tap, const at::Tensor& value) {
    const Place& place = places_[tap];
    if (place.gradient && value.requires_grad()) {
      value.register_hook([this, tap](const at::Tensor& gradient) {
        const c10::AutoGradMode no_gradients(false);
        keep(Measured::Kind::kGradient, tap, total_norm(gradient));
      });
    }
    if (place.values) {
      const c10::AutoGradMode no_gradients(false);  // cheaper than detaching each
      keep(Measured::Kind::kValue, tap, value_quantities(value, place.cosine));
    }
    return value;
  };
}

models::AttentionTap Probe::attention() {
  const bool any = std::ranges::any_of(places_, &Place::attention);
  if (!any) return {};
  return [this](int tap, const at::Tensor& logits, const at::Tensor& weights) {
    if (!places_[tap].attention) return;
    const c10::AutoGradMode no_gradients(false);
    keep(Measured::Kind::kAttention, tap, attention_quantities(logits, weights));
  };
}

void Probe::before_clip(const at::Tensor& norms) {
  if (!wants("grad_norm") && !wants("grad_norm_clipped")) return;
  const models::Parameters::Group all = parameters_.all();
  keep("grad_norm", all, norms.defined() ? norms : slot_norms(parameters_.gradients(), all));
}

void Probe::around_update(const models::GroupFunction& update, const at::Tensor& grad_norm,
                          const at::Tensor& grad_norm_clipped,
                          const std::vector<at::Tensor>& moments) {
  if (wants("grad_norm_clipped")) {
    keep(Measured::Kind::kWholeGradient, 0,
         at::stack({grad_norm, grad_norm_clipped}, 1).to(at::kDouble));
  }
  const bool changes = wants("update_norm") || wants("update_ratio");
  const std::array columns = {"moment1_norm", "moment2_norm"};
  for (const models::Parameters::Group& group : groups_) {
    const at::Tensor weights = group.part(parameters_.values());
    if (changes) {
      before_.resize_as_(weights).copy_(weights);
    } else if (wants("weight_norm")) {
      keep("weight_norm", group, slot_norms(weights, group));
    }
    update(group);
    if (changes) {
      const ChangeNorms norms = change_norms(before_, weights, group);
      keep("weight_norm", group, norms.before);
      keep("update_norm", group, norms.change);
    }
    for (std::size_t i = 0; i < std::min(moments.size(), columns.size()); ++i) {
      if (!wants(columns[i])) continue;
      keep(columns[i], group, slot_norms(group.part(moments[i]), group));
    }
  }
}

bool Probe::wants(std::string_view quantity) const {
  return selected_.param[param_quantity(quantity)];
}

void Probe::keep(Measured::Kind kind, std::size_t place, const at::Tensor& values) {
  measured_.push_back({kind, place, values});
}

void Probe::keep(std::string_view quantity, const models::Parameters::Group& group,
                 const at::Tensor& norms) {
  const auto first = static_cast<std::size_t>(group.slots.data() - parameters_.slots().data());
  measured_.push_back({Measured::Kind::kParameter, param_quantity(quantity), norms, first});
}

const std::vector<Readings>& Probe::read(std::int64_t step) {
  if (measured_.empty()) return nothing_;
  std::vector<at::Tensor> columns;
  for (const Measured& measured : measured_) columns.push_back(measured.values);
  const at::Tensor host = at::cat(columns, 1).to(at::kCPU);  // [R, all]

  for (std::size_t r = 0; r < readings_.size(); ++r) {
    const double* const numbers = host.const_data_ptr<double>() + r * host.size(1);
    fill(readings_[r], step, places_, measured_, numbers, selected_);
  }
  return readings_;
}

}  // namespace layerlab::probe
