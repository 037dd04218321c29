#include "train/checkpoint.h"

#include <ATen/ATen.h>
#include <c10/core/GradMode.h>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cstring>
#include <string>
#include <vector>

#include "record/checkpoint_files.h"
#include "record/safetensors.h"

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

record::TensorType type_of(const at::Tensor& tensor) {
  return tensor.scalar_type() == at::kDouble ? record::TensorType::kFloat64
                                             : record::TensorType::kFloat32;
}

}  // namespace

void save_checkpoint(const fs::path& folder, std::int64_t step, std::int64_t r,
                     const models::Parameters& parameters, const Optimizer& optimizer) {
  record::SafeTensors contents;
  contents.metadata["step"] = std::to_string(step);
  for_each_tensor(parameters, optimizer, r, [&](const std::string& name, const at::Tensor& part) {
    const at::Tensor host = part.to(at::kCPU).contiguous();
    record::TensorData& data = contents.tensors[name];
    data.type = type_of(host);
    data.shape = host.sizes().vec();
    data.bytes.resize(host.nbytes());
    std::memcpy(data.bytes.data(), host.const_data_ptr(), host.nbytes());
  });
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
  if (!fs::exists(path)) return false;
  try {
    record::read_safetensors(path);
    return true;
  } catch (const UserError& error) {
    warn(std::string(error.what()) + "; going on from an older state");
    return false;
  }
}

void load_weights(const fs::path& path, models::Parameters& parameters) {
  const c10::AutoGradMode no_gradients(false);
  record::SafeTensors contents = record::read_safetensors(path);
  for (const models::Parameters::Slot& slot : parameters.slots()) {
    const auto found = contents.tensors.find(slot.name);
    const at::Tensor first = slot.value[0];
    if (found == contents.tensors.end() || found->second.shape != first.sizes().vec()) {
      throw UserError({path.string()},
                      "expected a tensor " + slot.name + " of shape " +
                          fmt::format("{}", fmt::join(first.sizes(), "x")),
                      "train a model of the shape that the file is of");
    }
    const bool wide = found->second.type == record::TensorType::kFloat64;
    slot.value.copy_(at::from_blob(found->second.bytes.data(), first.sizes(),
                                   at::TensorOptions(wide ? at::kDouble : at::kFloat)));
  }
}

void load_checkpoint(const fs::path& folder, std::int64_t step, std::int64_t r,
                     models::Parameters& parameters, Optimizer& optimizer) {
  const c10::AutoGradMode no_gradients(false);
  const fs::path path = record::checkpoint_file(folder, step);
  record::SafeTensors contents = record::read_safetensors(path);
  for_each_tensor(parameters, optimizer, r, [&](const std::string& name, const at::Tensor& part) {
    const auto found = contents.tensors.find(name);
    if (found == contents.tensors.end() || found->second.shape != part.sizes().vec() ||
        found->second.type != type_of(part)) {
      throw UserError({path.string()}, "expected a tensor " + name + " that fits the model",
                      "remove the checkpoint to train from the start");
    }
    part.copy_(at::from_blob(found->second.bytes.data(), part.sizes(),
                             at::TensorOptions(part.scalar_type())));
  });
}

}  // namespace layerlab::train
