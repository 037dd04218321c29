#include "examples/all.h"
#include "examples/network.h"

namespace layerlab::examples {

Example flat_input() {
  const at::Tensor x = token({5, 5, 5, 5});
  Network unsafe("LN(x + M(x), eps=0)"), safe("LN(x + M(x), eps=1e-5)");  // M(x) = 0
  return {"Ex 3  LN(x), x = (5, 5, 5, 5)",
          {compare("eps = 0", "nan nan nan nan", numbers(unsafe.forward(x))),
           compare("eps = 1e-5", "0 0 0 0", numbers(safe.forward(x)))}};
}

}  // namespace layerlab::examples
