// Every block of the catalogue against its equation written out in plain tensor operations, in
// float64, with random gains and biases.

#include "models/blocks.h"

#include <gtest/gtest.h>
#include <torch/csrc/autograd/autograd.h>
#include <torch/nn/module.h>

#include <cmath>
#include <functional>
#include <map>

#include "config/model_parts.h"
#include "models/parameters.h"
#include "tests/support/tensors.h"

namespace layerlab::models {
namespace {

using at::Tensor;

constexpr int kDepth = 2, kWidth = 8, kHeads = 2, kFf = 12, kTokens = 5;

config::ModelConfig small_model() {
  config::ModelConfig model;
  model.depth = kDepth;
  model.width = kWidth;
  model.heads = kHeads;
  model.ff = kFf;
  return model;
}

// Blocks of one replica with random parameters.
struct Fixture {
  torch::nn::Module owner;
  config::ModelConfig model;
  Blocks blocks;
  Parameters parameters;
  Tensor x;

  Fixture(const equation::Block& block, config::ModelConfig settings)
      : model(settings),
        blocks(owner, {1, model}, equation::compile(block, config::sizes_of(model))),
        parameters((owner.to(at::kDouble), owner)) {
    at::manual_seed(1);
    parameters.values().normal_(0, 0.3);
    x = at::randn({1, 3, kTokens, kWidth}, at::kDouble);
  }

  std::map<std::string, Tensor> named() const {
    std::map<std::string, Tensor> result;
    for (const Parameters::Slot& slot : parameters.slots()) result[slot.name] = slot.value[0];
    return result;
  }
};

// The same mathematics, as directly as it can be written. No replica axis: x is [B, T, D].
class Reference {
 public:
  Reference(std::map<std::string, Tensor> parameters, const config::ModelConfig& model)
      : p_(std::move(parameters)), model_(model) {}

  Tensor norm(const std::string& name, const Tensor& x) const {
    const Tensor centred = x - x.mean(-1, true);
    const Tensor variance = (centred * centred).mean(-1, true);
    return centred / (variance + model_.norm_eps).sqrt() * p_.at(name + ".weight") +
           p_.at(name + ".bias");
  }

  Tensor linear(const std::string& name, const Tensor& x) const {
    return at::matmul(x, p_.at(name + ".weight").t()) + p_.at(name + ".bias");
  }

  Tensor attention(const std::string& name, const Tensor& x) const {
    const Tensor q = linear(name + ".q", x), k = linear(name + ".k", x), v = linear(name + ".v", x);
    const int K = kWidth / kHeads;
    std::vector<Tensor> heads;
    for (int h = 0; h < kHeads; ++h) {
      const auto columns = [&](const Tensor& t) { return t.slice(-1, h * K, (h + 1) * K); };
      Tensor scores = at::matmul(columns(q), columns(k).transpose(1, 2)) / std::sqrt(K);
      if (model_.kind == config::ModelKind::kDecoder) {
        for (int t = 0; t < kTokens; ++t) {
          for (int future = t + 1; future < kTokens; ++future) {
            scores.select(1, t).select(1, future).fill_(-1e30);
          }
        }
      }
      const Tensor weights = scores.exp() / scores.exp().sum(-1, true);
      heads.push_back(at::matmul(weights, columns(v)));
    }
    return linear(name + ".o", at::cat(heads, -1));
  }

  Tensor feed_forward(const std::string& name, const Tensor& x) const {
    const Tensor u = linear(name + ".up", x);
    Tensor activated;
    switch (model_.activation) {
      case config::Activation::kRelu:
        activated = u * (u > 0);
        break;
      case config::Activation::kGelu:
        activated = u * (1 + (u / std::sqrt(2.0)).erf()) / 2;
        break;
      case config::Activation::kGeluTanh:
        activated = u * (1 + (std::sqrt(2 / M_PI) * (u + 0.044715 * u.pow(3))).tanh()) / 2;
        break;
      case config::Activation::kSilu:
        activated = u / (1 + (-u).exp());
        break;
    }
    return linear(name + ".down", activated);
  }

  using Sublayer = std::function<Tensor(const std::string& name, const Tensor& x,
                                        const std::function<Tensor(const Tensor&)>& F)>;

  // Applies `sublayer` to attention and feed-forward of every block in turn.
  Tensor stack(Tensor x, const Sublayer& sublayer) const {
    for (int layer = 0; layer < kDepth; ++layer) {
      const std::string attn = "blocks." + std::to_string(layer) + ".attn";
      const std::string ff = "blocks." + std::to_string(layer) + ".ff";
      x = sublayer(attn, x, [&](const Tensor& input) { return attention(attn, input); });
      x = sublayer(ff, x, [&](const Tensor& input) { return feed_forward(ff, input); });
    }
    return x;
  }

 private:
  std::map<std::string, Tensor> p_;
  config::ModelConfig model_;
};

void expect_equal(Fixture& fixture,
                  const std::function<Tensor(const Reference&, Tensor)>& written) {
  const c10::AutoGradMode no_gradients(false);
  const Reference reference(fixture.named(), fixture.model);
  EXPECT_THAT(fixture.blocks.forward(fixture.x)[0],
              IsNear(written(reference, fixture.x[0]), 1e-11));
}

TEST(PostLn, IsTheNormOfTheSum) {
  Fixture fixture(equation::find_block("post_ln", {}), small_model());
  expect_equal(fixture, [](const Reference& r, const Tensor& input) {
    return r.stack(input, [&](const std::string& name, const Tensor& x, const auto& F) {
      return r.norm(name + ".norm", x + F(x));
    });
  });
}

TEST(PreLn, AddsTheBranchOfTheNormAndNormsTheEnd) {
  Fixture fixture(equation::find_block("pre_ln", {}), small_model());
  expect_equal(fixture, [](const Reference& r, const Tensor& input) {
    return r.norm("final_norm",
                  r.stack(input, [&](const std::string& name, const Tensor& x, const auto& F) {
                    return x + F(r.norm(name + ".norm", x));
                  }));
  });
}

TEST(ResidualOnly, AddsTheBranch) {
  Fixture fixture(equation::find_block("residual_only", {}), small_model());
  expect_equal(fixture, [](const Reference& r, const Tensor& input) {
    return r.stack(input,
                   [](const std::string&, const Tensor& x, const auto& F) { return x + F(x); });
  });
}

TEST(NoResidual, IsTheBranchAlone) {
  Fixture fixture(equation::find_block("no_residual", {}), small_model());
  expect_equal(fixture, [](const Reference& r, const Tensor& input) {
    return r.stack(input, [](const std::string&, const Tensor& x, const auto& F) { return F(x); });
  });
}

class Variant : public testing::TestWithParam<std::pair<config::ModelKind, config::Activation>> {};

TEST_P(Variant, AgreesInAttentionAndActivation) {
  config::ModelConfig model = small_model();
  std::tie(model.kind, model.activation) = GetParam();
  Fixture fixture(equation::find_block("post_ln", {}), model);
  expect_equal(fixture, [](const Reference& r, const Tensor& input) {
    return r.stack(input, [&](const std::string& name, const Tensor& x, const auto& F) {
      return r.norm(name + ".norm", x + F(x));
    });
  });
}

INSTANTIATE_TEST_SUITE_P(
    Blocks, Variant,
    testing::Values(std::pair(config::ModelKind::kDecoder, config::Activation::kRelu),
                    std::pair(config::ModelKind::kEncoder, config::Activation::kGelu),
                    std::pair(config::ModelKind::kEncoder, config::Activation::kGeluTanh)));

TEST(Blocks, ScaleByNumbersOfTheEquation) {
  equation::Block block;
  block.equation.text = "0.5*x - F(x)/4";
  Fixture fixture(block, small_model());
  expect_equal(fixture, [](const Reference& r, const Tensor& input) {
    return r.stack(input, [](const std::string&, const Tensor& x, const auto& F) {
      return 0.5 * x - F(x) / 4;
    });
  });
}

TEST(Blocks, NormByRootMeanSquareWhereTheEquationSaysSo) {
  equation::Block block;
  block.equation.text = "x + F(RMS(x, eps=1e-3))";
  Fixture fixture(block, small_model());
  const std::map<std::string, Tensor> p = fixture.named();
  EXPECT_FALSE(p.contains("blocks.0.attn.norm.bias"));
  expect_equal(fixture, [&](const Reference& r, const Tensor& input) {
    return r.stack(input, [&](const std::string& name, const Tensor& x, const auto& F) {
      return x + F(x / (x.square().mean(-1, true) + 1e-3).sqrt() * p.at(name + ".norm.weight"));
    });
  });
}

TEST(Blocks, RegisterLearnedTensorsUnderTheirNamesWithTheirFirstValues) {
  equation::Block block;
  block.equation.text = "alpha*x + w*F(x)";
  equation::ParameterEntry alpha, w;
  alpha.name = "alpha";
  alpha.scope = equation::Scope::kBlock;
  alpha.init.text = "l/L";
  w.name = "w";
  w.shape = {{"D", {}}};
  w.init.text = "i";
  block.parameters = {alpha, w};
  torch::nn::Module owner;
  const Blocks blocks(owner, {2, small_model()},
                      equation::compile(block, config::sizes_of(small_model())));
  const auto named = owner.named_parameters();
  EXPECT_THAT(named["blocks.1.alpha"].detach(), BitEqual(at::ones({2})));
  EXPECT_THAT(named["blocks.0.alpha"].detach(), BitEqual(at::full({2}, 0.5)));
  EXPECT_THAT(named["blocks.1.ff.w"].detach(),
              BitEqual(at::arange(kWidth, at::kFloat).expand({2, kWidth})));
}

TEST(Blocks, SendNoGradientThroughStopgrad) {
  equation::Block block;
  block.equation.text = "x + F(stopgrad(x))";
  Fixture fixture(block, small_model());
  fixture.x.requires_grad_();
  const Tensor gradient =
      torch::autograd::grad({fixture.blocks.forward(fixture.x).sum()}, {fixture.x})[0];
  EXPECT_THAT(gradient, BitEqual(at::ones_like(gradient))) << "of the shortcuts alone";
}

// A value without tokens of its own is the same for every token.
TEST(Blocks, GiveEveryTokenWhatDoesNotDependOnTokens) {
  equation::Block block;
  block.equation.text = "p + F(0.5*p)";
  equation::ParameterEntry p;
  p.name = "p";
  p.shape = {{"D", {}}};
  p.init.text = "i";
  block.parameters = {p};
  Fixture fixture(block, small_model());
  const Tensor y = fixture.blocks.forward(fixture.x);
  ASSERT_EQ(y.sizes(), fixture.x.sizes());
  EXPECT_THAT(y.select(2, 3).detach(), BitEqual(y.select(2, 0).detach()));
}

}  // namespace
}  // namespace layerlab::models
