// The sizes that tests of the language compile with.
#pragma once

#include "equation/program.h"

namespace layerlab::equation {

inline Sizes sizes(int depth) {
  Sizes result;
  result.depth = depth;
  result.width = 8;
  result.heads = 2;
  result.ff = 16;
  return result;
}

}  // namespace layerlab::equation
