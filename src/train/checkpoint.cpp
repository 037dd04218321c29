#include "train/checkpoint.h"

#include <ATen/ATen.h>
#include <c10/core/GradMode.h>

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <cstring>
#include <string>
#include <vector>

#include "record/safetensors.h"

namespace layerlab::train {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kPrefix = "step-", kSuffix = ".safetensors";
constexpr std::size_t kKept = 2;

fs::path file_of(const fs::path& folder, std::int64_t step) {
  char name[64];
  std::snprintf(name, sizeof name, "step-%09lld.safetensors", static_cast<long long>(step));
  return folder / name;
}

// Steps that `folder` holds, ascending.
std::vector<std::int64_t> steps_in(const fs::path& folder) {
  std::vector<std::int64_t> steps;
  if (!fs::is_directory(folder)) return steps;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder)) {
    const std::string name = entry.path().filename().string();
    if (!name.starts_with(kPrefix) || !name.ends_with(kSuffix)) continue;
    std::int64_t step = 0;
    const char* end = name.data() + name.size() - kSuffix.size();
    const auto [stop, error] = std::from_chars(name.data() + kPrefix.size(), end, step);
    if (error == std::errc() && stop == end) steps.push_back(step);
  }
  std::sort(steps.begin(), steps.end());
  return steps;
}

// Calls visit(name in the file, replica r's part as a tensor) for all that a checkpoint holds.
template <typename Visit>
void for_each_tensor(const models::Parameters& parameters, const Adam& optimizer, std::int64_t r,
                     Visit visit) {
  for (const models::Parameters::Slot& slot : parameters.slots()) {
    const auto part = [&](const at::Tensor& flat) { return slot.part(flat)[r]; };
    visit(slot.name, part(parameters.values()));
    visit("first_moment/" + slot.name, part(optimizer.first_moment()));
    visit("second_moment/" + slot.name, part(optimizer.second_moment()));
  }
}

record::TensorType type_of(const at::Tensor& tensor) {
  return tensor.scalar_type() == at::kDouble ? record::TensorType::kFloat64
                                             : record::TensorType::kFloat32;
}

}  // namespace

void save_checkpoint(const fs::path& folder, std::int64_t step, std::int64_t r,
                     const models::Parameters& parameters, const Adam& optimizer) {
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
  record::write_safetensors(file_of(folder, step), contents);
  std::vector<std::int64_t> steps = steps_in(folder);
  for (std::size_t i = 0; i + kKept < steps.size(); ++i) fs::remove(file_of(folder, steps[i]));
}

std::optional<std::int64_t> newest_checkpoint(const fs::path& folder) {
  const std::vector<std::int64_t> steps = steps_in(folder);
  if (steps.empty()) return std::nullopt;
  return steps.back();
}

bool has_checkpoint(const fs::path& folder, std::int64_t step) {
  return fs::exists(file_of(folder, step));
}

void load_checkpoint(const fs::path& folder, std::int64_t step, std::int64_t r,
                     models::Parameters& parameters, Adam& optimizer) {
  const c10::AutoGradMode no_gradients(false);
  const fs::path path = file_of(folder, step);
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
