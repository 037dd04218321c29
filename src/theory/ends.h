// The two ends of a stack in the mean field: what enters, and what the loss sends back.
#pragma once

#include "config/run_config.h"
#include "equation/program.h"
#include "theory/moments.h"
#include "theory/predict.h"

namespace layerlab::theory {

// Of token ids drawn alike and independently from `vocabulary`: two tokens of a sequence share
// their vector with probability 1 / vocabulary, and never their position.
Moments embedding_moments(const config::ModelConfig& model, const equation::Program& program,
                          int tokens, int vocabulary);

// Of cross-entropy by what leaves the stack, in a mean over all scored positions.
struct Scoring {
  int batch = 1;    // B
  int tokens = 1;   // T
  int scored = 1;   // of the T positions, those with a target
  int classes = 1;  // V
};

// A head x W^T with logits that are Gaussian and independent of the targets, which are uniform and
// independent of each other: |p - e_y|^2 = sum p^2 + 1 - 2 / V, with sum p^2 by
// theory/softmax.h, and for two positions sum p p' - 1 / V.
Moments output_gradient(const config::ModelConfig& model, const equation::Program& program,
                        const Moments& output, const Scoring& scoring);

// A stack by itself between its embedding and its loss, with gradients in the record's units.
// Without a prediction of what leaves there is none of gradients.
Prediction predict(const equation::Program& program, const config::ModelConfig& model,
                   const Scoring& scoring, int vocabulary);

}  // namespace layerlab::theory
