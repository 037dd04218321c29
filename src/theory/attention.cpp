#include "theory/attention.h"

#include "theory/norm.h"

namespace layerlab::theory {

using equation::BranchType;
Attention::Attention(const config::ModelConfig& model, const equation::Branch& branch,
                     double qk_gain, int queries, int keys)
    : model_(model), branch_(branch), qk_gain_(qk_gain), queries_(queries), keys_(keys) {
  const auto square = [&](const char* matrix) {
    return linear(model, branch, matrix, model.width, model.width, model.attention_bias);
  };
  q_.weights = square("q");
  k_.weights = square("k");
  v_.weights = square("v");
  o_ = square("o");
  const double K = model.width / static_cast<double>(model.heads);
  scale_ = branch.scale > 0 ? branch.scale * branch.scale * K : 1;
}

void Attention::project(Projection& projection, const SecondMoments& x,
                        const std::optional<equation::Norm>& norm, double gain) const {
  const SecondMoments plain = projection.weights.forward(x);
  projection.factor = gain;
  if (norm) {
    const bool whole = norm->weight.size() == 1 && norm->weight[0] == model_.width;
    const int features = whole ? model_.width : model_.width / model_.heads;
    const double factor = norm_factor(*norm, model_, features, plain.square);
    projection.factor *= factor * factor;
  }
  projection.value = projection.factor * plain;
}

SecondMoments Attention::forward(const SecondMoments& x, const SecondMoments& source) {
  project(q_, x, branch_.q, qk_gain_);
  project(k_, source, branch_.k, qk_gain_);
  project(v_, source, branch_.v, 1);

  const bool causal =
      branch_.type != BranchType::kCross && model_.kind == config::ModelKind::kDecoder;
  const double varying = k_.value.square - k_.value.cross;  // what differs between keys
  overlap_ = softmax_overlap(queries_, keys_, causal, scale_ * q_.value.square * varying,
                             q_.value.correlation());

  const double own = v_.value.square - v_.value.cross;
  SecondMoments read{v_.value.cross + own * overlap_.own, v_.value.cross + own * overlap_.shared};
  factor_ = 1;
  if (branch_.mid) {
    const double factor = norm_factor(*branch_.mid, model_, model_.width, read.square);
    factor_ = factor * factor;
  }
  return o_.forward(factor_ * read);
}

Attention::Gradients Attention::backward(const SecondMoments& gradient) const {
  const SecondMoments read = factor_ * o_.backward(gradient);
  const double T = queries_, S = keys_;
  // Sums over queries, for one key: of a^2, and of a a' over the pairs of different queries.
  const double own = T / S * overlap_.own, shared = T / S * (T - 1) * overlap_.shared;

  // Values: dv_j = sum_i a_ij dread_i.
  SecondMoments values{read.square * own + read.cross * shared, 0};
  if (S > 1) {
    const double others = T / (S * (S - 1));
    values.cross =
        others * (read.square * (1 - overlap_.own) + read.cross * (T - 1) * (1 - overlap_.shared));
  }

  // Logits: ds_ij = a_ij (dread_i . v_j - its mean under a_i), nothing where all values agree.
  const double varying_v = v_.value.square - v_.value.cross;
  const double varying_k = k_.value.square - k_.value.cross;
  const double own_logit = scale_ * varying_v * overlap_.own_slope;
  const double shared_logit = scale_ * varying_v * overlap_.shared_slope;

  const SecondMoments queries{read.square * varying_k * own_logit,
                              read.cross * varying_k * shared_logit};
  const double keys_square =
      T / S *
      (read.square * q_.value.square * own_logit +
       (T - 1) * read.cross * q_.value.correlation() * q_.value.square * shared_logit);
  // The logits' gradients sum to 0 over keys, so the keys' do.
  const SecondMoments keys{keys_square, S > 1 ? -keys_square / (S - 1) : 0};

  return {q_.weights.backward(q_.factor * queries),
          k_.weights.backward(k_.factor * keys) + v_.weights.backward(v_.factor * values)};
}

}  // namespace layerlab::theory
