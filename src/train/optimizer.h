// Optimisers of all parameters at once, with settings of its own for every replica.
//   const auto optimizer = make_optimizer(parameters, runs);
//   optimizer->begin(step, finite);
//   for (const auto& group : parameters.groups_in_cache()) optimizer->update(group);
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "config/run_config.h"
#include "models/parameters.h"

namespace layerlab::train {

// The learning rate of each replica is config::learning_rate of its run; train.weight_decay
// applies to all parameters, biases and gains of norms included.
class Optimizer {
 public:
  // One element of `runs` for each replica. `parameters` must outlive this.
  Optimizer(models::Parameters& parameters, std::vector<config::RunConfig> runs);
  virtual ~Optimizer() = default;
  Optimizer(const Optimizer&) = delete;
  Optimizer& operator=(const Optimizer&) = delete;

  // Begins update `step`, counted from 0. A replica whose `finite` is false is frozen for good: its
  // weights and state keep their bits, and its neighbours never notice. finite: [R] bool, on the
  // parameters' device. Nothing waits for the device.
  void begin(std::int64_t step, const at::Tensor& finite);

  // Updates a group of slots by parameters.gradients(): each slot once, in any order. The bits do
  // not depend on the groups.
  void update(const models::Parameters::Group& group);

  const at::Tensor& alive() const { return alive_; }  // [R] bool: not frozen

  // What an optimiser remembers from step to step, for checkpoints.
  struct State {
    std::string name;   // "first_moment"
    at::Tensor values;  // [R, P]
  };
  const std::vector<State>& states() const { return states_; }

 protected:
  // What all groups of a step have in common. Gradients are off, here and in update_columns().
  virtual void prepare(std::int64_t step) = 0;
  // Changes weights and states of the replicas in alive(), each element by itself.
  virtual void update_columns(const models::Parameters::Group& columns) = 0;

  models::Parameters& parameters_;
  const std::vector<config::RunConfig> runs_;

 private:
  std::vector<State> states_;  // those of its row in config/optimizers.h; zeros at first
  at::Tensor alive_;
};

// The optimiser that the runs name, all the same.
std::unique_ptr<Optimizer> make_optimizer(models::Parameters& parameters,
                                          std::vector<config::RunConfig> runs);

}  // namespace layerlab::train
