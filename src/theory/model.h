// Whole models in the mean field: what enters the stacks, and what the loss sends back.
#pragma once

#include <vector>

#include "config/run_config.h"
#include "equation/block.h"
#include "equation/program.h"
#include "theory/predict.h"
#include "theory/second_moments.h"

namespace layerlab::theory {

// The moments of embedded token ids that are drawn alike and independently from `vocabulary`: two
// tokens of a sequence share their vector with probability 1 / vocabulary, and never their
// position.
SecondMoments embedding_moments(const config::ModelConfig& model, const equation::Program& program,
                                int tokens, int vocabulary);

// The sizes of a batch and of its targets.
struct BatchShape {
  int batch = 1;          // B
  int tokens = 1;         // T
  int source_tokens = 0;  // S, that the encoder reads
  int scored = 1;         // of the T positions, those with a target
  int vocabulary = 1;     // different token ids
  int classes = 1;        // V, that the head scores
};

// The gradient of cross-entropy, a mean over all scored positions, at the last stack's output. The
// head is
// x W^T with logits that are Gaussian and independent of the targets, which are uniform and
// independent of each other: |p - e_y|^2 = sum p^2 + 1 - 2 / V, with sum p^2 by theory/softmax.h,
// and for two positions sum p p' - 1 / V.
SecondMoments output_gradient(const config::ModelConfig& model, const equation::Program& program,
                              const SecondMoments& output, const BatchShape& shape);

// The whole model between token ids and cross-entropy, with gradients in the record's units: one
// stack, or encoder and decoder, as config::model_parts().
// Throws UserError where the equation does not compile.
std::vector<Prediction> predict(const config::ModelConfig& model, const equation::Block& block,
                                const BatchShape& shape);

}  // namespace layerlab::theory
