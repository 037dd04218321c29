#include "probe/probe.h"

#include <ATen/ATen.h>
#include <c10/core/GradMode.h>
#include <c10/core/impl/LocalDispatchKeySet.h>

#include <limits>
#include <string>
#include <utility>

#include "probe/quantities.h"

namespace layerlab::probe {
namespace {

// "decoder.blocks.3.attn.q.weight" is "attn.q.weight" of layer 3 of the decoder; parameters outside
// the blocks belong to layer -1.
void set_place(record::ParamRow& row, std::string parameter) {
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
}

// bfloat16 has three digits: too few to measure in.
at::Tensor precise(const at::Tensor& value) {
  return value.scalar_type() == at::kBFloat16 ? value.to(at::kFloat) : value;
}

template <typename Row>
Row empty_row() {
  Row row{};
  row.values.fill(std::numeric_limits<double>::quiet_NaN());
  return row;
}

}  // namespace

Probe::Probe(const std::vector<equation::Tap>& taps, const models::Parameters& parameters)
    : taps_(taps), parameters_(parameters) {}

void Probe::begin() { measured_.clear(); }

models::TapFunction Probe::tap() {
  return [this](int tap, const at::Tensor& value) {
    measure_value(tap, precise(value.detach()));
    if (value.requires_grad()) {
      value.register_hook([this, tap](const at::Tensor& gradient) {
        const c10::AutoGradMode no_gradients(false);
        add(Table::kSite, tap, "grad_norm", total_norm(precise(gradient)));
      });
    }
    return value;
  };
}

void Probe::before_clip() {
  measure_parameters("weight_norm", parameters_.values());
  measure_parameters("grad_norm", parameters_.gradients());
  before_ = parameters_.values().clone();
}

void Probe::after_clip() { measure_parameters("grad_norm_clipped", parameters_.gradients()); }

void Probe::after_update() {
  measure_parameters("update_norm", parameters_.values() - before_);
  before_.reset();
}

std::vector<Readings> Probe::read(std::int64_t step) {
  std::vector<at::Tensor> columns;
  for (const Measured& measured : measured_) columns.push_back(measured.values);
  const at::Tensor host = at::stack(columns).to(at::kCPU, at::kDouble);  // [places, R]
  const auto numbers = host.accessor<double, 2>();

  std::vector<Readings> result;
  for (std::int64_t r = 0; r < parameters_.replicas(); ++r) {
    std::vector<record::SiteRow> taps(taps_.size(), empty_row<record::SiteRow>());
    std::vector<record::ParamRow> params(parameters_.slots().size(), empty_row<record::ParamRow>());
    for (std::size_t i = 0; i < measured_.size(); ++i) {
      const Measured& m = measured_[i];
      double* row =
          m.table == Table::kSite ? taps[m.place].values.data() : params[m.place].values.data();
      row[m.quantity] = numbers[i][r];
    }

    Readings& readings = result.emplace_back();
    for (std::size_t i = 0; i < taps.size(); ++i) {
      for (const equation::Site& site : taps_[i].sites) {
        readings.sites.push_back(
            {step, site.layer, site.sublayer, site.role, taps[i].values, site.side});
      }
    }
    for (std::size_t i = 0; i < params.size(); ++i) {
      params[i].step = step;
      set_place(params[i], parameters_.slots()[i].name);
      auto& values = params[i].values;
      values[record::param_quantity("update_ratio")] =
          values[record::param_quantity("update_norm")] /
          values[record::param_quantity("weight_norm")];
      readings.params.push_back(std::move(params[i]));
    }
  }
  return result;
}

void Probe::add(Table table, std::size_t place, std::string_view quantity,
                const at::Tensor& values) {
  const std::size_t column =
      table == Table::kSite ? record::site_quantity(quantity) : record::param_quantity(quantity);
  measured_.push_back({table, place, column, values});
}

void Probe::measure_value(std::size_t tap, const at::Tensor& value) {
  const c10::impl::ExcludeDispatchKeyGuard no_autocast(c10::autocast_dispatch_keyset);
  const at::Tensor norms = token_norms(value);
  add(Table::kSite, tap, "rms", rms(norms, value.size(-1)));
  add(Table::kSite, tap, "token_norm", norms.flatten(1).mean(1));
  if (taps_[tap].stream) {
    add(Table::kSite, tap, "token_cosine", token_cosine(value, norms));
  }
}

void Probe::measure_parameters(std::string_view quantity, const at::Tensor& flat) {
  for (std::size_t i = 0; i < parameters_.slots().size(); ++i) {
    add(Table::kParam, i, quantity, total_norm(parameters_.slots()[i].part(flat)));
  }
}

}  // namespace layerlab::probe
