#include "tests/models/features.h"

#include <algorithm>

namespace layerlab::models {
namespace {

using equation::Scope;

equation::Block block(const std::string& equation, const std::string& finish = "",
                      const std::string& start = "") {
  equation::Block result;
  result.equation.text = equation;
  result.finish.text = finish;
  result.start.text = start;
  return result;
}

equation::ParameterEntry learned(const std::string& name, const std::vector<std::string>& shape,
                                 const std::string& init, Scope scope = Scope::kSublayer) {
  equation::ParameterEntry entry;
  entry.name = name;
  for (const std::string& size : shape) entry.shape.push_back({size, {}});
  entry.init.text = init;
  entry.scope = scope;
  return entry;
}

config::ModelConfig small() {
  config::ModelConfig model;
  model.depth = 2;
  model.width = 8;
  model.heads = 2;
  model.ff = 12;
  model.activation = config::Activation::kGelu;  // smooth, for finite differences
  return model;
}

config::ModelConfig gated() {
  config::ModelConfig model = small();
  model.activation = config::Activation::kSilu;
  model.gated = true;
  model.attention_bias = model.ff_bias = false;
  model.kind = config::ModelKind::kDecoder;
  return model;
}

Feature hyper_connections() {
  Feature feature{"hyper_connections",
                  block("r = RMS_stream(h, eps=0, offset=1); a = A_0 + c*tanh(r @ W_a); "
                        "b = B_0 + c*tanh(r @ w_b); z = T(a)[0] @ h; "
                        "h = T(a)[1:] @ h + outer(b, F(LN(z)))",
                        "x = LN(sum(h))", "h = repeat(x, 3)"),
                  small()};
  feature.block.parameters = {learned("A_0", {"3", "4"}, "eq(i + 1, j)"),
                              learned("B_0", {"3"}, "1"), learned("c", {}, "0.01"),
                              learned("W_a", {"D", "4"}, "0"), learned("w_b", {"D"}, "0")};
  return feature;
}

Feature static_streams() {
  Feature feature{"static_streams",
                  block("h = M_0 @ h + outer(u, F(LN(v @ h)))", "h[0] + h[1]", "h = repeat(x, 2)"),
                  small()};
  feature.block.parameters = {learned("M_0", {"2", "2"}, "eq(i, j)"), learned("u", {"2"}, "1"),
                              learned("v", {"2"}, "0.5", Scope::kStack)};
  return feature;
}

Feature ngpt() {
  Feature feature{
      "ngpt",
      block("n = unit(x); x = unit(n + abs(alpha)*(unit(F(x, qk_norm=unit, qk_gain=s_qk, "
            "scale=sqrt(K), up_gain=s_u, gate_gain=sqrt(D)*s_g)) - n))"),
      gated()};
  feature.block.parameters = {learned("alpha", {"D"}, "0.05"), learned("s_qk", {"D"}, "1"),
                              learned("s_u", {"ff"}, "1"), learned("s_g", {"ff"}, "1")};
  return feature;
}

Feature gates() {
  Feature feature{"gates", block("x/(1 + sigmoid(g)*abs(x)) + tanh(beta)*F(N(x))", "L2(x)"),
                  small()};
  feature.block.parameters = {learned("g", {}, "0.3", Scope::kBlock),
                              learned("beta", {"D"}, "0.7")};
  return feature;
}

Feature admin() {
  Feature feature{"admin", block("LN(omega*x + F(x))"), small()};
  feature.block.parameters = {learned("omega", {"D"}, "1")};
  feature.block.parameters[0].profiled = true;
  return feature;
}

std::vector<Feature> make_features() {
  std::vector<Feature> all = {hyper_connections(), static_streams(), ngpt(), gates(), admin()};
  all.push_back({"gru", block("GRU(F(LN(x)), x)"), small()});
  all.push_back({"cross", block("LN(x + F(x))"), small(), true});
  all.push_back(
      {"cross_decoder", block("x + F(LN(x), qk_norm=head, v_norm=head)", "LN(x)"), small(), true});
  all.back().model.kind = config::ModelKind::kDecoder;
  all.push_back({"qk_vector_rotary", block("x + RMS(F(x, qk_norm=vector))", "RMS(x)"), gated()});
  all.back().model.positions = config::Positions::kRotary;
  all.push_back({"qk_heads", block("x + F(RMS(x), qk_norm=heads)"), small()});
  all.push_back(
      {"mid_norm_scaled_before", block("x + F(LN(x), mid_norm=LN, head_scale=before)"), small()});
  all.push_back({"scaled_after", block("x + LN_out(F(LN(x), head_scale=after))"), small()});
  all.back().model.norm_bias = false;
  all.push_back({"norms", block("x + DyT_out(F(ScaleNorm(x)))", "RMS(x, offset=1)"), small()});
  return all;
}

}  // namespace

const std::vector<Feature>& features() {
  static const std::vector<Feature> all = make_features();
  return all;
}

std::vector<Feature> presets() {
  std::vector<Feature> all;
  for (const equation::Block& entry : equation::catalogue()) {
    all.push_back({entry.name, entry, small()});
    all.back().model.gated = entry.name == "ngpt";  // its equation has a gain for the gate
  }
  return all;
}

const Feature& find_feature(const std::string& name) {
  return *std::find_if(features().begin(), features().end(),
                       [&](const Feature& feature) { return feature.name == name; });
}

}  // namespace layerlab::models
