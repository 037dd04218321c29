// Shapes of learned tensors that have a name in TOML.
#pragma once

#include <string>
#include <vector>

namespace layerlab::equation {

struct NamedShape {
  std::string name;
  std::vector<std::string> sizes;
};

inline const std::vector<NamedShape> kNamedShapes = {
    {"scalar", {}}, {"vector", {"D"}}, {"head", {"H"}}};

}  // namespace layerlab::equation
