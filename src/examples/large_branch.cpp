#include <ATen/ATen.h>

#include "examples/all.h"
#include "examples/network.h"

namespace layerlab::examples {

Example large_branch() {
  const at::Tensor x = token({0, 0, 0, 0});
  Network post("LN(x + M(x), eps=1e-5)");
  post.let_branch_return({100, -100, 100, -100});
  // The norm takes two directions out of a gradient, the mean and its own output, and divides what
  // remains by sigma: the largest singular value.
  const at::Tensor factors = at::linalg_svdvals(jacobian(post, x));

  Network pre(block_of("x + M(LN(x, eps=1e-5))"), sizes(1, 4, 8), {1});  // random weights, no bias
  return {
      "Ex 4  x = 0: LN(x + M(x)) with M(x) = (100, -100, 100, -100); x + M(LN(x)) with biases 0",
      {compare("Post-LN: output", "1 -1 1 -1", numbers(post.forward(x))),
       compare("Post-LN: factor on gradients", "1/100", numbers(factors[0])),
       compare("Pre-LN: output", "0 0 0 0", numbers(pre.forward(x)))}};
}

}  // namespace layerlab::examples
