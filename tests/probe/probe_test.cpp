#include "probe/probe.h"

#include <ATen/ATen.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <map>
#include <set>
#include <string>

#include "tests/probe/lab.h"
#include "tests/support/tensors.h"
#include "train/loss.h"

namespace layerlab::probe {
namespace {

std::string key(const record::SiteRow& row) {
  return std::to_string(row.layer) + "/" + row.sublayer + "/" + row.site;
}

class Probes : public testing::TestWithParam<std::string> {};

TEST_P(Probes, AgreeWithAutogradByHand) {
  Lab lab(GetParam());
  // By hand: values kept, gradients retained, for the same weights and batch.
  std::map<int, at::Tensor> values, entropies, logits_of;
  const at::Tensor logits = lab.model(
      models::StackInput{lab.batch(0).inputs, {}},
      models::Observers(
          [&](int tap, const at::Tensor& value) {
            value.retain_grad();
            values[tap] = value;
            return value;
          },
          [&](int tap, const at::Tensor& seen, const at::Tensor& weights) {
            entropies[tap] = at::special_entr(weights.detach()).sum(-1).flatten(1).mean(1);
            logits_of[tap] = seen.detach().flatten(1).amax(1);
          }));
  const at::Tensor targets = lab.batch(0).targets;
  train::score(logits, targets, train::scored_count(targets)).minimised.sum().backward();
  std::map<std::string, at::Tensor> by_hand;
  std::map<std::string, int> taps;
  for (const auto& [tap, value] : values) {
    for (const equation::Site& site : lab.model->taps()[tap].sites) {
      by_hand[key({0, site.layer, site.sublayer, site.role, {}})] = value;
      taps[key({0, site.layer, site.sublayer, site.role, {}})] = tap;
    }
  }

  Probe probe = lab.probe();
  lab.step(0, &probe);
  const std::vector<StepMeasurements> readings = probe.read(0);
  ASSERT_EQ(readings.size(), 2u);
  for (int r = 0; r < 2; ++r) {
    EXPECT_EQ(readings[r].sites.size(), by_hand.size());
    for (const record::SiteRow& row : readings[r].sites) {
      const at::Tensor x = by_hand.at(key(row))[r].detach(), g = by_hand.at(key(row)).grad()[r];
      const auto reading = [&](const char* name) {
        return row.values[record::site_quantity(name)];
      };
      EXPECT_NEAR(reading("rms"), x.square().mean().sqrt().item<double>(), 1e-12) << key(row);
      EXPECT_NEAR(reading("token_norm"), x.norm(2, -1).mean().item<double>(), 1e-12) << key(row);
      EXPECT_NEAR(reading("grad_norm"), g.norm().item<double>(), 1e-12) << key(row);
      EXPECT_EQ(reading("max_abs"), x.abs().max().item<double>()) << key(row);
      EXPECT_NEAR(reading("mean"), x.mean().item<double>(), 1e-12) << key(row);
      EXPECT_NEAR(reading("var"), x.var(/*unbiased=*/false).item<double>(), 1e-12) << key(row);
      if (row.site != "branch") continue;
      const at::Tensor in = by_hand.at(key({0, row.layer, row.sublayer, "in", {}}))[r].detach();
      EXPECT_NEAR(reading("branch_ratio"),
                  (x.norm(2, -1).mean() / in.norm(2, -1).mean()).item<double>(), 1e-12)
          << key(row);
      if (row.sublayer != "attn") continue;
      const int tap = taps.at(key(row));
      EXPECT_NEAR(reading("entropy"), entropies.at(tap)[r].item<double>(), 1e-12) << key(row);
      EXPECT_EQ(reading("max_logit"), logits_of.at(tap)[r].item<double>()) << key(row);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Catalogue, Probes, testing::Values("post_ln", "pre_ln", "no_residual"),
                         [](const auto& instance) { return instance.param; });

TEST(Probe, MeasuresTheCosineOfStreamsOnly) {
  Lab lab("pre_ln");
  Probe probe = lab.probe();
  lab.step(0, &probe);
  const std::vector<StepMeasurements> readings = probe.read(0);
  for (const record::SiteRow& row : readings[0].sites) {
    const bool stream = row.site == "in" || row.site == "sum" || row.site == "out";
    if (row.site == "branch") {
      EXPECT_TRUE(std::isnan(row.values[record::site_quantity("token_cosine")]));
    } else if (stream) {
      EXPECT_FALSE(std::isnan(row.values[record::site_quantity("token_cosine")]));
    }
  }
}

TEST(Probe, MeasuresInFloat32WhatIsComputedInBfloat16) {
  Lab whole("post_ln", at::kFloat), half("post_ln", at::kFloat);
  half.run.train.dtype = config::Dtype::kBfloat16;
  const auto branches = [](Lab& lab, const char* quantity) {
    Probe probe = lab.probe();
    lab.step(0, &probe);
    std::vector<double> result;
    const std::vector<StepMeasurements> readings = probe.read(0);
    for (const record::SiteRow& row : readings[0].sites) {
      if (row.site == "branch") result.push_back(row.values[record::site_quantity(quantity)]);
    }
    return result;
  };
  for (const char* quantity : {"rms", "grad_norm"}) {
    const std::vector<double> exact = branches(whole, quantity), near = branches(half, quantity);
    bool more_digits = false;
    for (std::size_t i = 0; i < near.size(); ++i) {
      EXPECT_NEAR(near[i] / exact[i], 1, 0.05) << quantity;
      more_digits |= static_cast<double>(c10::BFloat16(static_cast<float>(near[i]))) != near[i];
    }
    EXPECT_TRUE(more_digits) << quantity << " is rounded to three digits";
  }
}

TEST(Probe, MeasuresParametersAroundTheUpdate) {
  Lab lab("post_ln");
  Probe probe = lab.probe();
  const at::Tensor before = lab.parameters.values().clone();
  lab.step(0, &probe);
  const at::Tensor update = lab.parameters.values() - before;
  const double total = lab.parameters.gradients()[1].norm().item<double>();
  EXPECT_NEAR(total, 0.5, 1e-12) << "clipped, or this test shows nothing";
  double clipped = 0;
  const std::vector<StepMeasurements> readings = probe.read(0);
  for (std::size_t i = 0; i < lab.parameters.slots().size(); ++i) {
    const models::Parameters::Slot& slot = lab.parameters.slots()[i];
    const record::ParamRow& row = readings[1].params[i];
    const auto reading = [&](const char* name) { return row.values[record::param_quantity(name)]; };
    const auto norm = [&](const at::Tensor& flat) {
      return slot.part(flat)[1].norm().item<double>();
    };
    EXPECT_NEAR(reading("weight_norm"), norm(before), 1e-12) << row.name;
    EXPECT_NEAR(reading("update_norm"), norm(update), 1e-12) << row.name;
    EXPECT_NEAR(reading("grad_norm_clipped"), norm(lab.parameters.gradients()), 1e-12) << row.name;
    EXPECT_GE(reading("grad_norm"), reading("grad_norm_clipped")) << row.name;
    const auto& moments = lab.optimizer->states();
    EXPECT_NEAR(reading("moment1_norm"), norm(moments[0].values), 1e-12) << row.name;
    EXPECT_NEAR(reading("moment2_norm"), norm(moments[1].values), 1e-12) << row.name;
    const double ratio = norm(update) / norm(before);  // infinite for biases, which begin at 0
    EXPECT_TRUE(reading("update_ratio") == ratio ||
                std::abs(reading("update_ratio") - ratio) < 1e-12)
        << row.name;
    clipped += std::pow(reading("grad_norm_clipped"), 2);
  }
  EXPECT_NEAR(std::sqrt(clipped), total, 1e-12) << "the slots are the whole gradient";
}

TEST(Probe, MeasuresParametersInPartsAndChangesNothing) {
  config::RunConfig wide = small_run("post_ln");
  wide.model.width = 96;
  wide.model.ff = 384;
  Lab with(wide, at::kFloat), without(wide, at::kFloat);
  ASSERT_GT(with.parameters.groups(1 << 16).size(), 2u) << "or this test shows nothing";
  const at::Tensor before = with.parameters.values().clone();
  Probe probe = with.probe();
  with.step(0, &probe);
  without.step(0, nullptr);
  EXPECT_THAT(with.parameters.values(), BitEqual(without.parameters.values()));
  const std::vector<StepMeasurements> readings = probe.read(0);
  const at::Tensor update = with.parameters.values() - before;
  for (std::size_t i = 0; i < with.parameters.slots().size(); ++i) {
    const record::ParamRow& row = readings[1].params[i];
    const auto expect = [&](const char* name, const at::Tensor& flat) {
      const auto norm = with.parameters.slots()[i].part(flat)[1].to(at::kDouble).norm();
      const double expected = norm.item<double>();
      EXPECT_NEAR(row.values[record::param_quantity(name)], expected, 1e-6 * expected) << row.name;
    };
    expect("weight_norm", before);
    expect("update_norm", update);
    expect("moment2_norm", with.optimizer->states()[1].values);
  }
}

TEST(Probe, NamesParametersByLayer) {
  Lab lab("post_ln");
  Probe probe = lab.probe();
  lab.step(0, &probe);
  std::map<std::string, int> layers;
  const std::vector<StepMeasurements> readings = probe.read(0);
  for (const record::ParamRow& row : readings[0].params) {
    layers[row.name] = std::max(layers[row.name], row.layer);
  }
  EXPECT_EQ(layers.at("attn.q.weight"), 1);
  EXPECT_EQ(layers.at("ff.norm.bias"), 1);
  EXPECT_TRUE(layers.contains("embedding.token"));
}

// The quantities that have a number in some row.
template <typename Rows, std::size_t n>
std::set<std::string> measured(const Rows& rows, const std::array<std::string_view, n>& names) {
  std::set<std::string> result;
  for (const auto& row : rows) {
    for (std::size_t i = 0; i < n; ++i) {
      if (!std::isnan(row.values[i])) result.emplace(names[i]);
    }
  }
  return result;
}

TEST(Probe, MeasuresWhatIsSelectedOnly) {
  Lab lab("pre_ln");
  const auto readings = [&](const config::ProbeConfig& selection) {
    Probe probe = lab.probe(selection);
    lab.step(0, &probe);
    return probe.read(0)[0];
  };
  const StepMeasurements ratio =
      readings({.quantities = {"branch_ratio"}, .sites = {"1/*/branch"}});
  ASSERT_EQ(ratio.sites.size(), 2u) << "attn and ff";
  EXPECT_EQ(key(ratio.sites[0]), "1/attn/branch");
  EXPECT_EQ(measured(ratio.sites, record::kSiteQuantities), std::set<std::string>{"branch_ratio"});
  EXPECT_TRUE(ratio.params.empty());

  const StepMeasurements ratios =
      readings({.quantities = {"param.update_ratio", "param.*clipped"}});
  EXPECT_TRUE(ratios.sites.empty());
  EXPECT_EQ(measured(ratios.params, record::kParamQuantities),
            (std::set<std::string>{"update_ratio", "grad_norm_clipped"}));

  const StepMeasurements cheap = readings({.preset = config::ProbePreset::kCheap});
  EXPECT_EQ(measured(cheap.sites, record::kSiteQuantities),
            (std::set<std::string>{"rms", "grad_norm"}));
  EXPECT_EQ(measured(cheap.params, record::kParamQuantities),
            (std::set<std::string>{"weight_norm", "grad_norm"}));
}

TEST(Probe, HasNoRowsWhereNoPlaceHasWhatIsSelected) {
  config::RunConfig run = small_run("pre_ln");
  run.block.equation = {"x + M(x)", {}};
  Lab lab(run);
  Probe probe = lab.probe({.quantities = {"entropy"}});
  lab.step(0, &probe);
  EXPECT_TRUE(probe.read(0)[0].sites.empty());
}

TEST(Probe, ReadsTheSameOfAReplicaWhateverElseIsMeasured) {
  Lab one("post_ln", at::kFloat), other("post_ln", at::kFloat);
  Probe full = one.probe(), some = other.probe({.quantities = {"token_norm"}, .sites = {"1/*"}});
  one.step(0, &full);
  other.step(0, &some);
  std::map<std::string, double> norms;
  const StepMeasurements all = full.read(0)[1], few = some.read(0)[1];
  for (const record::SiteRow& row : all.sites) norms[key(row)] = row.values[1];
  ASSERT_FALSE(few.sites.empty());
  for (const record::SiteRow& row : few.sites) EXPECT_EQ(row.values[1], norms.at(key(row)));
}

TEST(Probe, ChangesNothing) {
  for (const config::ProbeConfig& selection :
       {config::ProbeConfig{.preset = config::ProbePreset::kFull},
        config::ProbeConfig{.preset = config::ProbePreset::kStandard},
        config::ProbeConfig{.quantities = {"entropy", "update_norm"}, .sites = {"0/*"}}}) {
    Lab with("pre_ln", at::kFloat), without("pre_ln", at::kFloat);
    Probe probe = with.probe(selection);
    for (int step = 0; step < 50; ++step) {
      with.step(step, step % 3 == 0 ? &probe : nullptr);
      without.step(step, nullptr);
    }
    EXPECT_THAT(with.parameters.values(), BitEqual(without.parameters.values()));
  }
}

}  // namespace
}  // namespace layerlab::probe
