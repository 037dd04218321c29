// Where a piece of equation text stands while it is compiled, and the names it may use.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "equation/block.h"
#include "equation/builder.h"
#include "equation/scalar.h"

namespace layerlab::equation {

struct Context {
  const Source* source = nullptr;
  const Block* block = nullptr;
  int layer = -1;        // -1 outside the blocks
  std::string sublayer;  // the statement's own; "embedding" or "finish" outside the blocks

  bool in_block() const { return layer >= 0; }
  Site site(const std::string& of_sublayer, const std::string& role) const {
    return {layer, of_sublayer, role};
  }
  // The prefix of parameters that belong to one of this block's sub-layers.
  std::string prefix(const std::string& of_sublayer) const {
    return "blocks." + std::to_string(layer) + "." + of_sublayer + ".";
  }
  std::string prefix(Scope scope, const std::string& owner) const;
};

// The names that statements leave behind for later ones.
struct Environment {
  std::map<std::string, int> values;          // names to registers
  std::set<std::string> streams;              // of them, those that outlive their sub-layer
  std::set<std::string> read;                 // names that have been read
  std::map<std::string, std::size_t> unread;  // unread locals, and where they stand
  std::map<std::string, int> branches;        // this block's, by sub-layer
  std::map<std::string, int> norms;           // all norms so far, by name
  std::map<std::string, int> parameters;      // registers of parameters, by name
};

// "LN_out" is LN with the suffix "_out".
std::pair<std::string, std::string> split_suffix(const std::string& name);

}  // namespace layerlab::equation
