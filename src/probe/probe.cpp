#include "probe/probe.h"

#include <ATen/ATen.h>
#include <c10/core/GradMode.h>

#include <algorithm>
#include <array>
#include <limits>
#include <string>
#include <utility>

#include "probe/quantities.h"

namespace layerlab::probe {
namespace {

using record::param_quantity;
using record::site_quantity;

// Columns that are updated together: with gradients and moments they fit into a second-level cache.
constexpr std::int64_t kInCache = 1 << 16;
constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

// "decoder.blocks.3.attn.q.weight" is "attn.q.weight" of layer 3 of the decoder; parameters outside
// the blocks belong to layer -1.
record::ParamRow row_of(std::string parameter) {
  record::ParamRow row{};
  for (const std::string side : {"encoder", "decoder"}) {
    if (!parameter.starts_with(side + ".")) continue;
    row.side = side;
    parameter.erase(0, side.size() + 1);
  }
  const std::string blocks = "blocks.";
  const bool inside = parameter.starts_with(blocks);
  const std::size_t dot = inside ? parameter.find('.', blocks.size()) : 0;
  row.layer = inside ? std::stoi(parameter.substr(blocks.size(), dot - blocks.size())) : -1;
  row.name = inside ? parameter.substr(dot + 1) : parameter;
  return row;
}

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

// `row`'s columns that are not wanted become NaN.
template <std::size_t n>
void drop(std::array<double, n>& row, const std::array<bool, n>& wanted) {
  for (std::size_t i = 0; i < n; ++i) {
    if (!wanted[i]) row[i] = kNaN;
  }
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

  Readings rows;
  for (const Place& place : places_) {
    for (const equation::Site& site : place.sites) {
      rows.sites.push_back({0, site.layer, site.sublayer, site.role, {}, site.side});
    }
  }
  if (std::ranges::count(selected_.param, true) != 0) {
    for (const models::Parameters::Slot& slot : parameters.slots()) {
      rows.params.push_back(row_of(slot.name));
    }
  }
  readings_.assign(parameters.replicas(), rows);
}

void Probe::begin() { measured_.clear(); }

models::Observers Probe::observers() { return {tap(), attention()}; }

models::TapFunction Probe::tap() {
  return [this](int tap, const at::Tensor& value) {
    const Place& place = places_[tap];
    if (place.gradient && value.requires_grad()) {
      value.register_hook([this, tap](const at::Tensor& gradient) {
        const c10::AutoGradMode no_gradients(false);
        keep(Kind::kGradient, tap, total_norm(gradient));
      });
    }
    if (place.values) {
      const c10::AutoGradMode no_gradients(false);  // cheaper than detaching each
      keep(Kind::kValue, tap, value_quantities(value, place.cosine));
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
    keep(Kind::kAttention, tap, attention_quantities(logits, weights));
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
    keep(Kind::kWholeGradient, 0, at::stack({grad_norm, grad_norm_clipped}, 1).to(at::kDouble));
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

void Probe::keep(Kind kind, std::size_t place, const at::Tensor& values) {
  measured_.push_back({kind, place, values});
}

void Probe::keep(std::string_view quantity, const models::Parameters::Group& group,
                 const at::Tensor& norms) {
  const auto first = static_cast<std::size_t>(group.slots.data() - parameters_.slots().data());
  measured_.push_back({Kind::kParameter, param_quantity(quantity), norms, first});
}

// Sorts what was measured of one replica into its rows.
class Probe::Rows {
 public:
  Rows(const Probe& probe, Readings& readings)
      : probe_(probe), readings_(readings), places_(probe.places_.size()) {
    for (auto& values : places_) values.fill(kNaN);
    for (record::ParamRow& row : readings.params) row.values.fill(kNaN);
  }

  void take(const Measured& measured, const double* values) {
    const auto take_site = [&](const auto& names) {
      for (const std::string_view name : names) {
        places_[measured.place][site_quantity(name)] = *values++;
      }
    };
    switch (measured.kind) {
      case Kind::kValue:
        take_site(kValueQuantities);
        break;
      case Kind::kGradient:
        take_site(std::array{"grad_norm"});
        break;
      case Kind::kAttention:
        take_site(kAttentionQuantities);
        break;
      case Kind::kParameter:
        for (std::int64_t i = 0; i < measured.values.size(1); ++i) {
          readings_.params[measured.first + i].values[measured.place] = values[i];
        }
        break;
      case Kind::kWholeGradient:
        clip_ = values[0] == values[1] ? 1 : values[1] / values[0];
        break;
    }
  }

  void finish(std::int64_t step) {
    const std::size_t token_norm = site_quantity("token_norm");
    auto row = readings_.sites.begin();
    for (std::size_t i = 0; i < places_.size(); ++i) {
      const Place& place = probe_.places_[i];
      for (std::size_t site = 0; site < place.sites.size(); ++site, ++row) {
        row->step = step;
        row->values = places_[i];
        if (row->site == "branch" && place.stream >= 0) {
          row->values[site_quantity("branch_ratio")] =
              places_[i][token_norm] / places_[place.stream][token_norm];
        }
        drop(row->values, probe_.selected_.site);
      }
    }
    for (record::ParamRow& param : readings_.params) {
      const auto value = [&](const char* name) -> double& {
        return param.values[param_quantity(name)];
      };
      param.step = step;
      value("grad_norm_clipped") = value("grad_norm") * clip_;
      value("update_ratio") = value("update_norm") / value("weight_norm");
      drop(param.values, probe_.selected_.param);
    }
  }

 private:
  const Probe& probe_;
  Readings& readings_;
  std::vector<decltype(record::SiteRow::values)> places_;  // by tap
  double clip_ = 1;  // what clipping multiplied the gradient by
};

const std::vector<Readings>& Probe::read(std::int64_t step) {
  if (measured_.empty()) return readings_;
  std::vector<at::Tensor> columns;
  for (const Measured& measured : measured_) columns.push_back(measured.values);
  const at::Tensor host = at::cat(columns, 1).to(at::kCPU);  // [R, all]

  for (std::size_t r = 0; r < readings_.size(); ++r) {
    Rows rows(*this, readings_[r]);
    const double* values = host.const_data_ptr<double>() + r * host.size(1);
    for (const Measured& measured : measured_) {
      rows.take(measured, values);
      values += measured.values.size(1);
    }
    rows.finish(step);
  }
  return readings_;
}

}  // namespace layerlab::probe
