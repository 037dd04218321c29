#include "theory/ends.h"

#include <algorithm>
#include <cmath>

#include "config/initial_weights.h"
#include "theory/norm.h"
#include "theory/softmax.h"

namespace layerlab::theory {
namespace {

double token_variance(const config::ModelConfig& model, const equation::Program& program) {
  const double deviation = program.embedding_gain *
                           program.embedding_deviation.value_or(
                               config::embedding_distribution(model.init, model.width).deviation);
  return deviation * deviation;
}

Moments sinusoids(int tokens, int width) {
  double cross = 0;  // mean over pairs of mean over frequencies of cos((t - t') frequency) / 2
  for (int apart = 1; apart < tokens; ++apart) {
    for (int i = 0; i < width; i += 2) {
      cross += 2.0 * (tokens - apart) * std::cos(apart * std::pow(10000.0, -i / double(width)));
    }
  }
  const double count = static_cast<double>(tokens) * std::max(tokens - 1, 1) * ((width + 1) / 2);
  return {0.5, cross / count / 2};
}

Moments positions(const config::ModelConfig& model, int tokens) {
  switch (model.positions) {
    case config::Positions::kLearned:
      return {config::embedding_distribution(model.init, model.width).variance(), 0};
    case config::Positions::kSinusoidal:
      return sinusoids(tokens, model.width);
    case config::Positions::kRotary:  // attention's own
    case config::Positions::kNone:
      break;
  }
  return {};
}

}  // namespace

Moments embedding_moments(const config::ModelConfig& model, const equation::Program& program,
                          int tokens, int vocabulary) {
  const double token = token_variance(model, program);
  const Moments sum = Moments{token, token / vocabulary} + positions(model, tokens);
  if (!model.embedding_norm) return sum;
  equation::Norm norm;
  norm.type = equation::NormType::kModel;
  const double factor = norm_factor(norm, model, model.width, sum.square);
  return factor * factor * sum;
}

Moments output_gradient(const config::ModelConfig& model, const equation::Program& program,
                        const Moments& output, const Scoring& scoring) {
  const double V = scoring.classes, D = model.width, T = scoring.tokens, n = scoring.scored;
  double weights = token_variance(model, program), bias = 0;
  if (!model.tied) {
    weights =
        config::weight_distribution(model.init, "head", model.width, scoring.classes).variance();
    const auto drawn = config::bias_distribution(model.init, "head", model.width);
    if (drawn) bias = drawn->variance();
  }
  const Moments logits{D * weights * output.square + bias, D * weights * output.cross + bias};
  const Spread p = spread(scoring.tokens, scoring.classes, /*causal=*/false, logits.square,
                          logits.correlation());
  const double scale = weights / (scoring.batch * n) / (scoring.batch * n);
  // Of all pairs of positions, those that are both scored.
  const double pairs = T > 1 ? n * (n - 1) / (T * (T - 1)) : 0;
  return {scale * n / T * (p.own + 1 - 2 / V), scale * pairs * (p.shared - 1 / V)};
}

Prediction predict(const equation::Program& program, const config::ModelConfig& model,
                   const Scoring& scoring, int vocabulary) {
  Input input;
  input.batch = scoring.batch;
  input.tokens = scoring.tokens;
  input.embedding = embedding_moments(model, program, scoring.tokens, vocabulary);
  Prediction prediction = predict(program, model, input);
  if (prediction.output) {
    input.gradient = output_gradient(model, program, *prediction.output, scoring);
    return predict(program, model, input);
  }
  for (Place& place : prediction.taps) {
    if (place.grad_norm) place.no_gradient = "what leaves the stack has no prediction";
    place.grad_norm.reset();
  }
  return prediction;
}

}  // namespace layerlab::theory
