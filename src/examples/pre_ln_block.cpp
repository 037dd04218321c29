#include "examples/all.h"
#include "examples/network.h"

namespace layerlab::examples {

Example pre_ln_block() {
  Network block("x + M(LN(x, eps=0))");
  block.let_branch_multiply(1);
  const at::Tensor output = block.forward(token({1, 3, 5, 7}));
  return {"Ex 2  x + M(LN(x)), x = (1, 3, 5, 7), M(u) = u",
          {compare("output", "-0.3416 2.5528 5.4472 8.3416", numbers(output)),
           compare("its mean", "4", numbers(output.mean()))}};
}

}  // namespace layerlab::examples
