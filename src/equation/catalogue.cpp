#include <algorithm>

#include "core/names.h"
#include "core/toml.h"
#include "embedded/blocks.h"
#include "equation/block.h"
#include "equation/block_toml.h"

namespace layerlab::equation {

const std::vector<Block>& catalogue() {
  static const std::vector<Block> blocks =
      read_blocks(parse_toml_text(embedded::kBlocks, "models/blocks.toml"));
  return blocks;
}

const Block& find_block(const std::string& name, const Place& place) {
  return find_in(catalogue(), name, place);
}

const Block& find_in(const std::vector<Block>& blocks, const std::string& name,
                     const Place& place) {
  const auto found = std::ranges::find(blocks, name, &Block::name);
  if (found != blocks.end()) return *found;
  std::vector<std::string> names;
  for (const Block& block : blocks) names.push_back(block.name);
  throw UserError(place, "expected a block's name, got '" + name + "'", suggestion(name, names));
}

}  // namespace layerlab::equation
