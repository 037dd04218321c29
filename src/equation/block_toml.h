// Blocks as TOML tables: entries of models/blocks.toml and a file's own [block].
#pragma once

#include <string>

#include "core/toml.h"
#include "equation/block.h"

namespace layerlab::equation {

// The one list of a block's keys: visit(key, field, meaning); fields are std::string or Source.
template <typename Visit>
void describe(Visit&& visit, Block& block) {
  visit("name", block.name, "what model.block calls it");
  visit("equation", block.equation, "what one block does to its streams");
  visit("start", block.start, "how other streams than x begin");
  visit("finish", block.finish, "what follows the last block");
  visit("source", block.source, "the paper it comes from");
  visit("summary", block.summary, "what is special about it, in one line");
}

// Reads one entry strictly: `equation` is required, all else optional, and `name` replaces the
// given one. Each Source stands at its first character inside the quotes, so that carets point
// into the user's file. Throws UserError for unknown keys and wrong types; the equation itself
// is not looked at.
Block read_block(const std::string& name, const TomlNode& entry);

// The block as a table with every key written.
TomlNode to_tree(const Block& block);

}  // namespace layerlab::equation
