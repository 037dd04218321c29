#include "train/site_name.h"

namespace layerlab::train {

std::string site_name(const equation::Site& site) {
  std::string text = site.side.empty() ? "" : site.side + " ";
  if (site.layer >= 0) text += "layer " + std::to_string(site.layer) + ", ";
  return text + site.sublayer + ", " + site.role;
}

}  // namespace layerlab::train
