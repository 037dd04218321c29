// The names of a run's checkpoints. What is inside them is train/checkpoint.h's.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <vector>

namespace layerlab::record {

// The state before `step`: FOLDER/step-000000200.safetensors.
std::filesystem::path checkpoint_file(const std::filesystem::path& folder, std::int64_t step);

// The steps that `folder`, which need not exist, has a checkpoint of, ascending.
std::vector<std::int64_t> checkpoint_steps(const std::filesystem::path& folder);

// The last of them; nothing where there is none.
std::optional<std::int64_t> newest_checkpoint(const std::filesystem::path& folder);

// Removes those of later steps than `step`.
void remove_checkpoints_after(const std::filesystem::path& folder, std::int64_t step);

}  // namespace layerlab::record
