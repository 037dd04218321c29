// How initial weights are distributed: what models/init.h draws from and theory/ predicts with.
// In variances, of a weight [out, in]:
//   kXavierUniform  2 / (in + out), uniform (Glorot & Bengio 2010); embeddings N(0, 1)
//   kXavierNormal   2 / (in + out), normal; embeddings N(0, 1)
//   kTorchDefault   1 / (3 in), uniform, of weights and biases; embeddings N(0, 1)
//   kGpt2           0.02^2, normal, of weights, token and position embeddings
//   kFairseq        q k v 1 / (in + out), o 2 / (in + out), up gate down 1 / (3 in), all uniform;
//                   biases 1 / (3 in) except o's; head and embeddings 1 / D, normal
//   kSmall          2 / (5 D), normal, of weights and embeddings (Nguyen & Salazar 2019,
//                   1910.05895)
// Biases are 0 where nothing is said. GRUs have a distribution of their own.
#pragma once

#include <optional>
#include <string>

#include "config/run_config.h"

namespace layerlab::config {

// With the mean 0.
struct Distribution {
  enum Shape { kUniform, kNormal } shape = kNormal;
  double deviation = 0;

  double variance() const { return deviation * deviation; }
};

// The same shape with the deviation that replaces its own, if there is one, times `gain`.
Distribution adapted(Distribution distribution, std::optional<double> deviation, double gain);

// Of the weights of a matrix called "q", "k", "v", "o", "up", "gate", "down" or "head".
Distribution weight_distribution(Init init, const std::string& matrix, int in, int out);

// Of its bias; nothing where that begins with zeros.
std::optional<Distribution> bias_distribution(Init init, const std::string& matrix, int in);

// Of the weights and biases of a gated recurrent unit: as torch's, 1 / (3 D), uniform.
Distribution gru_distribution(int width);

// Of token and position embeddings.
Distribution embedding_distribution(Init init, int width);

}  // namespace layerlab::config
