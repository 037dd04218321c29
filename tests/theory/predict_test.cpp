// The recursion against closed forms.
#include "theory/predict.h"
#include "config/model_parts.h"

#include <gmock/gmock.h>

#include <cmath>

namespace layerlab::theory {
namespace {

using testing::HasSubstr;

constexpr int kTokens = 32;

// A block with uniform attention, and the model that goes with it: the setting of Xiong et al.
// 2020, whose matrices are all square and whose input is N(0, 1).
equation::Block uniform(equation::Block block) {
  for (const char* matrix : {"attn.q", "attn.k"}) block.gain.push_back({matrix, {"0", {}}, {}});
  return block;
}

equation::Block block(const std::string& name) { return equation::find_block(name, {}); }

equation::Block written(const std::string& equation) {
  equation::Block block;
  block.name = "written";
  block.equation = {equation, {}};
  return block;
}

class Stack {
 public:
  Stack(const equation::Block& block, int depth, SecondMoments embedding = {1, 0}) {
    model_.depth = depth;
    model_.width = 64;
    model_.heads = 1;
    model_.ff = 64;
    model_.norm_eps = 0;
    program_ = equation::compile(block, config::sizes_of(model_));
    Input input;
    input.tokens = kTokens;
    input.embedding = embedding;
    prediction_ = predict(program_, model_, input);
  }

  const SitePrediction& place(int layer, const std::string& sublayer,
                              const std::string& role) const {
    for (std::size_t i = 0; i < program_.taps.size(); ++i) {
      for (const equation::Site& site : program_.taps[i].sites) {
        if (site.layer == layer && site.sublayer == sublayer && site.role == role) {
          return prediction_.taps[i];
        }
      }
    }
    throw std::out_of_range(sublayer + " " + role);
  }
  double square(int layer, const std::string& sublayer, const std::string& role) const {
    return std::pow(place(layer, sublayer, role).rms.value(), 2);
  }
  double gradient(int layer, const std::string& sublayer, const std::string& role) const {
    return place(layer, sublayer, role).grad_norm.value();
  }

 private:
  config::ModelConfig model_;
  equation::Program program_;
  Prediction prediction_;
};

TEST(Theory, PostLnHasUnitStreamsAndSumsOfThreeHalves) {
  const Stack stack(uniform(block("post_ln")), 12);
  for (int layer = 0; layer < 12; ++layer) {
    EXPECT_NEAR(stack.square(layer, "ff", "out"), 1, 1e-9);
    EXPECT_NEAR(stack.square(layer, "ff", "sum"), 1.5, 1e-9);  // Xiong et al. 2020, lemma 2
  }
}

TEST(Theory, PreLnGrowsInsideXiongsBand) {
  const Stack stack(uniform(block("pre_ln")), 24);
  double before = 1;
  for (int layer = 0; layer < 24; ++layer) {
    const double l = layer + 1, after = stack.square(layer, "ff", "out");
    EXPECT_GT(after, 1 + l / 2);
    EXPECT_LT(after, 1 + 3 * l / 2);
    EXPECT_NEAR(after - stack.square(layer, "attn", "out"), 0.5, 1e-9);
    EXPECT_GT(after, before);
    before = after;
  }
  // Measured in that setting at 1, 6, 12, 24 layers: 1.53, 5.8, 13.0, 27.7.
  EXPECT_NEAR(stack.square(0, "ff", "out"), 1.53, 0.02);
  EXPECT_NEAR(stack.square(5, "ff", "out"), 5.8, 0.3);
  EXPECT_NEAR(stack.square(11, "ff", "out"), 13.0, 0.6);
  EXPECT_NEAR(stack.square(23, "ff", "out"), 27.7, 1.4);
}

TEST(Theory, SandwichGrowsByOneASublayer) {
  const Stack stack(block("sandwich"), 24);
  for (const int l : {1, 6, 24}) {
    EXPECT_NEAR(stack.square(l - 1, "ff", "out"), 1 + 2 * l, 1e-9);
  }
}

// Every layer multiplies the mean square by what it divides the gradient's by.
TEST(Theory, PreLnFeedForwardKeepsRmsTimesGradient) {
  equation::Block only = written("x + M(LN(x))");
  const Stack stack(only, 8);
  const double first = stack.gradient(0, "ff", "in");
  for (int layer = 0; layer < 8; ++layer) {
    EXPECT_NEAR(stack.square(layer, "ff", "out"), 1 + (layer + 1) / 2.0, 1e-9);
    EXPECT_NEAR(stack.gradient(layer, "ff", "out") * std::sqrt(1 + (layer + 1) / 2.0), first, 1e-9);
  }
}

TEST(Theory, PostLnFeedForwardPassesGradientsUnchanged) {
  const Stack stack(written("LN(x + M(x))"), 8);
  EXPECT_NEAR(stack.gradient(0, "ff", "in"), std::sqrt(kTokens * 64.0), 1e-9);
}

TEST(Theory, DeepNormIsFlatAtEveryDepth) {
  for (const int depth : {2, 24, 200}) {
    const Stack stack(block("deepnorm"), depth);
    const double last = stack.gradient(depth - 1, "ff", "out");
    EXPECT_NEAR(last / stack.gradient(0, "attn", "in"), 1, 0.02);
    EXPECT_LT(stack.place(depth - 1, "ff", "out").token_cosine.value(), 0.1);
  }
}

TEST(Theory, LnsGrowsLikeTheLogarithmOfDepth) {
  const Stack stack(uniform(block("lns")), 16);
  double sum = 1;
  for (int l = 1; l <= 16; ++l) {
    sum += stack.square(l - 1, "attn", "branch") + 0.5 / l;
    EXPECT_NEAR(stack.square(l - 1, "ff", "out"), sum, 1e-9);
  }
  EXPECT_LT(sum, 1 + 1.5 * (std::log(16) + 0.6 + 1));
}

TEST(Theory, ReZeroIsTheIdentityBothWays) {
  const Stack stack(block("rezero"), 50, {2, 0.5});
  EXPECT_DOUBLE_EQ(stack.square(49, "ff", "out"), 2);
  EXPECT_DOUBLE_EQ(stack.place(49, "ff", "out").token_cosine.value(), 0.25);
  EXPECT_DOUBLE_EQ(stack.gradient(0, "attn", "in"), stack.gradient(49, "ff", "out"));
  EXPECT_EQ(stack.gradient(0, "attn", "branch"), 0);
  EXPECT_GT(stack.square(0, "attn", "branch"), 0);
}

TEST(Theory, PostLnTokensCollapseAndDeepNormsDoNot) {
  const Stack post(block("post_ln"), 24), deep(block("deepnorm"), 24);
  EXPECT_GT(post.place(23, "ff", "out").token_cosine.value(), 0.99);
  EXPECT_LT(deep.place(23, "ff", "out").token_cosine.value(), 0.1);
}

TEST(Theory, AdminsOmegasSumTheVariancesOfTheBranches) {
  const Stack stack(uniform(block("admin")), 12);
  double sum = 1;  // omega^2 of the next sub-layer
  for (int layer = 0; layer < 12; ++layer) {
    for (const char* sublayer : {"attn", "ff"}) {
      const double branch = stack.square(layer, sublayer, "branch");
      EXPECT_NEAR(stack.square(layer, sublayer, "sum"), sum + branch, 1e-9);
      sum += branch;
    }
  }
}

// In front of a norm that only x + y passes, both streams are one value with two names.
TEST(Theory, StreamsThatShareAtomsAddUpInAmplitude) {
  equation::Block two = written("y = y + x; x = x + F(LN(x))");
  two.start = {"y = x", {}};
  two.finish = {"x + y", {}};
  const Stack stack(two, 1);
  // Both sub-layers add x to y: the input stands in y three times and once in x.
  const double attention = stack.square(0, "attn", "branch"), ff = 0.5;
  EXPECT_NEAR(stack.square(-1, "finish", "out"), 16 + 4 * attention + ff, 1e-9);
}

// E tanh(x/2)^2 and E (its slope)^2 for x ~ N(0, 1), by sums over a fine grid.
TEST(Theory, DyTBendsTheStreamAndItsGradient) {
  const Stack stack(written("x + M(DyT(x))"), 1);
  EXPECT_NEAR(stack.square(0, "ff", "norm"), 0.17351614343248117, 1e-6);
  const double in = stack.gradient(0, "ff", "in"), out = stack.gradient(0, "ff", "out"),
               norm = stack.gradient(0, "ff", "norm");
  EXPECT_NEAR(in * in, out * out + 0.1793449654008903 * norm * norm, 1e-3);
}

TEST(Theory, HyperConnectionsBeginAsPreLn) {
  const Stack pre(block("pre_ln"), 6);
  for (const char* name : {"hyper_connections_static", "hyper_connections_dynamic"}) {
    const Stack hyper(block(name), 6);
    EXPECT_NEAR(hyper.square(-1, "finish", "out"), 1, 1e-9);
    EXPECT_NEAR(hyper.square(5, "ff", "branch"), pre.square(5, "ff", "branch"), 1e-9) << name;
    EXPECT_NEAR(hyper.place(5, "ff", "branch").grad_norm.value() * 4 /
                    pre.place(5, "ff", "branch").grad_norm.value(),
                4 * hyper.square(5, "ff", "branch") / pre.square(5, "ff", "branch"), 1e-6)
        << name;
  }
}

TEST(Theory, EveryBlockOfTheCatalogueHasAPrediction) {
  for (const equation::Block& entry : equation::catalogue()) {
    const Stack stack(entry, 3);
    const SitePrediction& in = stack.place(0, "attn", "in");
    EXPECT_TRUE(in.grad_norm.has_value()) << entry.name << ": " << in.no_gradient;
    const SitePrediction& out = stack.place(-1, "finish", "out");
    EXPECT_TRUE(out.rms.has_value()) << entry.name << ": " << out.no_value;
  }
}

TEST(Theory, SaysWhyThereIsNoPredictionFromAGateOn) {
  const Stack gru(written("GRU(F(LN(x)), x)"), 2);
  EXPECT_FALSE(gru.place(0, "attn", "out").rms.has_value());
  EXPECT_THAT(gru.place(1, "ff", "out").no_value, HasSubstr("GRU"));
  EXPECT_TRUE(gru.place(0, "attn", "branch").rms.has_value());  // before it
  EXPECT_THAT(gru.place(0, "attn", "in").no_gradient, HasSubstr("GRU"));
  EXPECT_TRUE(gru.place(1, "ff", "out").grad_norm.has_value());  // behind it

  const Stack gate(written("x + sigmoid(x)*F(x)"), 1);
  EXPECT_THAT(gate.place(0, "attn", "out").no_value, HasSubstr("sigmoid"));
}

TEST(Theory, NoGradientPassesAStop) {
  const Stack stack(written("x + F(stopgrad(LN(x)))"), 3);
  EXPECT_DOUBLE_EQ(stack.gradient(0, "attn", "in"), stack.gradient(2, "ff", "out"));
  EXPECT_EQ(stack.gradient(0, "attn", "norm"), 0);
}

}  // namespace
}  // namespace layerlab::theory
