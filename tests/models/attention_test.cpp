// What a branch's options do inside attention, against plain tensor operations in float64.

#include "models/attention.h"

#include <gtest/gtest.h>

#include <cmath>

#include "tests/support/tensors.h"

namespace layerlab::models {
namespace {

using at::Tensor;
using equation::BranchType;
using equation::HeadScale;

constexpr int kWidth = 8, kHeads = 2, kHeadWidth = 4, kTokens = 5, kMemory = 3;

config::ModelConfig small_model() {
  config::ModelConfig model;
  model.width = kWidth;
  model.heads = kHeads;
  return model;
}

equation::Norm norm(const std::string& name, equation::Shape weight) {
  equation::Norm result;
  result.type = equation::NormType::kRmsNorm;
  result.name = "blocks.0.attn." + name;
  result.weight = std::move(weight);
  return result;
}

// One replica of attention with random parameters, and [B, T, D] to attend from and to.
struct Fixture {
  Attention attention;
  Tensor x = at::randn({1, 2, kTokens, kWidth}, at::kDouble);
  Tensor memory = at::randn({1, 2, kMemory, kWidth}, at::kDouble);

  explicit Fixture(const equation::Branch& branch, config::ModelConfig model = small_model())
      : attention(AttentionOptions{1, std::move(model), branch}) {
    attention->to(at::kDouble);
    const c10::AutoGradMode no_gradients(false);
    for (Tensor& parameter : attention->parameters()) parameter.normal_(0, 0.5);
  }

  Tensor operator()(const AttentionInputs& inputs = {}) {
    const c10::AutoGradMode no_gradients(false);
    return attention(x, inputs)[0];
  }

  Tensor linear(const Linear& layer, const Tensor& input) const {
    const Tensor y = at::matmul(input, layer->weight[0].t());
    return layer->bias.defined() ? y + layer->bias[0] : y;
  }

  using Change = std::function<Tensor(const Tensor& of_head, int head)>;

  // Attention as directly as it can be written, with changes to each head's q, k, v and result.
  Tensor plain(const Change& qk, const Change& v, const Change& result, double scale,
               const Tensor& source) const {
    std::vector<Tensor> heads;
    for (int h = 0; h < kHeads; ++h) {
      const auto part = [&](const Tensor& all) {
        return all.slice(-1, h * kHeadWidth, (h + 1) * kHeadWidth);
      };
      const Tensor queries = qk(part(linear(attention->q, x[0])), h);
      const Tensor keys = qk(part(linear(attention->k, source)), h);
      const Tensor weights = at::softmax(at::matmul(queries, keys.transpose(1, 2)) * scale, -1);
      heads.push_back(result(at::matmul(weights, v(part(linear(attention->v, source)), h)), h));
    }
    return at::cat(heads, -1);
  }
};

Tensor same(const Tensor& of_head, int) { return of_head; }

Tensor rms(const Tensor& x) { return x / (x.square().mean(-1, true) + 1e-5).sqrt(); }

TEST(Attention, ReadsAMemory) {
  equation::Branch branch;
  branch.type = BranchType::kCross;
  config::ModelConfig model = small_model();
  model.kind = config::ModelKind::kDecoder;      // causal among its own tokens only
  model.positions = config::Positions::kRotary;  // likewise
  Fixture f(branch, model);
  const Tensor heads = f.plain(same, same, same, 0.5, f.memory[0]);
  EXPECT_THAT(f({.memory = f.memory}), IsNear(f.linear(f.attention->o, heads), 1e-13));
}

TEST(Attention, HasNoBiasesWhereTheModelHasNone) {
  config::ModelConfig model = small_model();
  model.attention_bias = false;
  Fixture f({}, model);
  EXPECT_EQ(f.attention->parameters().size(), 4);
  EXPECT_THAT(f(), IsNear(f.linear(f.attention->o, f.plain(same, same, same, 0.5, f.x[0])), 1e-13));
}

TEST(Attention, DoesNotSeePadding) {
  Fixture f({});
  Tensor mask = at::ones({1, 2, kTokens}, at::kBool);
  mask.narrow(2, 3, 2).fill_(false);
  const Tensor padded = f({.mask = mask});
  f.x = f.x.narrow(2, 0, 3).contiguous();
  EXPECT_THAT(padded.narrow(1, 0, 3), IsNear(f(), 1e-13));
}

TEST(Attention, GivesPaddedKeysAWeightOfZeroInEveryDtype) {
  for (const at::ScalarType dtype : {at::kBFloat16, at::kFloat, at::kDouble}) {
    Fixture f({});
    f.attention->to(dtype);
    f.x = f.x.to(dtype);
    Tensor mask = at::ones({1, 2, kTokens}, at::kBool), seen;
    mask.narrow(2, 3, 2).fill_(false);
    f({.mask = mask, .observe = [&](const Tensor&, const Tensor& weights) { seen = weights; }});
    EXPECT_EQ(seen.narrow(-1, 3, 2).count_nonzero().item<std::int64_t>(), 0) << dtype;
    EXPECT_GT(seen.narrow(-1, 0, 3).min().item<double>(), 0) << dtype;
  }
}

TEST(Attention, StaysFiniteWhereEverythingIsPadding) {
  config::ModelConfig model = small_model();
  model.kind = config::ModelKind::kDecoder;
  Fixture f({}, model);
  Tensor mask = at::ones({1, 2, kTokens}, at::kBool);
  mask.narrow(2, 0, 2).fill_(false);  // the first tokens see nobody
  EXPECT_TRUE(f({.mask = mask}).isfinite().all().item<bool>());
}

TEST(Attention, NormsQueriesAndKeysAsOneVector) {
  equation::Branch branch;
  branch.q = norm("q_norm", {kWidth});
  branch.k = norm("k_norm", {kWidth});
  Fixture f(branch);
  const auto named = f.attention->named_parameters();
  const Tensor q = rms(f.linear(f.attention->q, f.x[0])) * named["q_norm.weight"][0];
  const Tensor k = rms(f.linear(f.attention->k, f.x[0])) * named["k_norm.weight"][0];
  const Tensor v = f.linear(f.attention->v, f.x[0]);
  std::vector<Tensor> heads;
  for (int h = 0; h < kHeads; ++h) {
    const auto part = [&](const Tensor& all) { return all.narrow(-1, h * kHeadWidth, kHeadWidth); };
    const Tensor scores = at::matmul(part(q), part(k).transpose(1, 2)) / 2;
    heads.push_back(at::matmul(at::softmax(scores, -1), part(v)));
  }
  EXPECT_THAT(f(), IsNear(f.linear(f.attention->o, at::cat(heads, -1)).detach(), 1e-13));
}

TEST(Attention, NormsEachHeadWithASharedOrItsOwnGain) {
  for (const equation::Shape& weight : {equation::Shape{kHeadWidth}, {kHeads, kHeadWidth}, {}}) {
    equation::Branch branch;
    branch.q = norm("head_norm_q", weight);
    branch.k = norm("head_norm_k", weight);
    branch.v = norm("head_norm_v", {kHeadWidth});
    branch.scale = 0.7;
    Fixture f(branch);
    const c10::AutoGradMode no_gradients(false);
    if (!weight.empty()) f.attention->k_norm->weight.copy_(f.attention->q_norm->weight);
    const auto normed = [&](const Tensor& x, int head) {
      if (weight.empty()) return rms(x);
      const Tensor gain = f.attention->q_norm->weight[0];
      return rms(x) * (weight.size() == 2 ? gain[head] : gain);
    };
    const auto normed_values = [&](const Tensor& x, int) {
      return rms(x) * f.attention->v_norm->weight[0];
    };
    const Tensor heads = f.plain(normed, normed_values, same, 0.7, f.x[0]);
    EXPECT_THAT(f(), IsNear(f.linear(f.attention->o, heads), 1e-13)) << weight.size();
  }
}

TEST(Attention, MultipliesQueriesAndKeysByTheirGainAfterTheNorm) {
  equation::Branch branch;
  branch.q = norm("q_norm", {});
  branch.k = norm("k_norm", {});
  Fixture f(branch);
  const Tensor gain = at::randn({1, 1, 1, kWidth}, at::kDouble);
  const auto changed = [&](const Tensor& x, int head) {
    return rms(x) * gain.flatten().narrow(0, head * kHeadWidth, kHeadWidth);
  };
  const Tensor heads = f.plain(changed, same, same, 0.5, f.x[0]);
  EXPECT_THAT(f({.qk_gain = gain}), IsNear(f.linear(f.attention->o, heads).detach(), 1e-13));
}

TEST(Attention, ScalesHeadsThenNormsThenProjects) {
  equation::Branch branch;
  branch.head_scale = HeadScale::kBefore;
  branch.mid = norm("norm_mid", {kWidth});
  Fixture f(branch);
  const Tensor scale = f.attention->head_scale[0];
  const auto scaled = [&](const Tensor& x, int head) { return x * scale[head]; };
  const Tensor heads = f.plain(same, same, scaled, 0.5, f.x[0]);
  const Tensor normed = rms(heads) * f.attention->mid_norm->weight[0];
  EXPECT_THAT(f(), IsNear(f.linear(f.attention->o, normed).detach(), 1e-13));
}

TEST(Attention, ScalesSlicesOfTheProjectionWhereThatIsWanted) {
  equation::Branch branch;
  branch.head_scale = HeadScale::kAfter;
  Fixture f(branch);
  const Tensor projected = f.linear(f.attention->o, f.plain(same, same, same, 0.5, f.x[0]));
  const Tensor factors = f.attention->head_scale[0].repeat_interleave(kHeadWidth);
  EXPECT_THAT(f(), IsNear((projected * factors).detach(), 1e-13));
}

TEST(Attention, TurnsPairsHalfAHeadApart) {
  config::ModelConfig model = small_model();
  model.positions = config::Positions::kRotary;
  Fixture f({}, model);
  const auto turned = [](const Tensor& x, int) {
    Tensor result = at::empty_like(x);
    for (int t = 0; t < x.size(1); ++t) {
      for (int i = 0; i < kHeadWidth / 2; ++i) {
        const double angle = t / std::pow(10000, 2.0 * i / kHeadWidth);
        const Tensor a = x.select(1, t).select(1, i);
        const Tensor b = x.select(1, t).select(1, i + kHeadWidth / 2);
        result.select(1, t).select(1, i).copy_(a * std::cos(angle) - b * std::sin(angle));
        result.select(1, t)
            .select(1, i + kHeadWidth / 2)
            .copy_(b * std::cos(angle) + a * std::sin(angle));
      }
    }
    return result;
  };
  const c10::AutoGradMode no_gradients(false);
  const Tensor heads = f.plain(turned, same, same, 0.5, f.x[0]);
  EXPECT_THAT(f(), IsNear(f.linear(f.attention->o, heads), 1e-13));
}

}  // namespace
}  // namespace layerlab::models
