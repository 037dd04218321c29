#include "report/run_cost.h"

#include <algorithm>

#include "config/model_parts.h"
#include "config/optimizers.h"
#include "config/probe_schedule.h"
#include "equation/parameter_count.h"
#include "tasks/catalogue.h"

namespace layerlab::report {
namespace {

// docs/record.md: bytes of a row of places and parameters, and of a step's scalars.
constexpr double kRow = 75, kScalars = 150;
// Numbers that a block keeps for backward, per token, in multiples of D + ff: inputs of products,
// normed values, branches, sums.
constexpr double kActivations = 6;

}  // namespace

RunCost cost_of(const config::RunConfig& run) {
  const config::ModelConfig& model = run.model;
  const tasks::TaskShape shape = tasks::make_task({run.task, model.kind, {}})->shape();
  const double D = model.width;
  RunCost result;
  double rows = 0, activations = 0;  // of one sequence
  for (const config::ModelPart& part : config::model_parts(model, run.block)) {
    const equation::Program program = equation::compile(part.block, part.sizes);
    const std::int64_t in_blocks =
        equation::parameter_count(program, part.sizes,
                                  {model.gated, model.attention_bias, model.ff_bias,
                                   model.norm_bias, model.norm == config::NormKind::kRmsNorm});
    const double tokens = part.side() == "encoder" ? shape.source_tokens : shape.tokens;
    const bool learned = model.positions == config::Positions::kLearned;
    result.in_blocks += in_blocks;
    result.parameters += in_blocks + model.width * std::max(shape.vocabulary, shape.features) +
                         (learned ? model.width * static_cast<std::int64_t>(tokens) : 0);
    for (const equation::Tap& tap : program.taps) rows += static_cast<double>(tap.sites.size());
    rows += 7.0 * static_cast<double>(program.branches.size());  // their matrices, biases and norms
    activations += tokens * part.model.depth * kActivations * (D + model.ff);
  }
  if (!model.tied) result.parameters += (model.width + 1) * std::int64_t{shape.outputs};

  const double bytes = run.train.dtype == config::Dtype::kFloat64 ? 8 : 4;
  const double parameters = static_cast<double>(result.parameters);
  const double sequences = run.train.batch, steps = run.train.steps;
  const auto states = static_cast<double>(config::optimizer(run.train.optimizer).state_count());
  result.operations = 6 * parameters * sequences * (shape.tokens + shape.source_tokens) * steps;
  result.memory =
      bytes * (parameters * (2 + states) + activations * sequences / run.train.accumulate);
  const auto measured = static_cast<double>(config::measured_steps(run.probe, run.train.steps));
  result.record = kRow * rows * measured + kScalars * steps;
  const double most = steps > run.train.checkpoint_every ? 2 : 1;
  const double kept = config::keeps_checkpoints(run.train) ? most : 0;
  result.checkpoints = kept * bytes * parameters * (1 + states);
  return result;
}

}  // namespace layerlab::report
