// The optimisers whose update is a formula of each element by itself, and the choice among all.

#include <ATen/ATen.h>

#include <cmath>
#include <utility>

#include "config/schedule.h"
#include "train/adam.h"
#include "train/optimizer.h"

namespace layerlab::train {
namespace {

using Numbers = std::vector<double>;
using Tensors = std::vector<at::Tensor>;
using config::OptimizerKind;
using config::RunConfig;

// Some columns of [R, P] each. A formula puts new tensors in the places of weights and states and
// leaves the old ones as they are. On the CPU a replica's bits do not depend on its company as long
// as formulas are made of operations that are rounded exactly: + - * /, sqrt, sign, where.
struct Columns {
  at::Tensor w;
  Tensors states;  // in the order of its row in config/optimizers.h
  const at::Tensor g;
};

struct Formula {
  // The numbers that are the same for all elements of a run.
  Numbers (*coefficients)(const RunConfig& run, std::int64_t step);
  // The update. c[i]: [R, 1], the i-th coefficient of each replica.
  void (*update)(Columns& t, const Tensors& c);
};

// w <- w - lr g, with g the gradient plus weight_decay w (Robbins & Monro 1951).
constexpr Formula kSgd = {
    [](const RunConfig& run, std::int64_t step) {
      return Numbers{config::learning_rate(run, step), run.train.weight_decay};
    },
    [](Columns& t, const Tensors& c) {
      const at::Tensor &lr = c[0], &decay = c[1];
      t.w = t.w - lr * (t.g + decay * t.w);
    }};

// v <- momentum v + g,  w <- w - lr v  (Polyak 1964; in the form of Sutskever et al. 2013, ICML,
// with the learning rate outside the velocity, as torch.optim.SGD has it).
constexpr Formula kMomentum = {
    [](const RunConfig& run, std::int64_t step) {
      return Numbers{config::learning_rate(run, step), run.train.weight_decay, run.train.momentum};
    },
    [](Columns& t, const Tensors& c) {
      const at::Tensor &lr = c[0], &decay = c[1], &momentum = c[2];
      at::Tensor& v = t.states[0];
      v = momentum * v + (t.g + decay * t.w);
      t.w = t.w - lr * v;
    }};

// With betas (b1, b2), average m and gradient g:
//   w <- w - lr (sign(b1 m + (1 - b1) g) + weight_decay w),  m <- b2 m + (1 - b2) g
// Chen et al. 2023, arXiv 2302.06675, algorithm 2. Learning rates should be 3 to 10 times smaller
// than AdamW's and weight decay as many times larger (section 5).
constexpr Formula kLion = {
    [](const RunConfig& run, std::int64_t step) {
      const auto [b1, b2] = run.train.betas;
      return Numbers{
          config::learning_rate(run, step), run.train.weight_decay, b1, 1 - b1, b2, 1 - b2};
    },
    [](Columns& t, const Tensors& c) {
      const at::Tensor &lr = c[0], &decay = c[1], &b1 = c[2], &rest1 = c[3], &b2 = c[4],
                       &rest2 = c[5];
      at::Tensor& m = t.states[0];
      const at::Tensor direction = (b1 * m + rest1 * t.g).sign();
      t.w = t.w - lr * (direction + decay * t.w);
      m = b2 * m + rest2 * t.g;
    }};

// With g the gradient plus weight_decay w, the moments m and v of Adam, t = step + 1,
// p_inf = 2 / (1 - b2) - 1 and p = p_inf - 2 t b2^t / (1 - b2^t):
//   p > 5:  w <- w - lr r m / (1 - b1^t) sqrt(1 - b2^t) / (sqrt(v) + eps)
//           r = sqrt((p - 4) (p - 2) p_inf / ((p_inf - 4) (p_inf - 2) p))
//   else:   w <- w - lr m / (1 - b1^t)
// Liu et al. 2020, arXiv 1908.03265, algorithm 2; the threshold 5 (4 there) and the place of eps
// are those of torch.optim.RAdam.
constexpr Formula kRadam = {
    [](const RunConfig& run, std::int64_t step) {
      const config::TrainConfig& train = run.train;
      const auto [b1, b2] = train.betas;
      const double t = static_cast<double>(step + 1);
      const double bias1 = 1 - std::pow(b1, t), bias2 = 1 - std::pow(b2, t);
      const double p_inf = 2 / (1 - b2) - 1, p = p_inf - 2 * t * (1 - bias2) / bias2;
      double rate = config::learning_rate(run, step) / bias1;
      const bool adaptive = p > 5;
      if (adaptive) {
        rate *= std::sqrt(bias2 * (p - 4) * (p - 2) * p_inf / ((p_inf - 4) * (p_inf - 2) * p));
      }
      return Numbers{rate,     adaptive ? 1.0 : 0.0, train.weight_decay, b1, 1 - b1, b2, 1 - b2,
                     train.eps};
    },
    [](Columns& t, const Tensors& c) {
      const at::Tensor &rate = c[0], &adaptive = c[1], &decay = c[2], &b1 = c[3], &rest1 = c[4],
                       &b2 = c[5], &rest2 = c[6], &eps = c[7];
      at::Tensor &m = t.states[0], &v = t.states[1];
      const at::Tensor g = t.g + decay * t.w;
      m = b1 * m + rest1 * g;
      v = b2 * v + rest2 * g * g;
      t.w = t.w - rate * m / at::where(adaptive > 0, v.sqrt() + eps, 1.0);
    }};

class FormulaOptimizer : public Optimizer {
 public:
  FormulaOptimizer(models::Parameters& parameters, std::vector<RunConfig> runs,
                   const Formula& formula)
      : Optimizer(parameters, std::move(runs)), formula_(formula) {}

 private:
  void prepare(std::int64_t step) override {
    Numbers numbers;
    for (const RunConfig& run : runs_) {
      for (const double number : formula_.coefficients(run, step)) numbers.push_back(number);
    }
    const at::Tensor& weights = parameters_.values();
    const at::Tensor table = at::tensor(numbers, at::kDouble)
                                 .view({weights.size(0), -1})
                                 .to(weights.options(), /*non_blocking=*/true);
    coefficients_ = table.split(1, 1);
  }

  void update_columns(const models::Parameters::Group& columns) override {
    const at::Tensor weights = columns.part(parameters_.values());
    Tensors before;
    for (const State& state : states()) before.push_back(columns.part(state.values));
    Columns t{weights, before, columns.part(parameters_.gradients())};
    formula_.update(t, coefficients_);
    const at::Tensor moves = alive().unsqueeze(1);
    const auto keep = [&](at::Tensor old, const at::Tensor& updated) {
      at::where_out(old, moves, updated, old);
    };
    keep(weights, t.w);
    for (std::size_t i = 0; i < before.size(); ++i) keep(before[i], t.states[i]);
  }

  const Formula formula_;
  Tensors coefficients_;  // of this step
};

}  // namespace

std::unique_ptr<Optimizer> make_optimizer(models::Parameters& parameters,
                                          std::vector<RunConfig> runs) {
  const auto by = [&](const Formula& formula) {
    return std::make_unique<FormulaOptimizer>(parameters, std::move(runs), formula);
  };
  switch (runs.front().train.optimizer) {
    case OptimizerKind::kSgd:
      return by(kSgd);
    case OptimizerKind::kMomentum:
      return by(kMomentum);
    case OptimizerKind::kRadam:
      return by(kRadam);
    case OptimizerKind::kLion:
      return by(kLion);
    case OptimizerKind::kAdam:
    case OptimizerKind::kAdamW:
    case OptimizerKind::kGiAdam:
      return std::make_unique<FusedAdam>(parameters, std::move(runs));
  }
  return nullptr;
}

}  // namespace layerlab::train
