// One run, completely: what to train, on what, and what to measure. Plain structs whose defaults
// train something sensible in under a minute. keys.h says what each key means and may hold.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "core/name_list.h"
#include "equation/block.h"
#include "tasks/task_config.h"

namespace layerlab::config {

using tasks::ModelKind;

// Each enumeration is followed by its names in TOML, in the order of its values.

enum class Activation { kRelu, kGelu, kGeluTanh, kSilu };  // gelu: by erf; tanh form: 0.044715
constexpr auto enum_names(Activation) { return name_list("relu", "gelu", "gelu_tanh", "silu"); }
enum class NormKind { kLayerNorm, kRmsNorm };
constexpr auto enum_names(NormKind) { return name_list("layer_norm", "rms_norm"); }
enum class Positions { kLearned, kSinusoidal, kRotary, kNone };
constexpr auto enum_names(Positions) {
  return name_list("learned", "sinusoidal", "rotary", "none");
}
enum class Init { kXavierUniform, kXavierNormal, kTorchDefault, kGpt2, kFairseq, kSmall };
constexpr auto enum_names(Init) {
  return name_list("xavier_uniform", "xavier_normal", "torch_default", "gpt2", "fairseq", "small");
}
enum class OptimizerKind { kSgd, kMomentum, kAdam, kAdamW, kRadam, kLion, kGiAdam };
constexpr auto enum_names(OptimizerKind) {
  return name_list("sgd", "momentum", "adam", "adamw", "radam", "lion", "gi_adam");
}
enum class WarmupShape { kLinear, kExponential };
constexpr auto enum_names(WarmupShape) { return name_list("linear", "exponential"); }
enum class ScheduleKind { kConstant, kLinear, kCosine, kInverseSqrt, kNoam, kWsd };
constexpr auto enum_names(ScheduleKind) {
  return name_list("constant", "linear", "cosine", "inverse_sqrt", "noam", "wsd");
}
enum class Dtype { kFloat32, kFloat64, kBfloat16 };
constexpr auto enum_names(Dtype) { return name_list("float32", "float64", "bfloat16"); }
enum class ProbeSchedule { kOff, kInit, kLog, kEvery };
constexpr auto enum_names(ProbeSchedule) { return name_list("off", "init", "log", "every"); }
enum class ProbePreset { kCheap, kStandard, kFull };
constexpr auto enum_names(ProbePreset) { return name_list("cheap", "standard", "full"); }

// Analyses of the whole model, which cost passes of their own; docs/record.md has the formulas.
enum class Analysis { kAmplification, kSharpness, kAdamSharpness, kJacobian, kDependency };
constexpr auto enum_names(Analysis) {
  return name_list("amplification", "sharpness", "adam_sharpness", "jacobian_sv", "dependency");
}

struct ModelConfig {
  // The stack: L blocks of width D.
  ModelKind kind = ModelKind::kEncoder;
  std::string block = "pre_ln";
  int depth = 6, decoder_depth = 0;
  int width = 32, heads = 4, ff = 128;

  // Inside a block.
  Activation activation = Activation::kRelu;
  bool gated = false;
  NormKind norm = NormKind::kLayerNorm;
  double norm_eps = 1e-5;
  bool attention_bias = true, ff_bias = true, norm_bias = true;

  // Outside the blocks.
  Positions positions = Positions::kLearned;
  bool embedding_norm = false, tied = false;

  // Where weights begin.
  Init init = Init::kXavierUniform;
  double dropout = 0;
  std::string init_from, init_content;
};

struct TrainConfig {
  // The optimiser.
  OptimizerKind optimizer = OptimizerKind::kAdam;
  double lr = 3e-3, momentum = 0.9;
  std::array<double, 2> betas = {0.9, 0.98};
  double eps = 1e-9, weight_decay = 0, clip = 0;

  // The learning rate's way.
  int warmup = 0;
  WarmupShape warmup_shape = WarmupShape::kLinear;
  ScheduleKind schedule = ScheduleKind::kConstant;
  double final_lr = 0;
  int decay = 0;

  // The loss.
  double label_smoothing = 0, z_loss = 0;

  // Steps and batches of B sequences.
  int steps = 400, batch = 32, accumulate = 1;
  Dtype dtype = Dtype::kFloat32;

  // What happens between steps.
  int checkpoint_every = 200;
  int eval_every = 0, eval_batches = 4;
  double target_accuracy = 0;
};

struct ProbeConfig {
  ProbeSchedule schedule = ProbeSchedule::kLog;
  int every = 0;
  ProbePreset preset = ProbePreset::kStandard;
  std::vector<std::string> quantities = {}, sites = {"*"};  // globs: probe_selection.h
  std::vector<Analysis> analyses = {};
};

struct RunConfig {
  tasks::TaskConfig task;
  ModelConfig model;
  TrainConfig train;
  ProbeConfig probe;
  std::uint64_t seed = 1;
  equation::Block block;  // the definition behind model.block, so that a run needs no catalogue
};

// Whether the run saves its weights. A run of a single step only measures initialisation: nobody
// resumes it, and a study of deep stacks would fill the disk.
inline bool keeps_checkpoints(const TrainConfig& train) { return train.steps > 1; }

// The value of model.init_from that stands for the last weights of the run with this id.
inline std::string weights_of_cell(const std::string& id) { return "cell:" + id; }
// The id in such a value; "" for a file.
inline std::string origin_of(const std::string& init_from) {
  return init_from.starts_with("cell:") ? init_from.substr(5) : "";
}

}  // namespace layerlab::config
