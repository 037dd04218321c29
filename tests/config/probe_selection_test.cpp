#include "config/probe_selection.h"
#include "config/identity.h"
#include "config/resolve.h"

#include <gtest/gtest.h>

#include "tests/support/user_error.h"

namespace layerlab::config {
namespace {

RunConfig read(const std::string& text) {
  return Resolver().read(parse_toml_text(text, "run.toml"));
}

std::string reading(const std::string& text) {
  return refusal([&] { read(text); });
}

std::vector<std::string> names(const ProbeConfig& probe) {
  const SelectedQuantities selected = selected_quantities(probe);
  std::vector<std::string> result;
  for (std::size_t i = 0; i < selected.site.size(); ++i) {
    if (selected.site[i]) result.push_back("site." + std::string(record::kSiteQuantities[i]));
  }
  for (std::size_t i = 0; i < selected.param.size(); ++i) {
    if (selected.param[i]) result.push_back("param." + std::string(record::kParamQuantities[i]));
  }
  return result;
}

using Names = std::vector<std::string>;

TEST(ProbeSelection, IsThePresetWhereNothingIsNamed) {
  EXPECT_EQ(names({.preset = ProbePreset::kCheap}),
            (Names{"site.rms", "site.grad_norm", "param.weight_norm", "param.grad_norm"}));
  EXPECT_EQ(names({.preset = ProbePreset::kStandard}).size(), 13u);
  EXPECT_EQ(names({.preset = ProbePreset::kFull}).size(),
            record::kSiteQuantities.size() + record::kParamQuantities.size());
}

TEST(ProbeSelection, TakesGlobsWithOrWithoutTheTable) {
  EXPECT_EQ(names({.quantities = {"m??n", "*entropy"}}), (Names{"site.mean", "site.entropy"}));
  EXPECT_EQ(names({.quantities = {"grad_norm"}}), (Names{"site.grad_norm", "param.grad_norm"}));
  EXPECT_EQ(names({.quantities = {"site.grad_norm"}}), (Names{"site.grad_norm"}));
}

TEST(ProbeSelection, NamesPlacesByLayerSublayerAndSite) {
  const ProbeConfig probe{.sites = {"*/ff/out", "-1/*"}};
  EXPECT_TRUE(is_selected(probe, {3, "ff", "out"}));
  EXPECT_TRUE(is_selected(probe, {3, "ff", "out", "encoder"}));
  EXPECT_TRUE(is_selected(probe, {-1, "finish", "norm"}));
  EXPECT_FALSE(is_selected(probe, {3, "attn", "out"}));
}

TEST(ProbeSelection, RefusesAQuantityThatDoesNotExist) {
  EXPECT_EQ(reading("[probe]\nquantities = ['rms', 'norm']\n"),
            "run.toml:2:22: probe.quantities: no quantity is called \"norm\"; there are, of sites: "
            "rms, token_norm, max_abs, mean, var, grad_norm, branch_ratio, token_cosine, entropy, "
            "max_logit; of parameters: weight_norm, grad_norm, grad_norm_clipped, update_norm, "
            "update_ratio, moment1_norm, moment2_norm");
}

TEST(ProbeSelection, RefusesAPlaceThatDoesNotExist) {
  const std::string message = reading("[probe]\nsites = '9/*'\n");
  EXPECT_TRUE(message.starts_with(
      "run.toml:2:9: probe.sites: no place is called \"9/*\"; there are, from LAYER 0 on: "))
      << message;
  EXPECT_NE(message.find("LAYER/attn/in, "), std::string::npos) << message;
  EXPECT_EQ(message.find("LAYER/attn/in, "), message.rfind("LAYER/attn/in, ")) << message;
  EXPECT_EQ(reading("[model]\ndepth = 10\n[probe]\nsites = '9/*'\n"), "");
}

TEST(ProbeSelection, KnowsThePlacesOfAPair) {
  const std::string pair = "[model]\nkind = 'encoder_decoder'\n";
  EXPECT_EQ(reading(pair + "[probe]\nsites = ['decoder/*/cross/out']\n"), "");
  EXPECT_NE(reading(pair + "[probe]\nsites = ['0/attn/out']\n"), "");
}

TEST(ProbeSelection, OneStringIsAListOfIt) {
  EXPECT_EQ(read("probe.sites = '0/*'").probe.sites, Names{"0/*"});
  EXPECT_EQ(cell_id(read("probe.sites = '0/*'")), cell_id(read("probe.sites = ['0/*']")));
}

}  // namespace
}  // namespace layerlab::config
