// What is measured at every site and of every parameter: the columns of record.db.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <string_view>

namespace layerlab::record {

// To add a quantity, add a row at the end of its list, with the format after the last. Older
// records are then read as not having measured it, and get the column when they are resumed.
struct Quantity {
  std::string_view name;
  int since = 1;  // the format of record.db that brought it
};

inline constexpr std::array kSiteColumns = {
    Quantity{"rms"},     Quantity{"token_norm"}, Quantity{"max_abs"},      Quantity{"mean"},
    Quantity{"var"},     Quantity{"grad_norm"},  Quantity{"branch_ratio"}, Quantity{"token_cosine"},
    Quantity{"entropy"}, Quantity{"max_logit"},
};
inline constexpr std::array kParamColumns = {
    Quantity{"weight_norm"},     Quantity{"grad_norm"},    Quantity{"grad_norm_clipped"},
    Quantity{"update_norm"},     Quantity{"update_ratio"}, Quantity{"moment1_norm", 3},
    Quantity{"moment2_norm", 3},
};

template <std::size_t n>
constexpr std::array<std::string_view, n> names_of(const std::array<Quantity, n>& quantities) {
  std::array<std::string_view, n> names;
  std::ranges::transform(quantities, names.begin(), &Quantity::name);
  return names;
}

inline constexpr auto kSiteQuantities = names_of(kSiteColumns);
inline constexpr auto kParamQuantities = names_of(kParamColumns);

// Index of a quantity's column; the name must exist.
std::size_t site_quantity(std::string_view name);
std::size_t param_quantity(std::string_view name);

// PRAGMA user_version of record.db: what its tables and columns are. Formats: 2 adds `side`, 3 the
// optimiser's moments, 4 the table `dependency`.
inline constexpr int kFormatVersion = [] {
  int newest = 4;
  for (const Quantity& quantity : kSiteColumns) newest = std::max(newest, quantity.since);
  for (const Quantity& quantity : kParamColumns) newest = std::max(newest, quantity.since);
  return newest;
}();

}  // namespace layerlab::record
