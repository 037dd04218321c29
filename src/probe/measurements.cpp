#include "probe/measurements.h"

#include <array>
#include <limits>
#include <string>

#include "probe/quantities.h"

namespace layerlab::probe {
namespace {

using record::param_quantity;
using record::site_quantity;

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

// `row`'s columns that are not wanted become NaN.
template <std::size_t n>
void drop(std::array<double, n>& row, const std::array<bool, n>& wanted) {
  for (std::size_t i = 0; i < n; ++i) {
    if (!wanted[i]) row[i] = kNaN;
  }
}

// Puts the numbers of one replica into its rows.
class RowBuilder {
 public:
  RowBuilder(StepMeasurements& rows, const std::vector<TapSelection>& taps)
      : rows_(rows), taps_(taps), of_taps_(taps.size()) {
    for (auto& values : of_taps_) values.fill(kNaN);
    for (record::ParamRow& row : rows.params) row.values.fill(kNaN);
  }

  void add(const Reduction& reduction, const double* numbers) {
    const auto set = [&](std::string_view name) {
      of_taps_[reduction.index][site_quantity(name)] = *numbers++;
    };
    switch (reduction.kind) {
      case Reduction::Kind::kValue:
        for (const ValueQuantity& quantity : kValueQuantities) set(quantity.name);
        break;
      case Reduction::Kind::kGradient:
        set("grad_norm");
        break;
      case Reduction::Kind::kAttention:
        for (const AttentionQuantity& quantity : kAttentionQuantities) set(quantity.name);
        break;
      case Reduction::Kind::kParameter:
        for (std::int64_t i = 0; i < reduction.values.size(1); ++i) {
          rows_.params[reduction.first + i].values[reduction.index] = numbers[i];
        }
        break;
      case Reduction::Kind::kWholeGradient:
        clip_ = numbers[0] == numbers[1] ? 1 : numbers[1] / numbers[0];
        break;
    }
  }

  void finish(std::int64_t step, const config::SelectedQuantities& selected) {
    const std::size_t token_norm = site_quantity("token_norm");
    auto row = rows_.sites.begin();
    for (std::size_t i = 0; i < taps_.size(); ++i) {
      const TapSelection& tap = taps_[i];
      for (std::size_t site = 0; site < tap.sites.size(); ++site, ++row) {
        row->step = step;
        row->values = of_taps_[i];
        if (row->site == "branch" && tap.stream >= 0) {
          row->values[site_quantity("branch_ratio")] =
              of_taps_[i][token_norm] / of_taps_[tap.stream][token_norm];
        }
        drop(row->values, selected.site);
      }
    }
    for (record::ParamRow& param : rows_.params) {
      const auto value = [&](const char* name) -> double& {
        return param.values[param_quantity(name)];
      };
      param.step = step;
      value("grad_norm_clipped") = value("grad_norm") * clip_;
      value("update_ratio") = value("update_norm") / value("weight_norm");
      drop(param.values, selected.param);
    }
  }

 private:
  StepMeasurements& rows_;
  const std::vector<TapSelection>& taps_;
  std::vector<decltype(record::SiteRow::values)> of_taps_;
  double clip_ = 1;  // what clipping multiplied the gradient by
};

}  // namespace

StepMeasurements rows_of(const std::vector<TapSelection>& taps,
                         std::span<const models::Parameters::Slot> parameters) {
  StepMeasurements rows;
  for (const TapSelection& tap : taps) {
    for (const equation::Site& site : tap.sites) {
      rows.sites.push_back({0, site.layer, site.sublayer, site.role, {}, site.side});
    }
  }
  for (const models::Parameters::Slot& slot : parameters) rows.params.push_back(row_of(slot.name));
  return rows;
}

void fill(StepMeasurements& rows, std::int64_t step, const std::vector<TapSelection>& taps,
          const std::vector<Reduction>& reductions, const double* numbers,
          const config::SelectedQuantities& selected) {
  RowBuilder builder(rows, taps);
  for (const Reduction& reduction : reductions) {
    builder.add(reduction, numbers);
    numbers += reduction.values.size(1);
  }
  builder.finish(step, selected);
}

}  // namespace layerlab::probe
