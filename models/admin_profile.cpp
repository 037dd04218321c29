#include "models/admin_profile.h"

#include <c10/core/GradMode.h>

#include <map>
#include <string>
#include <utility>

namespace layerlab::models {
namespace {

// The index of each profiled tensor, by sub-layer.
std::map<std::string, int> omegas_of(const equation::Program& program) {
  std::map<std::string, int> result;
  for (std::size_t i = 0; i < program.parameters.size(); ++i) {
    const equation::Parameter& parameter = program.parameters[i];
    if (!parameter.profiled) continue;
    result[parameter.name.substr(0, parameter.name.rfind('.'))] = static_cast<int>(i);
  }
  return result;
}

at::Tensor variance(const at::Tensor& value) {
  return value.flatten(1).var(1, /*unbiased=*/false);  // [R]
}

class Profile {
 public:
  explicit Profile(const Blocks& blocks) : program_(blocks.program()) {
    for (const auto& [name, index] : omegas_of(program_)) {
      omegas_[name] = blocks.parameter(index);
    }
  }

  void see(int tap, const at::Tensor& value) {
    for (const equation::Site& site : program_.taps[tap].sites) {
      const auto omega = omegas_.find("blocks." + std::to_string(site.layer) + "." + site.sublayer);
      if (omega == omegas_.end()) continue;
      if (site.role == "in") enter(omega->second, value);
      if (site.role == "branch") next_ = (shortcut_ + variance(value)).sqrt();
    }
  }

 private:
  // Sets omega before the sub-layer reads it.
  void enter(at::Tensor& omega, const at::Tensor& x) {
    if (!next_.defined()) next_ = at::ones({x.size(0)}, x.options());
    at::Tensor by_replica = next_;
    while (by_replica.dim() < omega.dim()) by_replica = by_replica.unsqueeze(-1);
    omega.copy_(by_replica.expand_as(omega));
    shortcut_ = next_.square() * variance(x);
  }

  const equation::Program& program_;
  std::map<std::string, at::Tensor> omegas_;  // by sub-layer
  at::Tensor next_;                           // [R], of the sub-layer to come
  at::Tensor shortcut_;                       // [R], Var(omega x) of the present one
};

}  // namespace

bool has_omegas(const equation::Program& program) { return !omegas_of(program).empty(); }

void profile_omegas(const Blocks& blocks, const std::function<void(const TapFunction&)>& forward) {
  const c10::AutoGradMode no_gradients(false);
  Profile profile(blocks);
  forward([&profile](int tap, const at::Tensor& value) {
    profile.see(tap, value);
    return value;
  });
}

}  // namespace layerlab::models
