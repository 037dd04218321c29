// What is measured of a padded batch is what is measured of the sequences without padding.

#include <ATen/ATen.h>
#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include "probe/jacobian.h"
#include "probe/perturbation.h"
#include "tests/probe/lab.h"
#include "tests/support/tensors.h"

namespace layerlab::probe {
namespace {

constexpr std::int64_t kLength = 5, kPadding = 7;

// A model whose task has padding and room for longer sequences than are drawn.
struct PaddedLab {
  config::RunConfig run = small_run("pre_ln");
  models::Stack model{nullptr};
  std::optional<models::Parameters> parameters;
  train::Batch batch;

  explicit PaddedLab(tasks::ModelKind kind) {
    run.model.kind = kind;
    const bool pair = kind == tasks::ModelKind::kEncoderDecoder;
    const tasks::TaskShape shape{.tokens = 9,
                                 .source_tokens = pair ? 8 : 0,
                                 .vocabulary = 8,
                                 .outputs = 6,
                                 .padding = kPadding};
    model = models::Stack(models::StackOptions{1, run.model, shape, run.block});
    models::initialize(*model, run.model.init, {1});
    model->to(at::kDouble);
    parameters.emplace(*model);
    at::manual_seed(1);
    batch.inputs = at::randint(6, {1, 3, kLength}, at::kLong);
    batch.targets = at::randint(6, {1, 3, kLength}, at::kLong);
    if (pair) batch.source = at::randint(6, {1, 3, kLength - 1}, at::kLong);
    batch.seeds = {1};
  }

  train::Batch padded() const {
    const auto fill = [](const at::Tensor& ids, std::int64_t by, std::int64_t id) {
      return ids.defined() ? at::constant_pad_nd(ids, {0, by}, id) : ids;
    };
    return {fill(batch.source, 4, kPadding), fill(batch.inputs, 4, kPadding),
            fill(batch.targets, 4, tasks::kIgnored), batch.seeds};
  }

  // Every number of the step's sites, by place and quantity.
  std::map<std::string, double> measure(const train::Batch& of) {
    const at::Tensor before = parameters->values().clone();
    const auto optimizer = train::make_optimizer(*parameters, {run});
    Probe probe({.preset = config::ProbePreset::kFull}, model->taps(), *parameters);
    const at::Tensor no_limit = at::full({1}, 1e9, at::kDouble);
    train::train_step(model, *parameters, *optimizer, run.train, of, 0, no_limit, &probe);
    const c10::AutoGradMode no_gradients(false);
    parameters->values().copy_(before);
    std::map<std::string, double> numbers;
    for (const record::SiteRow& row : probe.read(0)[0].sites) {
      for (std::size_t i = 0; i < row.values.size(); ++i) {
        if (std::isnan(row.values[i])) continue;
        numbers[row.side + std::to_string(row.layer) + row.sublayer + row.site + " " +
                std::string(record::kSiteQuantities[i])] = row.values[i];
      }
    }
    return numbers;
  }
};

TEST(Padding, IsLeftOutOfEveryQuantityOfASite) {
  for (const auto kind : {tasks::ModelKind::kEncoder, tasks::ModelKind::kDecoder,
                          tasks::ModelKind::kEncoderDecoder}) {
    PaddedLab lab(kind);
    const auto expected = lab.measure(lab.batch), padded = lab.measure(lab.padded());
    ASSERT_GT(expected.size(), 100u);
    ASSERT_EQ(padded.size(), expected.size());
    for (const auto& [name, value] : expected) {
      EXPECT_NEAR(padded.at(name), value, 1e-12 * std::max(1.0, std::abs(value))) << name;
    }
  }
}

TEST(Padding, IsLeftOutOfAnalyses) {
  PaddedLab lab(tasks::ModelKind::kEncoder);
  const train::Batch padded = lab.padded();
  const at::Tensor lengths = lengths_of(padded.inputs, kPadding);
  const auto amplification_of = [&](const train::Batch& batch, const at::Tensor& of_sequences) {
    return amplification(
        *lab.parameters,
        [&] {
          return lab.model->stream({batch.inputs, {}});
        },
        0.05, {1}, of_sequences);
  };
  EXPECT_THAT(amplification_of(padded, lengths), IsNear(amplification_of(lab.batch, {}), 1e-12));

  const models::SubStack& side = lab.model->sub_stacks().front();
  models::Embedding embedding = side.embedding;
  const auto jacobian_of = [&](const train::Batch& batch, const at::Tensor& of_sequences) {
    const at::Tensor x = embedding(batch.inputs);
    const at::Tensor mask = real_positions(of_sequences, x);
    return mean_squared_singular_value(
        [&](const at::Tensor& input) { return side.blocks->forward(input, {}, {.mask = mask}); }, x,
        of_sequences);
  };
  EXPECT_THAT(jacobian_of(padded, lengths), IsNear(jacobian_of(lab.batch, {}), 1e-12));
}

}  // namespace
}  // namespace layerlab::probe
