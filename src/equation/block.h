// A block as users write it: an entry of models/blocks.toml or of a file's [block].
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "core/error.h"

namespace layerlab::equation {

// A piece of equation text and where it stands, so that a caret can point into the user's file.
struct Source {
  std::string text;
  Place place;  // of the first character
};

struct Block {
  std::string name;
  Source equation;      // what one block does: "LN(x + F(x))"
  Source start;         // how other streams begin: "y = x"; may be empty
  Source finish;        // what follows the last block: "LN(x)"; may be empty
  std::string source;   // paper
  std::string summary;  // what is special, one line
};

// The blocks that the program brings along (models/blocks.toml), in the file's order.
const std::vector<Block>& catalogue();

// The entry of that name. Throws UserError at `place`, suggesting the nearest name.
const Block& find_block(const std::string& name, const Place& place);

}  // namespace layerlab::equation
