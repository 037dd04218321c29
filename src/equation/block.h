// A block as users write it: an entry of models/blocks.toml or of a file's [block].
#pragma once

#include <memory>
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

// A named scalar expression: of `const`, `gain` or `deviation`.
struct NamedScalar {
  std::string name;
  Source value;
  Place place;  // of the name
};

enum class Scope { kSublayer, kBlock, kStack };  // who shares one instance

// A learned tensor that the equation names.
struct ParameterEntry {
  std::string name;
  std::vector<Source> shape;  // sizes as scalar expressions; none: a number
  Scope scope = Scope::kSublayer;
  Source init;  // scalar expression; also of i in a vector, i and j in a matrix, from 0
  // Weighs the skip, and is set from a first forward pass (models/admin_profile.h). REQUIRES:
  // scope is kSublayer.
  bool profiled = false;
  Place place;  // of the name
};

struct Block;

// Some blocks of a stack that mixes kinds by depth.
struct Layers {
  std::shared_ptr<const Block> block;
  Source count;  // scalar expression; empty: all that remain
};

struct Block {
  std::string name;
  Source equation;  // what one block does: "LN(x + F(x))"
  Source start;     // how other streams begin: "y = x"; may be empty
  Source finish;    // what follows the last block: "LN(x)"; may be empty
  std::vector<NamedScalar> constants;
  // Factors on initial weights: q k v o up down gate for all sub-layers that have one, "attn.v" for
  // one sub-layer, embedding.
  std::vector<NamedScalar> gain;
  std::vector<NamedScalar> deviation;  // standard deviations that replace the model's
  std::vector<ParameterEntry> parameters;
  std::vector<Layers> layers;                     // instead of `equation`, from the bottom
  std::shared_ptr<const Block> encoder, decoder;  // what it is in an encoder-decoder, or null
  std::string source;                             // paper
  std::string summary;                            // what is special, one line
};

// A block as it is on one side of an encoder-decoder.
enum class Side { kEncoder, kDecoder };
Block on_side(const Block& block, Side side);

// The block without what has no influence on what it computes: names of blocks, sources, spaces,
// the order of constants. Blocks that are equal here are the same.
Block canonical_form(const Block& block);

// Warnings, one line each: L^1/4 is L/4, and probably not meant.
std::vector<std::string> warnings(const Block& block);

// The blocks that the program brings along (models/blocks.toml), in the file's order.
const std::vector<Block>& catalogue();

// The entry of that name. Throws UserError at `place`, suggesting the nearest name.
const Block& find_block(const std::string& name, const Place& place);
const Block& find_in(const std::vector<Block>& blocks, const std::string& name, const Place& place);

}  // namespace layerlab::equation
