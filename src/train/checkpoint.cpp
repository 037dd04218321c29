#include "train/checkpoint.h"

#include <ATen/ATen.h>
#include <c10/core/GradMode.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <string>
#include <vector>

#include "core/files.h"
#include "record/checkpoint_files.h"
#include "record/safetensors.h"
#include "train/tensor_data.h"

namespace layerlab::train {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kKept = 2;

// Calls visit(name in the file, replica r's part as a tensor) for all that a checkpoint holds.
template <typename Visit>
void for_each_tensor(const models::Parameters& parameters, const Optimizer& optimizer,
                     std::int64_t r, Visit visit) {
  for (const models::Parameters::Slot& slot : parameters.slots()) {
    const auto part = [&](const at::Tensor& flat) { return slot.part(flat)[r]; };
    visit(slot.name, part(parameters.values()));
    for (const Optimizer::State& state : optimizer.states()) {
      visit(state.name + "/" + slot.name, part(state.values));
    }
  }
}

}  // namespace

void save_checkpoint(const fs::path& folder, std::int64_t step, std::int64_t r,
                     const models::Parameters& parameters, const Optimizer& optimizer) {
  record::SafeTensors contents;
  contents.metadata["step"] = std::to_string(step);
  for_each_tensor(parameters, optimizer, r, [&](const std::string& name, const at::Tensor& part) {
    contents.tensors[name] = to_data(part);
  });
  record::add_checksum(contents);
  fs::create_directories(folder);
  record::write_safetensors(record::checkpoint_file(folder, step), contents);
  const std::vector<std::int64_t> steps = record::checkpoint_steps(folder);
  for (std::size_t i = 0; i + kKept < steps.size(); ++i) {
    fs::remove(record::checkpoint_file(folder, steps[i]));
  }
}

bool is_whole(const fs::path& folder, std::int64_t step,
              const std::function<void(const std::string&)>& warn) {
  const fs::path path = record::checkpoint_file(folder, step);
  try {
    if (!is_there(path)) return false;
    record::read_safetensors(path);
    return true;
  } catch (const UserError& error) {
    warn(std::string(error.what()) + "; going on from an older state");
    return false;
  }
}

void load_weights(const fs::path& path, const std::vector<std::int64_t>& replicas,
                  models::Parameters& parameters) {
  const c10::AutoGradMode no_gradients(false);
  const record::SafeTensors contents = record::read_safetensors(path);
  for (const models::Parameters::Slot& slot : parameters.slots()) {
    const auto found = contents.tensors.find(slot.name);
    const auto shape = slot.value.sizes().slice(1);
    if (found == contents.tensors.end() || found->second.shape != shape.vec()) {
      throw UserError({path.string()},
                      "expected a tensor " + slot.name + " of shape " +
                          fmt::format("{}", fmt::join(shape, "x")),
                      "train a model of the shape that the file is of");
    }
    const at::Tensor weights = to_tensor(found->second);
    for (const std::int64_t r : replicas) slot.value[r].copy_(weights);
  }
}

void load_checkpoint(const fs::path& folder, std::int64_t step, std::int64_t r,
                     models::Parameters& parameters, Optimizer& optimizer) {
  const c10::AutoGradMode no_gradients(false);
  const fs::path path = record::checkpoint_file(folder, step);
  const record::SafeTensors contents = record::read_safetensors(path);
  for_each_tensor(parameters, optimizer, r, [&](const std::string& name, const at::Tensor& part) {
    const auto found = contents.tensors.find(name);
    const bool known = found != contents.tensors.end();
    const at::Tensor stored = known ? to_tensor(found->second) : at::Tensor();
    if (!known || stored.sizes() != part.sizes() || stored.scalar_type() != part.scalar_type()) {
      throw UserError({path.string()}, "expected a tensor " + name + " that fits the model",
                      "remove the checkpoint to train from the start");
    }
    part.copy_(stored);
  });
}

}  // namespace layerlab::train
