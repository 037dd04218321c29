#include "config/combinations.h"

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "config/enum_names.h"
#include "config/model_parts.h"
#include "config/optimizers.h"
#include "config/probe_selection.h"
#include "core/table_reader.h"

namespace layerlab::config {
namespace {

// Refuses `key` where it is `set` although it means nothing with `of` = "choice".
void check_meaning(const TomlNode& root, bool meant, bool set, const char* key, const char* of,
                   const std::string& choice) {
  if (meant || !set) return;
  throw UserError(place_of(root, {key, of}),
                  std::string(key) + " has no meaning with " + of + " = \"" + choice + "\"",
                  "remove one of the two");
}

void check_optimizer(const TomlNode& root, const TrainConfig& train) {
  const TrainConfig defaults;
  const OptimizerRow& row = optimizer(train.optimizer);
  const auto check = [&](const char* key, bool set) {
    check_meaning(root, row.uses(key), set, key, "train.optimizer", std::string(row.name));
  };
  check("train.momentum", train.momentum != defaults.momentum);
  check("train.betas", train.betas != defaults.betas);
  check("train.eps", train.eps != defaults.eps);
}

void check_schedule(const TomlNode& root, const TrainConfig& train) {
  const auto is = [&](auto... kinds) { return ((train.schedule == kinds) || ...); };
  const bool wsd = is(ScheduleKind::kWsd);
  const auto check = [&](const char* key, bool meant, bool set) {
    check_meaning(root, meant, set, key, "train.schedule", name_of(train.schedule));
  };
  const bool ends = is(ScheduleKind::kLinear, ScheduleKind::kCosine, ScheduleKind::kWsd);
  check("train.final_lr", ends, train.final_lr != 0);
  check("train.decay", wsd, train.decay != 0);
  check("train.warmup_shape", !is(ScheduleKind::kNoam), train.warmup_shape != WarmupShape::kLinear);
  if (wsd && train.decay == 0) {
    throw UserError(place_of(root, {"train.schedule"}),
                    "train.schedule = \"wsd\" needs train.decay", "write for example decay = 100");
  }
  if (wsd && train.warmup + static_cast<std::int64_t>(train.decay) > train.steps) {
    throw UserError(place_of(root, {"train.decay"}),
                    "train.warmup = " + std::to_string(train.warmup) +
                        " and train.decay = " + std::to_string(train.decay) +
                        " are more than train.steps = " + std::to_string(train.steps),
                    "decay over fewer steps");
  }
}

// What a model or an optimiser cannot be asked for.
void check_analyses(const TomlNode& root, const RunConfig& config,
                    const std::vector<equation::Site>& sites) {
  const auto refuse = [&](Analysis analysis, const std::string& reason) {
    if (std::ranges::find(config.probe.analyses, analysis) == config.probe.analyses.end()) return;
    throw UserError(place_of(root, {"probe.analyses"}),
                    "probe.analyses: " + name_of(analysis) + " " + reason, "remove it");
  };
  if (!optimizer(config.train.optimizer).remembers("second_moment")) {
    refuse(Analysis::kAdamSharpness, "needs an optimizer with a second moment, not \"" +
                                         name_of(config.train.optimizer) + "\"");
  }
  if (config.model.kind == ModelKind::kEncoderDecoder) {
    refuse(Analysis::kJacobian, "is of one stack, and the model is a pair");
    refuse(Analysis::kDependency, "is of one stack, and the model is a pair");
  }
  const auto places = [&](const char* role) {
    return std::ranges::count_if(
        sites, [&](const equation::Site& site) { return site.layer >= 0 && site.role == role; });
  };
  if (places("branch") != places("out") || places("in") != places("out")) {
    refuse(Analysis::kDependency, "needs one stream that each branch adds to, which block " +
                                      config.block.name + " has not");
  }
}

}  // namespace

Place place_of(const TomlNode& root, std::initializer_list<const char*> keys) {
  for (const char* key : keys) {
    if (const TomlNode* node = find_path(root, key)) return node->place;
  }
  return root.place;
}

std::vector<equation::Site> check_model(const TomlNode& root, const RunConfig& config) {
  const ModelConfig& model = config.model;
  if (model.width % model.heads != 0) {
    throw UserError(place_of(root, {"model.heads", "model.width"}),
                    "model.heads = " + std::to_string(model.heads) +
                        " must divide model.width = " + std::to_string(model.width),
                    "write for example heads = 4, width = 32");
  }
  const int head = model.width / model.heads;
  if (model.positions == Positions::kRotary && head % 2 != 0) {
    throw UserError(place_of(root, {"model.positions", "model.heads", "model.width"}),
                    "model.positions = \"rotary\" turns pairs, and a head of model.width / "
                    "model.heads = " +
                        std::to_string(head) + " values is odd",
                    "write for example heads = 4, width = 32");
  }
  check_meaning(root, model.kind == ModelKind::kEncoderDecoder, model.decoder_depth > 0,
                "model.decoder_depth", "model.kind", name_of(model.kind));
  std::vector<equation::Site> sites;
  for (const ModelPart& part : model_parts(model, config.block)) {
    for (const equation::Tap& tap : equation::compile(part.block, part.sizes).taps) {
      sites.insert(sites.end(), tap.sites.begin(), tap.sites.end());
    }
  }
  return sites;
}

void check_train(const TomlNode& root, const TrainConfig& train) {
  if (train.batch % train.accumulate != 0) {
    throw UserError(place_of(root, {"train.accumulate", "train.batch"}),
                    "train.accumulate = " + std::to_string(train.accumulate) +
                        " must divide train.batch = " + std::to_string(train.batch),
                    "write for example accumulate = 4, batch = 32");
  }
  if (train.target_accuracy > 0 && train.eval_every == 0) {
    throw UserError(place_of(root, {"train.target_accuracy"}),
                    "train.target_accuracy needs train.eval_every",
                    "write for example eval_every = 50");
  }
  check_optimizer(root, train);
  check_schedule(root, train);
}

void check_probe(const TomlNode& root, const RunConfig& config,
                 const std::vector<equation::Site>& sites) {
  const ProbeConfig& probe = config.probe;
  const bool every = probe.schedule == ProbeSchedule::kEvery;
  if (every && probe.every == 0) {
    throw UserError(place_of(root, {"probe.schedule"}),
                    "probe.schedule = \"every\" needs probe.every", "write for example every = 10");
  }
  check_meaning(root, every, probe.every > 0, "probe.every", "probe.schedule",
                name_of(probe.schedule));
  check_selection(root, probe, sites);
  check_analyses(root, config, sites);
}

}  // namespace layerlab::config
