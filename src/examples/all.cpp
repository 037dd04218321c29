#include "examples/all.h"

namespace layerlab::examples {

std::vector<Document> all_documents() {
  return {{"Residual connections and layer norm placement: worked examples",
           {post_ln_block(), pre_ln_block(), flat_input(), large_branch(), highway(),
            stream_growth(), ninety_six_blocks(), gain_and_bias()}},
          {"Residual Connections and Layer Normalization: NumPy example", numpy_demonstration()}};
}

}  // namespace layerlab::examples
