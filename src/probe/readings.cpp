#include "probe/readings.h"

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

// Numbers on their way into the rows of a replica.
class Filling {
 public:
  Filling(Readings& rows, const std::vector<Place>& places)
      : rows_(rows), places_(places), of_places_(places.size()) {
    for (auto& values : of_places_) values.fill(kNaN);
    for (record::ParamRow& row : rows.params) row.values.fill(kNaN);
  }

  void take(const Measured& measured, const double* numbers) {
    const auto take_quantities = [&](const auto& names) {
      for (const std::string_view name : names) {
        of_places_[measured.place][site_quantity(name)] = *numbers++;
      }
    };
    switch (measured.kind) {
      case Measured::Kind::kValue:
        take_quantities(kValueQuantities);
        break;
      case Measured::Kind::kGradient:
        take_quantities(std::array{"grad_norm"});
        break;
      case Measured::Kind::kAttention:
        take_quantities(kAttentionQuantities);
        break;
      case Measured::Kind::kParameter:
        for (std::int64_t i = 0; i < measured.values.size(1); ++i) {
          rows_.params[measured.first + i].values[measured.place] = numbers[i];
        }
        break;
      case Measured::Kind::kWholeGradient:
        clip_ = numbers[0] == numbers[1] ? 1 : numbers[1] / numbers[0];
        break;
    }
  }

  void finish(std::int64_t step, const config::SelectedQuantities& selected) {
    const std::size_t token_norm = site_quantity("token_norm");
    auto row = rows_.sites.begin();
    for (std::size_t i = 0; i < places_.size(); ++i) {
      const Place& place = places_[i];
      for (std::size_t site = 0; site < place.sites.size(); ++site, ++row) {
        row->step = step;
        row->values = of_places_[i];
        if (row->site == "branch" && place.stream >= 0) {
          row->values[site_quantity("branch_ratio")] =
              of_places_[i][token_norm] / of_places_[place.stream][token_norm];
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
  Readings& rows_;
  const std::vector<Place>& places_;
  std::vector<decltype(record::SiteRow::values)> of_places_;
  double clip_ = 1;  // what clipping multiplied the gradient by
};

}  // namespace

Readings rows_of(const std::vector<Place>& places,
                 std::span<const models::Parameters::Slot> parameters) {
  Readings rows;
  for (const Place& place : places) {
    for (const equation::Site& site : place.sites) {
      rows.sites.push_back({0, site.layer, site.sublayer, site.role, {}, site.side});
    }
  }
  for (const models::Parameters::Slot& slot : parameters) rows.params.push_back(row_of(slot.name));
  return rows;
}

void fill(Readings& rows, std::int64_t step, const std::vector<Place>& places,
          const std::vector<Measured>& measured, const double* numbers,
          const config::SelectedQuantities& selected) {
  Filling filling(rows, places);
  for (const Measured& one : measured) {
    filling.take(one, numbers);
    numbers += one.values.size(1);
  }
  filling.finish(step, selected);
}

}  // namespace layerlab::probe
