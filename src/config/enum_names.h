// The names of the enumerators as users write them, in the enumerators' order.
#pragma once

#include <array>
#include <string_view>

#include "config/experiment.h"
#include "config/run_config.h"

namespace layerlab::config {

template <typename... Name>
constexpr std::array<std::string_view, sizeof...(Name)> list(Name... names) {
  return {names...};
}

constexpr auto enum_names(Activation) { return list("relu", "gelu", "gelu_tanh", "silu"); }
constexpr auto enum_names(NormKind) { return list("layer_norm", "rms_norm"); }
constexpr auto enum_names(Positions) { return list("learned", "sinusoidal", "rotary", "none"); }
constexpr auto enum_names(Init) {
  return list("xavier_uniform", "xavier_normal", "torch_default", "gpt2", "fairseq", "small");
}
constexpr auto enum_names(OptimizerKind) {
  return list("sgd", "momentum", "adam", "adamw", "radam", "lion", "gi_adam");
}
constexpr auto enum_names(WarmupShape) { return list("linear", "exponential"); }
constexpr auto enum_names(ScheduleKind) {
  return list("constant", "linear", "cosine", "inverse_sqrt", "noam", "wsd");
}
constexpr auto enum_names(Dtype) { return list("float32", "float64", "bfloat16"); }
constexpr auto enum_names(ProbeSchedule) { return list("off", "init", "log", "every"); }
constexpr auto enum_names(ProbePreset) { return list("cheap", "standard", "full"); }
constexpr auto enum_names(Analysis) {
  return list("amplification", "sharpness", "adam_sharpness", "jacobian_sv", "dependency");
}
constexpr auto enum_names(ClaimKind) {
  return list("mean", "ratio", "difference", "equivalence", "fraction", "slope", "exponent",
              "trend");
}
constexpr auto enum_names(DivergedRule) { return list("undecided", "chance", "failure"); }

}  // namespace layerlab::config
