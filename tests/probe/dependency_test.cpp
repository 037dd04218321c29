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

TEST(BranchDependency, OfAReplicaDoesNotDependOnItsCompany) {
  for (const at::ScalarType dtype : {at::kFloat, at::kDouble}) {
    Lab lab(deep_run("post_ln"), dtype);
    const Passed passed(lab);
    const auto company = [&](const std::vector<std::int64_t>& replicas) {
      std::vector<at::Tensor> values;
      for (const at::Tensor& value : passed.values) {
        values.push_back(value.detach().index_select(0, at::tensor(replicas)));
      }
      return branch_dependency(lab.model->taps(), values);
    };
    const at::Tensor alone = company({1});
    for (const std::vector<std::int64_t>& replicas :
         {std::vector<std::int64_t>{0, 1}, {1, 1, 0, 1}}) {
      const at::Tensor together = company(replicas);
      for (std::size_t r = 0; r < replicas.size(); ++r) {
        if (replicas[r] == 1) {
          EXPECT_THAT(together[r], BitEqual(alone[0])) << replicas.size();
        }
      }
    }
  }
}

TEST(BranchDependency, LeavesPaddingOut) {
  Lab lab(deep_run("pre_ln"));
  const Passed passed(lab);
  std::vector<at::Tensor> cut, padded;
  for (const at::Tensor& value : passed.values) {
    cut.push_back(value.detach().narrow(2, 0, 9));
    padded.push_back(value.detach().clone());
    padded.back().narrow(2, 9, 7).normal_(0, 100);
  }
  const at::Tensor lengths = at::full({2, lab.run.train.batch}, 9, at::kLong);
  EXPECT_THAT(branch_dependency(lab.model->taps(), padded, lengths),
              IsNear(branch_dependency(lab.model->taps(), cut), 1e-9));
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
