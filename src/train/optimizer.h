// Optimisers of all parameters at once, with settings of its own for every replica.
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <functional>
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

  // Calls `update` with groups of slots, in any order, each slot once.
  using Walk = std::function<void(const models::GroupFunction& update)>;

  // Update `step`, counted from 0, by parameters.gradients(). A replica whose `finite` is false is
  // frozen for good: its weights and state keep their bits, and its neighbours never notice.
  // finite: [R] bool, on the parameters' device. Nothing waits for the device. The bits do not
  // depend on `walk`, which sees the weights before and after; empty: all at once.
  void step(std::int64_t step, const at::Tensor& finite, const Walk& walk = {});

  const at::Tensor& alive() const { return alive_; }  // [R] bool: not frozen

  // What an optimiser remembers from step to step, for checkpoints.
  struct State {
    std::string name;   // "first_moment"
    at::Tensor values;  // [R, P]
  };
  const std::vector<State>& states() const { return states_; }

 protected:
  // Changes the weights and states of the replicas in alive(), in the columns that `walk` comes
  // to, each element by itself. Gradients are off.
  virtual void update(std::int64_t step, const Walk& walk) = 0;

  // A state of zeros.
  at::Tensor add_state(const std::string& name);

  models::Parameters& parameters_;
  const std::vector<config::RunConfig> runs_;

 private:
  std::vector<State> states_;
  at::Tensor alive_;
};

// The optimiser that the runs name, all the same.
std::unique_ptr<Optimizer> make_optimizer(models::Parameters& parameters,
                                          std::vector<config::RunConfig> runs);

}  // namespace layerlab::train
