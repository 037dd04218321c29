#include "train/trainer.h"

#include <ATen/ATen.h>
#include <c10/core/GradMode.h>

#include <cassert>
#include <limits>
#include <map>
#include <string>
#include <utility>

#include "core/hash.h"
#include "core/mapped_file.h"
#include "models/admin_profile.h"
#include "models/init.h"
#include "tasks/catalogue.h"
#include "train/checkpoint.h"

namespace layerlab::train {
namespace {

std::vector<std::uint64_t> seeds_of(const std::vector<config::RunConfig>& runs) {
  std::vector<std::uint64_t> seeds;
  for (const config::RunConfig& run : runs) seeds.push_back(run.seed);
  return seeds;
}

models::Stack make_model(const config::RunConfig& shape, const tasks::TaskShape& task,
                         const std::vector<std::uint64_t>& seeds, at::Device device) {
  models::Stack model(models::StackOptions{static_cast<std::int64_t>(seeds.size()), shape.model,
                                           task, shape.block});
  models::initialize(*model, shape.model.init, seeds);
  const bool wide = shape.train.dtype == config::Dtype::kFloat64;
  model->to(device, wide ? at::kDouble : at::kFloat);
  return model;
}

at::Tensor clip_limits(const std::vector<config::RunConfig>& runs,
                       const at::TensorOptions& options) {
  std::vector<double> limits;
  for (const config::RunConfig& run : runs) {
    const double clip = run.train.clip;
    limits.push_back(clip > 0 ? clip : std::numeric_limits<double>::infinity());
  }
  return at::tensor(limits, options);
}

}  // namespace

Trainer::Trainer(std::vector<config::RunConfig> runs, at::Device device)
    : runs_(std::move(runs)),
      seeds_(seeds_of(runs_)),
      device_(device),
      task_(tasks::make_task({shape().task, shape().model.kind, {}})),
      model_(make_model(shape(), task_->shape(), seeds_, device)),
      parameters_(*model_),
      optimizer_(make_optimizer(parameters_, runs_)),
      limits_(clip_limits(runs_, parameters_.values().options())) {}

void Trainer::begin() {
  if (shape().model.init_from.empty()) return profile();
  std::map<std::string, std::vector<std::int64_t>> replicas_of;  // most often all of one file
  for (std::size_t r = 0; r < runs_.size(); ++r) {
    replicas_of[runs_[r].model.init_from].push_back(static_cast<std::int64_t>(r));
  }
  for (const auto& [file, replicas] : replicas_of) {
    const config::ModelConfig& model = runs_[static_cast<std::size_t>(replicas.front())].model;
    checked_hash(file, MappedFile(file).bytes(), model.init_content, "model.init_content");
    load_weights(file, replicas, parameters_);
  }
}

void Trainer::profile() {
  models::Omegas omegas;
  for (const models::SubStack& side : model_->sub_stacks()) {
    omegas.merge(models::omegas_of(*side.blocks));
  }
  if (omegas.empty()) return;
  const Batch first = draw(0);
  models::profile_omegas(omegas, model_->taps(), [&](const models::TapFunction& tap) {
    model_(models::StackInput{first.inputs, first.source}, tap);
  });
}

void Trainer::load(std::size_t r, const std::filesystem::path& checkpoints, std::int64_t step) {
  load_checkpoint(checkpoints, step, static_cast<std::int64_t>(r), parameters_, *optimizer_);
}

void Trainer::copy(const Trainer& other, std::size_t r) {
  const c10::AutoGradMode no_gradients(false);
  const auto row = static_cast<std::int64_t>(r);
  parameters_.values()[0].copy_(other.parameters_.values()[row]);
  const auto &ours = optimizer_->states(), &theirs = other.optimizer_->states();
  assert(ours.size() == theirs.size());
  for (std::size_t i = 0; i < ours.size(); ++i) ours[i].values[0].copy_(theirs[i].values[row]);
}

Batch Trainer::draw(std::int64_t step) const {
  return draw_batch(*task_, tasks::Split::kTraining, seeds_, step, shape().train.batch, device_);
}

StepResult Trainer::step(std::int64_t step, const Batch& batch, probe::Probe* probe) {
  return train_step(model_, parameters_, *optimizer_, shape().train, batch, step, limits_, probe);
}

Evaluation Trainer::evaluate() { return train::evaluate(model_, shape().train, *task_, device_); }

}  // namespace layerlab::train
