// The worked examples of two public texts, each as blocks that could be trained, each in a file of
// its own: `layerlab examples`, docs/examples.md.
#pragma once

#include <vector>

#include "examples/row.h"

namespace layerlab::examples {

// "Residual connections and layer norm placement: worked examples", its eight.
Example post_ln_block();      // Ex 1
Example pre_ln_block();       // Ex 2
Example flat_input();         // Ex 3
Example large_branch();       // Ex 4
Example highway();            // Ex 5
Example stream_growth();      // Ex 6
Example ninety_six_blocks();  // Ex 7
Example gain_and_bias();      // Ex 8

// "Residual Connections and Layer Normalization", section 9: what its NumPy program prints.
std::vector<Example> numpy_demonstration();

// All of the above; some seconds.
std::vector<Document> all_documents();

}  // namespace layerlab::examples
