#include "train/place_text.h"

namespace layerlab::train {

std::string place_text(const equation::Site& site) {
  std::string text = site.side.empty() ? "" : site.side + " ";
  if (site.layer >= 0) text += "layer " + std::to_string(site.layer) + ", ";
  return text + site.sublayer + ", " + site.role;
}

}  // namespace layerlab::train
