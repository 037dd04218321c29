// Places in a model, as events name them.
#pragma once

#include <string>

#include "equation/program.h"

namespace layerlab::train {

// "layer 3, ff, branch", "decoder layer 0, attn, norm"; outside the blocks "embedding, out".
std::string place_text(const equation::Site& site);

}  // namespace layerlab::train
