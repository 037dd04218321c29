// Stands in for equation/catalogue.cpp until that exists; CMake drops it then.
#include <algorithm>

#include "core/names.h"
#include "equation/block.h"

namespace layerlab::equation {

const std::vector<Block>& catalogue() {
  static const std::vector<Block> blocks = {
      {"post_ln", {"LN(x + F(x))", {}}, {}, {}, "Vaswani et al. 2017", ""},
      {"pre_ln", {"x + F(LN(x))", {}}, {}, {"LN(x)", {}}, "Xiong et al. 2020", ""}};
  return blocks;
}

const Block& find_block(const std::string& name, const Place& place) {
  std::vector<std::string> names;
  for (const Block& block : catalogue()) {
    if (block.name == name) return block;
    names.push_back(block.name);
  }
  throw UserError(place, "unknown block '" + name + "'", suggestion(name, names));
}

}  // namespace layerlab::equation
