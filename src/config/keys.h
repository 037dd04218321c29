// The one list of configuration keys. Reading, canonical printing, the known names in messages
// and docs/configuration.md all visit it: visit(key, field, meaning[, range or names]). Those of
// [task] are in tasks/task_config.h.
#pragma once

#include <initializer_list>
#include <string>
#include <vector>

#include "config/run_config.h"
#include "core/table_reader.h"
#include "equation/block_toml.h"
#include "tasks/task_config.h"

namespace layerlab::config {

// [model], and what it may replace of the block.
struct ModelKeys {
  ModelConfig& model;
  equation::Source& finish;
};

template <typename Visit>
void describe(Visit&& visit, ModelKeys& keys) {
  ModelConfig& model = keys.model;
  visit("kind", model.kind,
        "encoder: bidirectional attention; decoder: causal; encoder_decoder: both, joined by "
        "cross-attention");
  visit("block", model.block, "a block of the catalogue, or the name of the file's own [block]");
  visit("depth", model.depth, "blocks (L)", from_to(1, 1024));
  visit("decoder_depth", model.decoder_depth,
        "blocks of the decoder of a pair; 0: as many as depth", from_to(0, 1024));
  visit("width", model.width, "numbers per token (D)", from_to(1, 65536));
  visit("heads", model.heads, "attention heads (H); divides width", from_to(1, 65536));
  visit("ff", model.ff, "width inside the feed-forward branch", from_to(1, 1048576));
  visit("activation", model.activation, "activation of the feed-forward branch");
  visit("gated", model.gated, "feed-forward: the activation multiplies, as in SwiGLU");
  visit("norm", model.norm, "what N means in an equation");
  visit("norm_eps", model.norm_eps, "added to the variance in norms", from_below(0, 1));
  visit("attention_bias", model.attention_bias, "biases of q, k, v and o");
  visit("ff_bias", model.ff_bias, "biases of the feed-forward branch");
  visit("norm_bias", model.norm_bias, "biases of LN and DyT");
  visit("positions", model.positions, "how the model is told the positions of tokens");
  visit("embedding_norm", model.embedding_norm, "N after the embedding");
  visit("tied", model.tied, "the head's weights are the token embedding's");
  visit("init", model.init, "initial weights");
  visit("dropout", model.dropout, "share of embeddings' and branches' values that training zeroes",
        from_below(0, 1));
  visit("init_from", model.init_from,
        "a safetensors file to begin with instead, or cell:ID for the last weights of a run");
  visit("init_content", model.init_content, "the hash of that file; filled in when it is read");
  visit("finish", keys.finish, "replaces the block's; \"\": nothing follows the last block");
}

template <typename Visit>
void describe(Visit&& visit, TrainConfig& train) {
  visit("optimizer", train.optimizer, "how gradients become updates");
  visit("lr", train.lr, "learning rate after the warmup; noam: a factor of order 1", above(0));
  visit("momentum", train.momentum, "decay of the velocity; momentum only", from_below(0, 1));
  visit("betas", train.betas, "decay of the running means; lion, radam and the Adams",
        from_below(0, 1));
  visit("eps", train.eps, "added to the root of the second moment; radam and the Adams",
        at_least(0));
  visit("weight_decay", train.weight_decay,
        "decay of all parameters; decoupled in adamw and lion, else added to the gradient",
        at_least(0));
  visit("clip", train.clip, "largest gradient norm of a run; 0: no clipping", at_least(0));
  visit("warmup", train.warmup, "steps over which the learning rate rises to lr", from_to(0, 1e9));
  visit("warmup_shape", train.warmup_shape, "how the learning rate rises");
  visit("schedule", train.schedule, "the learning rate after the warmup");
  visit("final_lr", train.final_lr, "the rate at the end, over lr; linear, cosine and wsd",
        from_to(0, 1));
  visit("decay", train.decay, "last steps, over which the rate falls; wsd only", from_to(0, 1e9));
  visit("label_smoothing", train.label_smoothing,
        "share of the target that is spread over all classes", from_below(0, 1));
  visit("z_loss", train.z_loss, "coefficient of log^2 Z in what is minimised", at_least(0));
  visit("steps", train.steps, "optimizer steps", from_to(1, 1e9));
  visit("batch", train.batch, "sequences a step (B)", from_to(1, 1048576));
  visit("accumulate", train.accumulate,
        "parts of a batch, computed one after the other to save memory; divides batch",
        from_to(1, 1048576));
  visit("dtype", train.dtype, "bfloat16: in products only, parameters stay float32");
  visit("checkpoint_every", train.checkpoint_every, "steps between checkpoints", from_to(1, 1e9));
  visit("eval_every", train.eval_every,
        "steps between evaluations on held-out examples; 0: only after the last step",
        from_to(0, 1e9));
  visit("eval_batches", train.eval_batches, "batches of an evaluation", from_to(1, 1e6));
  visit("target_accuracy", train.target_accuracy,
        "the run ends when an evaluation reaches this; 0: never", from_to(0, 1));
}

template <typename Visit>
void describe(Visit&& visit, ProbeConfig& probe) {
  visit("schedule", probe.schedule,
        "steps to measure at; log: 0, 1, 2, 4, 8, … and the last; init: 0");
  visit("every", probe.every, "steps between measured ones; implies schedule = \"every\"",
        from_to(0, 1e9));
  visit("preset", probe.preset, "how much to measure: see below");
  visit("quantities", probe.quantities,
        "quantities to measure instead of the preset's, with * and ? for any characters");
  visit("sites", probe.sites, "places to measure at: LAYER/SUBLAYER/SITE, with * and ?");
  visit("analyses", probe.analyses,
        "costly analyses of the whole model, at the same steps: see below");
}

// Calls section(name, struct) for each table of a run, in the order they are printed.
template <typename Section>
void describe_sections(Section&& section, RunConfig& run) {
  section("task", run.task);
  ModelKeys model{run.model, run.block.finish};
  section("model", model);
  section("train", run.train);
  section("probe", run.probe);
  section("block", run.block);
}

// Where the first of these keys stands that the user wrote; the document where none is.
Place place_of(const TomlNode& root, std::initializer_list<const char*> keys);

inline Range seed_range() { return at_least(0); }

// Every key that a run may set, dotted: "seed", "task.name", …, "block.equation". Below
// block.const, .gain, .init and .param any name may follow.
std::vector<std::string> run_keys();

// Throws UserError for a key of `document` that is neither a run's nor in `others`.
void check_top_level(const TomlNode& document, const std::vector<std::string>& others = {});

// Throws UserError at `place` unless a run may set `key`, suggesting what is meant.
void check_run_key(const std::string& key, const Place& place);

}  // namespace layerlab::config
