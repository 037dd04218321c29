#include "config/validate.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <initializer_list>

#include "config/keys.h"
#include "config/model_parts.h"
#include "config/optimizers.h"
#include "config/probe_selection.h"
#include "config/run_config_toml.h"
#include "core/table_reader.h"
#include "equation/block_toml.h"
#include "tasks/catalogue.h"

namespace layerlab::config {
namespace {

using Sites = std::vector<equation::Site>;

// A key that has a meaning with some choices only, and whether it is set.
struct ConditionalKey {
  const char* key;
  bool meant, set;
};

// Refuses keys that are set although they mean nothing with `of` = "choice".
void check_meaning(const TomlNode& root, const char* of, const std::string& choice,
                   std::initializer_list<ConditionalKey> keys) {
  for (const ConditionalKey& key : keys) {
    if (key.meant || !key.set) continue;
    throw UserError(place_of(root, {key.key, of}),
                    fmt::format("{} has no meaning with {} = \"{}\"", key.key, of, choice),
                    "remove one of the two");
  }
}

// Throws UserError unless `part` divides `whole`; they are called by their keys.
void check_divides(const TomlNode& root, const char* part_key, int part, const char* whole_key,
                   int whole, const char* example) {
  if (whole % part == 0) return;
  throw UserError(place_of(root, {part_key, whole_key}),
                  fmt::format("{} = {} must divide {} = {}", part_key, part, whole_key, whole),
                  std::string("write for example ") + example);
}

void check_task(const TomlNode& root, const RunConfig& config) {
  const tasks::CatalogueEntry task = tasks::find_task(config.task.name);
  const TomlNode set =
      differences(*to_tree(config).find("task"), *to_tree(RunConfig()).find("task"));
  for (const auto& [key, value] : std::get<TomlNode::Table>(set.value)) {
    const std::string name = "task." + key;
    check_meaning(root, "task.name", task.name, {{name.c_str(), task.uses(key), true}});
  }
}

void check_model(const TomlNode& root, const ModelConfig& model) {
  check_divides(root, "model.heads", model.heads, "model.width", model.width,
                "heads = 4, width = 32");
  const int head = model.width / model.heads;
  if (model.positions == Positions::kRotary && head % 2 != 0) {
    throw UserError(place_of(root, {"model.positions", "model.heads", "model.width"}),
                    fmt::format("model.positions = \"rotary\" turns pairs, and a head of "
                                "model.width / model.heads = {} values is odd",
                                head),
                    "write for example heads = 4, width = 32");
  }
  const bool pair = model.kind == ModelKind::kEncoderDecoder;
  check_meaning(root, "model.kind", name_of(model.kind),
                {{"model.decoder_depth", pair, model.decoder_depth > 0}});
  if (model.init_from.empty() && !model.init_content.empty()) {
    throw UserError(place_of(root, {"model.init_content"}),
                    "model.init_content needs model.init_from", "remove it");
  }
  const std::string origin = origin_of(model.init_from);
  const bool is_id =
      origin.size() == 32 && origin.find_first_not_of("0123456789abcdef") == std::string::npos;
  const bool names_run = !origin.empty() || model.init_from == weights_of_cell("");
  if (names_run && !is_id) {
    throw UserError(place_of(root, {"model.init_from"}),
                    "expected cell:ID with the 32 hex digits of a run's id, got " + model.init_from,
                    "results/cells has a folder of that name for each run");
  }
}

// All places of the model, from the bottom.
Sites sites_of(const RunConfig& config) {
  Sites sites;
  for (const ModelPart& part : model_parts(config.model, config.block)) {
    for (const equation::Tap& tap : equation::compile(part.block, part.sizes).taps) {
      sites.insert(sites.end(), tap.sites.begin(), tap.sites.end());
    }
  }
  return sites;
}

void check_optimizer(const TomlNode& root, const TrainConfig& train) {
  const TrainConfig usual;
  const OptimizerRow& row = optimizer(train.optimizer);
  check_meaning(root, "train.optimizer", std::string(row.name),
                {{"train.momentum", row.uses("train.momentum"), train.momentum != usual.momentum},
                 {"train.betas", row.uses("train.betas"), train.betas != usual.betas},
                 {"train.eps", row.uses("train.eps"), train.eps != usual.eps}});
}

void check_schedule(const TomlNode& root, const TrainConfig& train) {
  const auto is = [&](auto... kinds) { return ((train.schedule == kinds) || ...); };
  const bool wsd = is(ScheduleKind::kWsd);
  const bool ends = is(ScheduleKind::kLinear, ScheduleKind::kCosine, ScheduleKind::kWsd);
  check_meaning(root, "train.schedule", name_of(train.schedule),
                {{"train.final_lr", ends, train.final_lr != 0},
                 {"train.decay", wsd, train.decay != 0},
                 {"train.warmup_shape", !is(ScheduleKind::kNoam),
                  train.warmup_shape != WarmupShape::kLinear}});
  if (wsd && train.decay == 0) {
    throw UserError(place_of(root, {"train.schedule"}),
                    "train.schedule = \"wsd\" needs train.decay", "write for example decay = 100");
  }
  if (wsd && train.warmup + static_cast<std::int64_t>(train.decay) > train.steps) {
    throw UserError(place_of(root, {"train.decay"}),
                    fmt::format("train.warmup = {} and train.decay = {} are more than "
                                "train.steps = {}",
                                train.warmup, train.decay, train.steps),
                    "decay over fewer steps");
  }
}

void check_train(const TomlNode& root, const TrainConfig& train) {
  check_divides(root, "train.accumulate", train.accumulate, "train.batch", train.batch,
                "accumulate = 4, batch = 32");
  if (train.target_accuracy > 0 && train.eval_every == 0) {
    throw UserError(place_of(root, {"train.target_accuracy"}),
                    "train.target_accuracy needs train.eval_every",
                    "write for example eval_every = 50");
  }
  check_optimizer(root, train);
  check_schedule(root, train);
}

// What a model or an optimiser cannot be asked for.
void check_analyses(const TomlNode& root, const RunConfig& config, const Sites& sites) {
  const auto refuse = [&](Analysis analysis, const std::string& reason) {
    if (std::ranges::find(config.probe.analyses, analysis) == config.probe.analyses.end()) return;
    throw UserError(place_of(root, {"probe.analyses"}),
                    fmt::format("probe.analyses: {} {}", name_of(analysis), reason), "remove it");
  };
  if (!optimizer(config.train.optimizer).remembers("second_moment")) {
    refuse(Analysis::kAdamSharpness,
           fmt::format("needs an optimizer with a second moment, not \"{}\"",
                       name_of(config.train.optimizer)));
  }
  if (config.model.kind == ModelKind::kEncoderDecoder) {
    for (const Analysis analysis : {Analysis::kJacobian, Analysis::kDependency}) {
      refuse(analysis, "is of one stack, and the model is a pair");
    }
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

void check_probe(const TomlNode& root, const RunConfig& config, const Sites& sites) {
  const ProbeConfig& probe = config.probe;
  const bool every = probe.schedule == ProbeSchedule::kEvery;
  if (every && probe.every == 0) {
    throw UserError(place_of(root, {"probe.schedule"}),
                    "probe.schedule = \"every\" needs probe.every", "write for example every = 10");
  }
  check_meaning(root, "probe.schedule", name_of(probe.schedule),
                {{"probe.every", every, probe.every > 0}});
  check_selection(root, probe, sites);
  check_analyses(root, config, sites);
}

// Whether the catalogue has another block under this one's name. What follows the last block is
// not compared: the model may replace it.
bool shadows_catalogue(const equation::Block& block) {
  const auto known = std::ranges::find(equation::catalogue(), block.name, &equation::Block::name);
  if (known == equation::catalogue().end()) return false;
  equation::Block same_finish = *known;
  same_finish.finish = block.finish;
  return !same_value(equation::to_tree(equation::canonical_form(block)),
                     equation::to_tree(equation::canonical_form(same_finish)));
}

}  // namespace

void validate(const TomlNode& root, const RunConfig& config) {
  check_task(root, config);
  check_model(root, config.model);
  const Sites sites = sites_of(config);
  check_train(root, config.train);
  check_probe(root, config, sites);
}

std::vector<std::string> warnings(const RunConfig& config) {
  std::vector<std::string> lines = equation::warnings(config.block);
  if (shadows_catalogue(config.block)) {
    lines.push_back(
        fmt::format("[block] is named {} as one of the catalogue, and is another: "
                    "runs train the one written here",
                    config.block.name));
  }
  if (config.train.warmup > config.train.steps) {
    lines.push_back(
        fmt::format("train.warmup = {} is longer than train.steps = {}: the learning "
                    "rate never reaches train.lr",
                    config.train.warmup, config.train.steps));
  }
  return lines;
}

}  // namespace layerlab::config
