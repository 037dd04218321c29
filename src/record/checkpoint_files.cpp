#include "record/checkpoint_files.h"

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <string>
#include <string_view>

namespace layerlab::record {
namespace fs = std::filesystem;
namespace {

constexpr std::string_view kPrefix = "step-", kSuffix = ".safetensors";

}  // namespace

fs::path checkpoint_file(const fs::path& folder, std::int64_t step) {
  char name[64];
  std::snprintf(name, sizeof name, "step-%09lld.safetensors", static_cast<long long>(step));
  return folder / name;
}

std::vector<std::int64_t> checkpoint_steps(const fs::path& folder) {
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

std::optional<std::int64_t> newest_checkpoint(const fs::path& folder) {
  const std::vector<std::int64_t> steps = checkpoint_steps(folder);
  if (steps.empty()) return std::nullopt;
  return steps.back();
}

void remove_checkpoints_after(const fs::path& folder, std::int64_t step) {
  for (const std::int64_t later : checkpoint_steps(folder)) {
    if (later > step) fs::remove(checkpoint_file(folder, later));
  }
}

}  // namespace layerlab::record
