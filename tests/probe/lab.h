// A small model and what one step of its training needs.
#pragma once

#include <ATen/ATen.h>

#include <memory>
#include <string>
#include <vector>

#include "models/init.h"
#include "probe/probe.h"
#include "tasks/catalogue.h"
#include "train/loss.h"
#include "train/step.h"

namespace layerlab::probe {

inline config::RunConfig small_run(const std::string& block) {
  config::RunConfig run;
  run.task.length = 5;
  run.model.depth = 2;
  run.model.width = 8;
  run.model.heads = 2;
  run.model.ff = 12;
  run.train.batch = 3;
  run.train.lr = 1e-2;
  run.block = equation::find_block(block, {});
  return run;
}

// Everything that a step needs, for two replicas in float64.
struct Lab {
  config::RunConfig run;
  std::vector<std::uint64_t> seeds = {1, 2};
  std::unique_ptr<tasks::Task> task;
  models::Stack model;
  models::Parameters parameters;
  std::unique_ptr<train::Optimizer> optimizer;
  at::Tensor limits;

  explicit Lab(const std::string& block, at::ScalarType dtype = at::kDouble)
      : Lab(small_run(block), dtype) {}

  explicit Lab(const config::RunConfig& settings, at::ScalarType dtype = at::kDouble)
      : run(settings),
        task(tasks::make_task({run.task, run.model.kind, {}})),
        model(make(dtype)),
        parameters(*model),
        optimizer(train::make_optimizer(parameters, {run, run})),
        limits(at::full({2}, 0.5, dtype)) {}

  models::Stack make(at::ScalarType dtype) const {
    models::Stack result(models::StackOptions{2, run.model, task->shape(), run.block});
    models::initialize(*result, run.model.init, seeds);
    result->to(dtype);
    return result;
  }

  train::Batch batch(std::int64_t step) const {
    return train::draw_batch(*task, tasks::Split::kTraining, seeds, step, run.train.batch,
                             at::kCPU);
  }

  Probe probe(const config::ProbeConfig& selection = {.preset = config::ProbePreset::kFull}) const {
    return Probe(selection, model->taps(), parameters);
  }

  // The loss of each replica, [R].
  at::Tensor loss() {
    const train::Batch first = batch(0);
    const at::Tensor logits = model(models::StackInput{first.inputs, {}});
    return train::score(logits, first.targets, train::scored_count(first.targets)).minimised;
  }

  void step(std::int64_t at, Probe* probe) {
    train::train_step(model, parameters, *optimizer, run.train, batch(at), at, limits, probe);
  }
};

}  // namespace layerlab::probe
