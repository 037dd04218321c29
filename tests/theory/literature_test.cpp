// Against stacks that a small script of other authorship measured at initialisation: a causal
// decoder of width 64 with 4 heads and a feed-forward width of 256, 32 tokens of 64 symbols,
// Xavier, 3 seeds. RMS of the stream after the last block, and the mean cosine of its tokens.
#include <gtest/gtest.h>

#include <optional>
#include <ostream>
#include <vector>

#include "config/model_parts.h"
#include "theory/depth.h"
#include "theory/model.h"

namespace layerlab::theory {
namespace {

struct Measured {
  const char* block;
  int depth;
  double rms;
  std::optional<double> cosine = std::nullopt;
};

void PrintTo(const Measured& measured, std::ostream* stream) {
  *stream << measured.block << " " << measured.depth;
}

class Literature : public testing::TestWithParam<Measured> {};

TEST_P(Literature, IsPredicted) {
  const Measured& measured = GetParam();
  config::ModelConfig model;
  model.kind = config::ModelKind::kDecoder;
  model.block = measured.block;
  model.depth = measured.depth;
  model.width = 64;
  model.heads = 4;
  model.ff = 256;
  model.init = config::Init::kXavierNormal;
  const equation::Program program =
      equation::compile(equation::find_block(model.block, {}), config::sizes_of(model));
  const Prediction prediction =
      predict(model, equation::find_block(model.block, {}), {8, 32, 0, 32, 64, 64}).front();
  const SitePrediction& last = prediction.taps[block_outputs(program).back()];
  EXPECT_NEAR(last.rms.value(), measured.rms, 0.08 * measured.rms);
  if (measured.cosine) {
    EXPECT_NEAR(last.token_cosine.value(), *measured.cosine, 0.08);
  }
}

INSTANTIATE_TEST_SUITE_P(
    Theory, Literature,
    testing::Values(Measured{"pre_ln", 2, 1.76}, Measured{"pre_ln", 6, 2.41, 0.35},
                    Measured{"pre_ln", 12, 3.39, 0.58}, Measured{"pre_ln", 24, 4.69, 0.70},
                    Measured{"post_ln", 2, 1, 0.274}, Measured{"post_ln", 6, 1, 0.833},
                    Measured{"post_ln", 12, 1, 0.985}, Measured{"post_ln", 24, 1, 1},
                    Measured{"peri_ln", 2, 2.43}, Measured{"peri_ln", 6, 3.70},
                    Measured{"peri_ln", 12, 5.24}, Measured{"peri_ln", 24, 6.97},
                    Measured{"lns", 2, 1.67}, Measured{"lns", 6, 1.82}, Measured{"lns", 12, 1.97},
                    Measured{"lns", 24, 2.02}, Measured{"deepnorm", 12, 1, 0.01}));

// Encoder-decoders of width 64, feed-forward width 128, sinusoidal positions, tied embeddings and
// 32 tokens, by the same script: gradient of the decoder's last feed-forward matrix over that of
// its first. Predicted is the gradient that arrives there, without the correlation of what it is
// multiplied with.
TEST(LiteratureOfPairs, HasASteepProfileInPostLnsDecoderOnly) {
  const auto last_over_first = [](const char* block, int depth) {
    config::ModelConfig model;
    model.kind = config::ModelKind::kEncoderDecoder;
    model.block = block;
    model.depth = depth;
    model.width = 64;
    model.tied = true;
    model.positions = config::Positions::kSinusoidal;
    const equation::Block definition = equation::find_block(block, {});
    const Prediction decoder = predict(model, definition, {16, 32, 32, 32, 32, 32}).back();
    const config::ModelPart part = config::model_parts(model, definition).back();
    const equation::Program program = equation::compile(part.block, part.sizes);
    std::vector<double> gradients;
    for (std::size_t i = 0; i < program.taps.size(); ++i) {
      for (const equation::Site& site : program.taps[i].sites) {
        if (site.sublayer != "ff" || site.role != "branch") continue;
        gradients.push_back(decoder.taps[i].grad_norm.value());
      }
    }
    return gradients.back() / gradients.front();
  };
  EXPECT_NEAR(last_over_first("post_ln", 3), 2.0, 0.7);
  EXPECT_NEAR(last_over_first("post_ln", 6), 7.3, 2.5);
  EXPECT_NEAR(last_over_first("post_ln", 12), 57, 20);
  for (const int depth : {3, 6, 12}) {
    EXPECT_NEAR(last_over_first("deepnorm", depth), 1, 0.05);
    EXPECT_NEAR(last_over_first("pre_ln", depth), 0.75, 0.35);  // 0.89, 0.74, 0.70
  }
}

}  // namespace
}  // namespace layerlab::theory
