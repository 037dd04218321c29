#include "train/analyses.h"

#include <ATen/ATen.h>
#include <c10/core/GradMode.h>

#include <algorithm>
#include <cassert>
#include <string>

#include "config/run_config.h"
#include "core/table_reader.h"
#include "probe/dependency.h"
#include "probe/jacobian.h"
#include "probe/lengths.h"
#include "probe/perturbation.h"
#include "probe/sharpness.h"
#include "train/autocast.h"
#include "train/forward.h"

namespace layerlab::train {
namespace {

constexpr double kPerturbation = 0.05;  // of a parameter's standard deviation

using config::Analysis;

class Analyser {
 public:
  Analyser(Trainer& trainer, std::int64_t step, const Batch& batch)
      : trainer_(trainer),
        train_(trainer.shape().train),
        step_(step),
        batch_(batch),
        autocast_(batch.inputs.device(), train_.dtype == config::Dtype::kBfloat16),
        input_(model_input(train_, batch)),
        lengths_(probe::lengths_of(batch.inputs, trainer.task().shape().padding)) {}

  // One number for each replica, [R].
  at::Tensor number(Analysis analysis) {
    switch (analysis) {
      case Analysis::kAmplification:
        return probe::amplification(
            trainer_.parameters(), [this] { return trainer_.model()->stream(input_); },
            kPerturbation, batch_.seeds, lengths_);
      case Analysis::kSharpness:
        return sharpness({});
      case Analysis::kAdamSharpness:
        return step_ == 0 ? at::Tensor() : sharpness({.preconditioner = preconditioner()});
      case Analysis::kJacobian:
        return jacobian();
      case Analysis::kDependency:
        return {};
    }
    return {};
  }

  // beta [R, S, S + 1]
  at::Tensor dependency() {
    const c10::AutoGradMode no_gradients(false);
    const std::vector<equation::Tap>& taps = trainer_.model()->taps();
    std::vector<at::Tensor> values(taps.size());
    trainer_.model()->stream(input_, models::TapFunction([&](int tap, const at::Tensor& value) {
                               return values[tap] = value;
                             }));
    return probe::branch_dependency(taps, values, lengths_);
  }

 private:
  at::Tensor sharpness(const probe::SharpnessOptions& options) {
    const at::Tensor count = scored_count(batch_.targets);
    const auto loss = [&] { return forward(trainer_.model(), train_, batch_, count).minimised; };
    return probe::sharpness(trainer_.parameters(), loss, batch_.seeds, options);
  }

  at::Tensor preconditioner() const {
    const auto& states = trainer_.optimizer().states();
    const auto second = std::ranges::find(states, "second_moment", &Optimizer::State::name);
    assert(second != states.end());
    return probe::adam_preconditioner(second->values, train_.betas[1], train_.eps, step_);
  }

  at::Tensor jacobian() {
    const models::SubStack& side = trainer_.model()->sub_stacks().back();
    models::Embedding embedding = side.embedding;
    const at::Tensor x = embedding(input_.tokens);
    const at::Tensor mask = side.causal ? at::Tensor() : probe::real_positions(lengths_, x);
    return probe::mean_squared_singular_value(
        [&](const at::Tensor& input) { return side.blocks->forward(input, {}, {.mask = mask}); }, x,
        lengths_);
  }

  Trainer& trainer_;
  const config::TrainConfig& train_;
  const std::int64_t step_;
  const Batch& batch_;
  const Autocast autocast_;
  const models::StackInput input_;
  const at::Tensor lengths_;  // [R, B], of input_.tokens; undefined without padding
};

// The sub-layers with a branch, from the bottom.
std::vector<equation::Site> branches_of(const std::vector<equation::Tap>& taps) {
  std::vector<equation::Site> branches;
  for (const equation::Tap& tap : taps) {
    std::ranges::copy_if(tap.sites, std::back_inserter(branches), [](const equation::Site& site) {
      return site.layer >= 0 && site.role == "branch";
    });
  }
  return branches;
}

std::vector<record::DependencyRow> rows_of(const at::Tensor& beta, std::int64_t step,
                                           const std::vector<equation::Site>& branches) {
  const auto numbers = beta.accessor<double, 2>();
  std::vector<record::DependencyRow> rows;
  for (std::size_t i = 0; i < branches.size(); ++i) {
    for (std::size_t j = 0; j <= i + 1; ++j) {
      const equation::Site on = j == 0 ? equation::Site() : branches[j - 1];
      rows.push_back({step, branches[i].layer, branches[i].sublayer, on.layer, on.sublayer,
                      numbers[static_cast<std::int64_t>(i)][static_cast<std::int64_t>(j)]});
    }
  }
  return rows;
}

}  // namespace

std::vector<Analyses> analyse(Trainer& trainer, std::int64_t step, const Batch& batch) {
  std::vector<Analyses> result(trainer.runs().size());
  Analyser analyser(trainer, step, batch);
  for (const Analysis analysis : trainer.shape().probe.analyses) {
    if (analysis == Analysis::kDependency) {
      const at::Tensor beta = analyser.dependency();
      const std::vector<equation::Site> branches = branches_of(trainer.model()->taps());
      for (std::size_t r = 0; r < result.size(); ++r) {
        result[r].dependencies = rows_of(beta[static_cast<std::int64_t>(r)], step, branches);
      }
      continue;
    }
    const at::Tensor numbers = analyser.number(analysis);
    if (!numbers.defined()) continue;
    const at::Tensor host = numbers.detach().to(at::kCPU, at::kDouble).contiguous();
    for (std::size_t r = 0; r < result.size(); ++r) {
      result[r].scalars.push_back({step, name_of(analysis), host.const_data_ptr<double>()[r]});
    }
  }
  return result;
}

}  // namespace layerlab::train
