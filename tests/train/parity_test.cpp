// Whole models, trained as PyTorch trained them: tests/golden/training/record.py.
#include <ATen/ATen.h>
#include <c10/core/GradMode.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <map>
#include <string>

#include "tests/support/golden.h"
#include "tests/support/tensors.h"
#include "train/step.h"

namespace layerlab::train {
namespace {

class Parity : public testing::TestWithParam<const char*> {};

config::RunConfig recorded_run(const Golden& golden) {
  const auto number = [&](const char* key) { return std::stod(golden.metadata(key)); };
  config::RunConfig run;
  const std::map<std::string, config::ModelKind> kinds = {
      {"encoder", config::ModelKind::kEncoder},
      {"decoder", config::ModelKind::kDecoder},
      {"encoder_decoder", config::ModelKind::kEncoderDecoder}};
  run.model.kind = kinds.at(golden.metadata("kind"));
  run.model.depth = static_cast<int>(number("blocks"));
  run.model.width = static_cast<int>(number("width"));
  run.model.heads = static_cast<int>(number("heads"));
  run.model.ff = static_cast<int>(number("ff"));
  run.block = equation::find_block(golden.metadata("block"), {});
  run.train.lr = number("lr");
  run.train.betas = {number("beta1"), number("beta2")};
  run.train.eps = number("eps");
  return run;
}

TEST_P(Parity, TwentyStepsOfAdamGiveTheLossesAndWeightsOfPyTorch) {
  const Golden golden(GetParam());
  const config::RunConfig run = recorded_run(golden);
  tasks::TaskShape shape;
  shape.tokens = shape.source_tokens = std::stoi(golden.metadata("tokens"));
  shape.vocabulary = shape.outputs = std::stoi(golden.metadata("vocabulary"));
  models::Stack model(models::StackOptions{1, run.model, shape, run.block});
  model->to(at::kDouble);
  models::Parameters parameters(*model);
  ASSERT_EQ(parameters.slots().size(),
            std::ranges::count_if(golden.tensors(), [](const auto& entry) {
              return entry.first.starts_with("final/");
            }));
  for (const models::Parameters::Slot& slot : parameters.slots()) {
    const c10::AutoGradMode no_gradients(false);
    slot.value.copy_(golden.tensor("initial/" + slot.name).unsqueeze(0));
  }

  const auto optimizer = make_optimizer(parameters, {run});
  const at::Tensor no_limit = at::full({1}, std::numeric_limits<double>::infinity(), at::kDouble);
  const at::Tensor losses = golden.tensor("losses");
  const at::Tensor inputs = golden.tensor("inputs"), targets = golden.tensor("targets");
  const bool pair = run.model.kind == config::ModelKind::kEncoderDecoder;
  const at::Tensor sources = pair ? golden.tensor("sources") : at::Tensor();
  ASSERT_EQ(losses.size(0), 20);
  for (std::int64_t step = 0; step < losses.size(0); ++step) {
    Batch batch{{}, inputs[step].unsqueeze(0), targets[step].unsqueeze(0), {1}};
    if (sources.defined()) batch.source = sources[step].unsqueeze(0);
    const StepResult result =
        train_step(model, parameters, *optimizer, run.train, batch, step, no_limit, nullptr);
    EXPECT_NEAR(result.loss.item<double>(), losses[step].item<double>(), 1e-9) << step;
  }
  for (const models::Parameters::Slot& slot : parameters.slots()) {
    const at::Tensor expected = golden.tensor("final/" + slot.name);
    const at::Tensor trained = slot.part(parameters.values())[0];
    EXPECT_LE((trained - expected).abs().max().item<double>(), 1e-9) << slot.name;
  }
}

INSTANTIATE_TEST_SUITE_P(Models, Parity,
                         testing::Values("training/post_ln_encoder", "training/post_ln_decoder",
                                         "training/pre_ln_encoder", "training/pre_ln_decoder",
                                         "training/post_ln_encoder_decoder",
                                         "training/pre_ln_encoder_decoder"),
                         [](const auto& instance) {
                           return std::string(instance.param).substr(sizeof("training/") - 1);
                         });

}  // namespace
}  // namespace layerlab::train
