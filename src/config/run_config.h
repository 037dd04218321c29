// One run, completely: what to train, on what, and what to measure. Plain structs whose defaults
// train something sensible in under a minute. The same list of keys (keys.h) reads them
// strictly, prints them canonically and names them in messages.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "core/toml.h"
#include "equation/program.h"
#include "tasks/task_config.h"

namespace layerlab::config {

using tasks::ModelKind;
enum class Activation { kRelu, kGelu, kGeluTanh, kSilu };  // gelu: by erf; tanh form: 0.044715
enum class NormKind { kLayerNorm, kRmsNorm };              // what `N` means in an equation
enum class Positions { kLearned, kSinusoidal, kRotary, kNone };
enum class Init { kXavierUniform, kXavierNormal, kTorchDefault, kGpt2, kFairseq, kSmall };
enum class OptimizerKind { kSgd, kMomentum, kAdam, kAdamW, kRadam, kLion, kGiAdam };
enum class WarmupShape { kLinear, kExponential };
enum class ScheduleKind { kConstant, kLinear, kCosine, kInverseSqrt, kNoam, kWsd };
enum class Dtype { kFloat32, kFloat64, kBfloat16 };
enum class ProbeSchedule { kOff, kInit, kLog, kEvery };
enum class ProbePreset { kCheap, kStandard, kFull };

struct ModelConfig {
  ModelKind kind = ModelKind::kEncoder;
  std::string block = "pre_ln";  // a name of the catalogue, or of the file's own [block]
  int depth = 6;                 // L, blocks; of a pair, of each side
  int decoder_depth = 0;         // blocks of a pair's decoder, where they are others; 0: depth
  int width = 32;                // D
  int heads = 4;                 // H, divides width
  int ff = 128;                  // feed-forward width
  Activation activation = Activation::kRelu;
  bool gated = false;  // feed-forward: W_down (act(W_gate x) * W_up x), as in SwiGLU
  NormKind norm = NormKind::kLayerNorm;
  double norm_eps = 1e-5;
  bool attention_bias = true, ff_bias = true, norm_bias = true;
  Positions positions = Positions::kLearned;
  bool embedding_norm = false;  // N after the embedding
  bool tied = false;            // the head's weights are the token embedding's
  Init init = Init::kXavierUniform;
  double dropout = 0;        // part of embeddings' and branches' values that training zeroes
  std::string init_from;     // safetensors whose weights replace those drawn, or "cell:ID" for a
                             // run's last; "": none
  std::string init_content;  // its hash, so that a run is what it began with
};

// What the names in an equation stand for in this model.
equation::Sizes sizes_of(const ModelConfig& model);

struct TrainConfig {
  OptimizerKind optimizer = OptimizerKind::kAdam;
  double lr = 3e-3;
  double momentum = 0.9;                      // of optimizer = "momentum"
  std::array<double, 2> betas = {0.9, 0.98};  // of lion and the kinds of Adam
  double eps = 1e-9;                          // of the kinds of Adam
  double weight_decay = 0;  // of all parameters; adamw, lion: decoupled, else added to the gradient
  double clip = 0;          // largest gradient norm of a replica; 0: no clipping
  int warmup = 0;           // steps; the first already moves
  WarmupShape warmup_shape = WarmupShape::kLinear;
  ScheduleKind schedule = ScheduleKind::kConstant;
  double final_lr = 0;         // after the last step, as a part of lr; linear, cosine and wsd
  int decay = 0;               // last steps, over which wsd decays
  double label_smoothing = 0;  // part of the target that all classes share
  double z_loss = 0;           // coefficient of log^2 Z in what is minimised
  int steps = 400;
  int batch = 32;                 // B, sequences a step
  int accumulate = 1;             // parts of a batch, one after the other; divides batch
  Dtype dtype = Dtype::kFloat32;  // bfloat16: of products only, parameters stay float32
  int checkpoint_every = 200;     // steps between checkpoints
  int eval_every = 0;             // steps between evaluations on held-out examples; 0: at the end
  int eval_batches = 4;           // of `batch` sequences each
  double target_accuracy = 0;     // a run ends when an evaluation reaches it; 0: never
};

// Looks at the whole model, which cost passes of their own. docs/record.md has their meanings.
enum class Analysis { kAmplification, kSharpness, kAdamSharpness, kJacobian, kDependency };

struct ProbeConfig {
  ProbeSchedule schedule = ProbeSchedule::kLog;  // log: steps 0, 1, 2, 4, 8, … and the last
  int every = 0;                                 // steps, with schedule = "every"
  ProbePreset preset = ProbePreset::kStandard;   // which quantities, where the next names none
  std::vector<std::string> quantities = {};      // globs, as config/probe_selection.h reads them
  std::vector<std::string> sites = {"*"};
  std::vector<Analysis> analyses = {};  // at the same steps
};

struct RunConfig {
  tasks::TaskConfig task;
  ModelConfig model;
  TrainConfig train;
  ProbeConfig probe;
  std::uint64_t seed = 1;
  equation::Block block;  // the definition behind model.block, so that a run needs no catalogue
};

// Whether the run saves its weights. One of a single step is there to measure initialisation:
// nobody goes on from it, and a study of deep stacks would fill the disk.
inline bool keeps_checkpoints(const TrainConfig& train) { return train.steps > 1; }

// The value of model.init_from that stands for the last weights of a run; an id is what cell_id()
// gives.
std::string weights_of_cell(const std::string& id);
// The id in such a value; "" where it is a file.
std::string origin_of(const std::string& init_from);

// Reads one run. `root` holds the tables [task] [model] [train] [probe] [block] and `seed`; all
// are optional. [block] defines the block that model.block names; without it, the catalogue does.
// model.finish replaces that block's.
// Throws UserError at the offending place for unknown keys (with the nearest known
// one), wrong types, values out of range, and combinations that cannot run.
RunConfig read_run_config(const TomlNode& root);

// What runs, but probably not as meant: a warmup longer than the run, L^1/4. One line each.
std::vector<std::string> warnings(const RunConfig& config);

// The run as a tree with every key written, in the order of the structs: what grids and claims
// select by. The block's `finish` is there twice, also as model.finish, which is where a run
// replaces it.
TomlNode to_tree(const RunConfig& config);

// The same as text, `finish` once and of [task] what the task uses: what config.toml in a cell
// holds. Reading it back gives the same text again.
std::string canonical_text(const RunConfig& config);

// A cell's name: a hash of all that differs from the defaults, without what only names the block.
// Equal runs have equal names, whatever file, grid or override they came from; a renamed block with
// the same equation is the same run, and keys that later versions add leave the names as they were.
std::string cell_id(const RunConfig& config);

// The same for all runs that can train as replicas of one model: everything except the seed, the
// learning rate and its schedule, and the optimiser's numbers: momentum, betas, eps, weight decay
// and clip.
std::string pack_key(const RunConfig& config);

}  // namespace layerlab::config
