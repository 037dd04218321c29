// Blocks as TOML tables: entries of models/blocks.toml and a file's own [block].
//
//   [deepnorm]
//   equation = "LN(alpha*x + F(x))"
//   const    = { alpha = "(2*L)^(1/4)" }                 scalar expressions, or numbers
//   gain     = { v = "(8*L)^(-1/4)", "attn.o" = 0.5 }    factors on initial weights
//   init     = { q = "0.02" }                            standard deviations of initial weights
//   param    = { g = { shape = "vector", scope = "block", init = "0.0" } }
//   layers   = [{ block = "post_ln", count = "floor(L/4)" }, { block = "pre_ln" }]
//   [deepnorm.encoder]                                   keys that are others in an encoder-decoder
//   const    = { alpha = "0.81*(N_enc^4*M_dec)^(1/16)" }
//
// A param's shape is "scalar" (the default), "vector" [D], "head" [H], or a list of sizes; its
// scope "sublayer" (the default), "block" or "stack".
#pragma once

#include <array>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/toml.h"
#include "equation/block.h"

namespace layerlab::equation {

constexpr auto enum_names(Scope) {
  return std::array<std::string_view, 3>{"sublayer", "block", "stack"};
}

// The one list of a block's keys: visit(key, field, meaning).
template <typename Visit>
void describe(Visit&& visit, Block& block) {
  visit("name", block.name, "what model.block calls it");
  visit("equation", block.equation, "what one block does to its streams");
  visit("start", block.start, "how other streams than x begin");
  visit("finish", block.finish, "what follows the last block");
  visit("const", block.constants, "numbers that the equation names");
  visit("gain", block.gain, "factors on initial weights, by matrix");
  visit("init", block.deviation, "standard deviations of initial weights, by matrix");
  visit("param", block.parameters, "learned tensors that the equation names");
  visit("layers", block.layers, "instead of equation: a mix of blocks, from the bottom");
  visit("encoder", block.encoder, "keys that are others in the encoder");
  visit("decoder", block.decoder, "keys that are others in the decoder");
  visit("source", block.source, "the paper it comes from");
  visit("summary", block.summary, "what is special about it, in one line");
}

// What a name in `layers` stands for; throws UserError at `place` for unknown names.
using FindBlock = std::function<const Block&(const std::string& name, const Place& place)>;

// Reads one entry strictly: `equation` or `layers` is required, all else optional, and `name`
// replaces the given one. A mix takes `start` from its first block and `finish` from its last where
// it has none itself. Each Source stands at its first character inside the quotes, so that carets
// point into the user's file. Throws UserError for unknown keys and wrong types; the equation
// itself is not looked at.
Block read_block(const std::string& name, const TomlNode& entry,
                 const FindBlock& find = find_block);

// All entries of a file, in its order. Each may name those above it.
std::vector<Block> read_blocks(const TomlNode& file);

// The block as a table that needs no other block to be read again.
TomlNode to_tree(const Block& block);

}  // namespace layerlab::equation
