#include "theory/model.h"

#include <algorithm>
#include <cmath>
#include <deque>
#include <optional>

#include "config/initial_weights.h"
#include "config/model_parts.h"
#include "theory/norm.h"
#include "theory/recursion.h"
#include "theory/softmax.h"

namespace layerlab::theory {
namespace {

double token_variance(const config::ModelConfig& model, const equation::Program& program) {
  return config::adapted(config::embedding_distribution(model.init, model.width),
                         program.embedding_deviation, program.embedding_gain)
      .variance();
}

SecondMoments sinusoids(int tokens, int width) {
  double cross = 0;  // mean over pairs of mean over frequencies of cos((t - t') frequency) / 2
  for (int apart = 1; apart < tokens; ++apart) {
    for (int i = 0; i < width; i += 2) {
      cross += 2.0 * (tokens - apart) * std::cos(apart * std::pow(10000.0, -i / double(width)));
    }
  }
  const double count = static_cast<double>(tokens) * std::max(tokens - 1, 1) * ((width + 1) / 2);
  return {0.5, cross / count / 2};
}

SecondMoments positions(const config::ModelConfig& model, int tokens) {
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

SecondMoments embedding_moments(const config::ModelConfig& model, const equation::Program& program,
                                int tokens, int vocabulary) {
  const double token = token_variance(model, program);
  const SecondMoments sum = SecondMoments{token, token / vocabulary} + positions(model, tokens);
  if (!model.embedding_norm) return sum;
  equation::Norm norm;
  norm.type = equation::NormType::kModel;
  const double factor = norm_factor(norm, model, model.width, sum.square);
  return factor * factor * sum;
}

SecondMoments output_gradient(const config::ModelConfig& model, const equation::Program& program,
                              const SecondMoments& output, const BatchShape& shape) {
  const double V = shape.classes, D = model.width, T = shape.tokens, n = shape.scored;
  double weights = token_variance(model, program), bias = 0;
  if (!model.tied) {
    weights =
        config::weight_distribution(model.init, "head", model.width, shape.classes).variance();
    const auto drawn = config::bias_distribution(model.init, "head", model.width);
    if (drawn) bias = drawn->variance();
  }
  const SecondMoments logits{D * weights * output.square + bias, D * weights * output.cross + bias};
  const SoftmaxOverlap p = softmax_overlap(shape.tokens, shape.classes, /*causal=*/false,
                                           logits.square, logits.correlation());
  const double scale = weights / (shape.batch * n) / (shape.batch * n);
  // The share of pairs of positions that are both scored.
  const double pairs = T > 1 ? n * (n - 1) / (T * (T - 1)) : 0;
  return {scale * n / T * (p.own + 1 - 2 / V), scale * pairs * (p.shared - 1 / V)};
}

std::vector<Prediction> predict(const config::ModelConfig& model, const equation::Block& block,
                                const BatchShape& shape) {
  const std::vector<config::ModelPart> parts = config::model_parts(model, block);
  std::deque<equation::Program> programs;  // recursions refer to these and to inputs
  std::deque<Input> inputs;
  std::deque<Recursion> recursions;
  for (const config::ModelPart& part : parts) {
    const equation::Program& program =
        programs.emplace_back(equation::compile(part.block, part.sizes));
    Input& input = inputs.emplace_back();
    input.batch = shape.batch;
    input.tokens = part.side() == "encoder" ? shape.source_tokens : shape.tokens;
    input.embedding = embedding_moments(part.model, program, input.tokens, shape.vocabulary);
    if (!recursions.empty()) {
      input.memory_tokens = shape.source_tokens;
      input.memory = recursions.back().output();
    }
    recursions.emplace_back(program, part.model, input).forward();
  }
  // Gradients, from the last stack to the first.
  std::optional<SecondMoments> gradient;
  if (const auto output = recursions.back().output()) {
    gradient = output_gradient(parts.back().model, programs.back(), *output, shape);
  }
  std::vector<Prediction> predictions(parts.size());
  for (std::size_t i = parts.size(); i-- > 0;) {
    inputs[i].gradient = gradient;
    recursions[i].backward();
    predictions[i] = recursions[i].prediction();
    gradient = predictions[i].memory_gradient;
  }
  return predictions;
}

}  // namespace layerlab::theory
