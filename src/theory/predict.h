// Mean-field predictions for a stack before it is trained, from its equation alone.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "config/run_config.h"
#include "equation/program.h"
#include "theory/second_moments.h"

namespace layerlab::theory {

// The input of a stack. Where the gradient or the memory is unknown, so is all that depends on
// it.
struct Input {
  int batch = 1;                                                // B
  int tokens = 1;                                               // T
  SecondMoments embedding;                                      // what enters
  std::optional<SecondMoments> gradient = SecondMoments{1, 0};  // of the loss by what leaves
  int memory_tokens = 0;  // T_m, of what cross-attention reads
  std::optional<SecondMoments> memory;
};

// One site, in the units of the record. Numbers without a formula are absent, with the reason.
struct SitePrediction {
  std::optional<double> rms, token_cosine;
  std::optional<double> grad_norm;  // of the whole [B, T, D]
  std::string no_value, no_gradient;
};

struct Prediction {
  std::vector<SitePrediction> taps;     // as Program::taps
  std::vector<int> blocks;              // of them, the stream that leaves each block
  std::optional<SecondMoments> output;  // what leaves
  std::optional<SecondMoments>
      memory_gradient;  // what the memory receives; zeros without cross-attention
};

// A recursion over the instructions, forwards for values and backwards for gradients
// (docs/theory.md). Every register is a sum of independent atoms: what enters, and what each branch
// returns. Whatever is linear acts on the coefficients, norms divide them by the RMS, and a branch
// makes a new atom from the moments of what it reads. `model` is the stack's own (kEncoder: sees
// all tokens; kDecoder: causal), at its initial weights.
Prediction predict(const equation::Program& program, const config::ModelConfig& model,
                   const Input& input);

}  // namespace layerlab::theory
