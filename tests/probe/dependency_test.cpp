#include "probe/dependency.h"

#include <gtest/gtest.h>

#include "tests/probe/lab.h"
#include "tests/support/tensors.h"

namespace layerlab::probe {
namespace {

config::RunConfig deep_run(const std::string& block) {
  config::RunConfig run = small_run(block);
  run.task.length = 16;
  run.model.depth = 6;
  run.model.width = 32;
  run.model.ff = 64;
  return run;
}

struct Passed {
  std::vector<at::Tensor> values;
  at::Tensor beta;

  explicit Passed(Lab& lab) : values(lab.model->taps().size()) {
    lab.model(
        models::StackInput{lab.batch(0).inputs, {}},
        models::TapFunction([&](int tap, const at::Tensor& value) { return values[tap] = value; }));
    beta = branch_dependency(lab.model->taps(), values).detach();
  }
};

double rms_of(const at::Tensor& x) { return x.square().mean().sqrt().item<double>(); }

// Nothing happens to a branch of Pre-LN once it is in the stream.
TEST(BranchDependency, OfPreLnIsTheBranchsPartOfTheStream) {
  Lab lab(deep_run("pre_ln"));
  const Passed passed(lab);
  std::vector<at::Tensor> branches, streams, inputs;
  for (std::size_t i = 0; i < passed.values.size(); ++i) {
    for (const equation::Site& site : lab.model->taps()[i].sites) {
      if (site.layer < 0) continue;
      if (site.role == "branch") branches.push_back(passed.values[i][1]);
      if (site.role == "out") streams.push_back(passed.values[i][1]);
      if (site.role == "in") inputs.push_back(passed.values[i][1]);
    }
  }
  ASSERT_EQ(passed.beta.sizes(), (std::vector<std::int64_t>{2, 12, 13}));
  for (int i = 0; i < 12; ++i) {
    const at::Tensor row = passed.beta[1][i];
    EXPECT_NEAR(row[0].item<double>(), rms_of(inputs[0]) / rms_of(streams[i]), 1e-9);
    for (int j = 1; j <= 12; ++j) {
      const double expected = j <= i + 1 ? rms_of(branches[j - 1]) / rms_of(streams[i]) : 0;
      EXPECT_NEAR(row[j].item<double>(), expected, 1e-9) << i << " " << j;
    }
  }
}

// Liu et al. 2020, figure 7: on the diagonal 0.5 to 0.6 and more in Post-LN at any depth, while
// Pre-LN's falls.
TEST(BranchDependency, StaysInPostLnAndFallsInPreLn) {
  Lab post(deep_run("post_ln")), pre(deep_run("pre_ln"));
  const at::Tensor of_post = Passed(post).beta, of_pre = Passed(pre).beta;
  const auto newest = [](const at::Tensor& beta, int i) {
    return (beta[0][i][i + 1] + beta[0][i - 1][i]).item<double>() / 2;  // of a block's sub-layers
  };
  EXPECT_GT(newest(of_post, 11), 0.45);
  EXPECT_GT(newest(of_post, 11), 1.5 * newest(of_pre, 11));
}

}  // namespace
}  // namespace layerlab::probe
