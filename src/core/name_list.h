// The names of an enumeration's values as users write them.
#pragma once

#include <array>
#include <string_view>

namespace layerlab {

// What enum_names(E) beside an enumeration E returns (core/table_reader.h): one name for each of
// its values, in their order.
template <typename... Name>
constexpr std::array<std::string_view, sizeof...(Name)> name_list(Name... names) {
  return {names...};
}

}  // namespace layerlab
