// A run's state between two steps, as safetensors.
//   save_checkpoint(folder, step, r, parameters, optimizer);
//   load_checkpoint(folder, step, r, parameters, optimizer);
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "models/parameters.h"
#include "train/optimizer.h"

namespace layerlab::train {

// Files (record/checkpoint_files.h) hold every parameter under its own name, without the replica
// axis, and each of the optimiser's states as "STATE/NAME": "first_moment/blocks.0.attn.q.weight".
// Random numbers need no state (core/random.h). A checksum in the metadata tells damage.

// Writes replica `r`'s state before `step` into `folder` and removes all but the last two files.
// The file is whole or not there.
void save_checkpoint(const std::filesystem::path& folder, std::int64_t step, std::int64_t r,
                     const models::Parameters& parameters, const Optimizer& optimizer);

// Loads the checkpoint of `step` into replica `r`. Throws UserError naming the file where it
// does not fit the model.
void load_checkpoint(const std::filesystem::path& folder, std::int64_t step, std::int64_t r,
                     models::Parameters& parameters, Optimizer& optimizer);

// Whether `folder` has a checkpoint of `step` that can be read; it need not fit a model. `warn` is
// told what is wrong with one that cannot.
bool is_whole(const std::filesystem::path& folder, std::int64_t step,
              const std::function<void(const std::string&)>& warn);

// Replaces the weights of some replicas by those of a file, which may hold more than the model
// needs. Throws UserError naming the file and a tensor that is missing or does not fit.
void load_weights(const std::filesystem::path& path, const std::vector<std::int64_t>& replicas,
                  models::Parameters& parameters);

}  // namespace layerlab::train
