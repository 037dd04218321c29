#include "examples/all.h"
#include "examples/network.h"

namespace layerlab::examples {

Example highway() {
  const config::ModelConfig ten = sizes(/*depth=*/10, /*width=*/1, /*ff=*/2);
  Network pre("x + M(x)", ten), post("0.5*(x + M(x))", ten);
  pre.let_branch_multiply(0.3);
  post.let_branch_multiply(0.3);
  const double grown = jacobian(pre, token({1})).item<double>();
  const double shrunk = jacobian(post, token({1})).item<double>();
  return {"Ex 5  10 blocks of one feature, M(x) = 0.3 x; a norm that multiplies by 0.5",
          {compare("x + M(x): dy/dx", "13.7858", {grown}),
           compare("0.5*(x + M(x)): dy/dx", "0.013462", {shrunk}),
           compare("shrinks by", "~74", {1 / shrunk})}};
}

}  // namespace layerlab::examples
