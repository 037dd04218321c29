// Sites of a model, as events name them.
//   site_name({3, "ff", "branch"})  // "layer 3, ff, branch"
#pragma once

#include <string>

#include "equation/program.h"

namespace layerlab::train {

// "layer 3, ff, branch", "decoder layer 0, attn, norm"; outside the blocks "embedding, out".
std::string site_name(const equation::Site& site);

}  // namespace layerlab::train
