#include <algorithm>

#include "core/names.h"
#include "core/toml.h"
#include "embedded/blocks.h"
#include "equation/block.h"
#include "equation/block_toml.h"

namespace layerlab::equation {

const std::vector<Block>& catalogue() {
  static const std::vector<Block> blocks = [] {
    std::vector<Block> result;
    const TomlNode root = parse_toml_text(embedded::kBlocks, "models/blocks.toml");
    for (const auto& [name, node] : std::get<TomlNode::Table>(root.value)) {
      result.push_back(read_block(name, node));
    }
    return result;
  }();
  return blocks;
}

const Block& find_block(const std::string& name, const Place& place) {
  const std::vector<Block>& blocks = catalogue();
  const auto found = std::find_if(blocks.begin(), blocks.end(),
                                  [&](const Block& block) { return block.name == name; });
  if (found != blocks.end()) return *found;
  std::vector<std::string> names;
  for (const Block& block : blocks) names.push_back(block.name);
  throw UserError(place, "expected a block's name, got '" + name + "'", suggestion(name, names));
}

}  // namespace layerlab::equation
