#include "examples/all.h"
#include "examples/network.h"

namespace layerlab::examples {

Example post_ln_block() {
  Network block("LN(x + M(x), eps=0)");
  block.let_branch_return({1, -1, 1, -1});
  const at::Tensor output = block.forward(token({1, 3, 5, 7}));
  return {"Ex 1  LN(x + M(x)), x = (1, 3, 5, 7), M(x) = (1, -1, 1, -1)",
          {compare("output", "-1 -1 1 1", numbers(output)),
           compare("its mean and variance", "0 1", mean_and_variance(output))}};
}

}  // namespace layerlab::examples
