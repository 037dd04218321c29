#include <ATen/ATen.h>

#include "examples/all.h"
#include "examples/network.h"

namespace layerlab::examples {

Example gain_and_bias() {
  Network block("LN(x + M(x), eps=0)");  // M(x) = 0
  block.set("blocks.0.ff.norm.weight", at::full({4}, 2.0));
  block.set("blocks.0.ff.norm.bias", at::full({4}, 1.0));
  const at::Tensor output = block.forward(token({-2, 0, 2, 4}));
  return {"Ex 8  LN(x), x = (-2, 0, 2, 4), gain 2, bias 1, eps = 0",
          {compare("output", "-1.6833 0.1056 1.8944 3.6833", numbers(output)),
           compare("its mean and variance", "1 4", mean_and_variance(output))}};
}

}  // namespace layerlab::examples
