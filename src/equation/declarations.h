// What an entry declares: names that are free, and used.
#pragma once

#include "equation/block.h"

namespace layerlab::equation {

// Throws UserError at the first constant or learned tensor of `block` whose name means something
// else already.
void refuse_taken_names(const Block& block);

// Throws UserError at the first constant or learned tensor of `block` that no text of it names, be
// it used at this depth or not. `finish` is what follows the last block.
void refuse_unused(const Block& block, const Source& finish);

}  // namespace layerlab::equation
