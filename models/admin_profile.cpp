#include "models/admin_profile.h"

#include <c10/core/GradMode.h>

namespace layerlab::models {
namespace {

// Of its sub-layer, as Omegas has it.
std::string name_of(const equation::Site& site) {
  const std::string name = "blocks." + std::to_string(site.layer) + "." + site.sublayer;
  return site.side.empty() ? name : site.side + "." + name;
}

at::Tensor variance(const at::Tensor& value) {
  return value.flatten(1).var(1, /*unbiased=*/false);  // [R]
}

class Profile {
 public:
  Profile(const Omegas& omegas, const std::vector<equation::Tap>& taps)
      : omegas_(omegas), taps_(taps) {}

  void see(int tap, const at::Tensor& value) {
    for (const equation::Site& site : taps_[tap].sites) {
      const auto omega = omegas_.find(name_of(site));
      if (omega == omegas_.end()) continue;
      if (site.side != side_) next_.reset();
      side_ = site.side;
      if (site.role == "in") enter(omega->second, value);
      if (site.role == "branch") next_ = (shortcut_ + variance(value)).sqrt();
    }
  }

 private:
  // Sets omega before the sub-layer reads it.
  void enter(at::Tensor omega, const at::Tensor& x) {
    if (!next_.defined()) next_ = at::ones({x.size(0)}, x.options());
    at::Tensor by_replica = next_;
    while (by_replica.dim() < omega.dim()) by_replica = by_replica.unsqueeze(-1);
    omega.copy_(by_replica.expand_as(omega));
    shortcut_ = next_.square() * variance(x);
  }

  const Omegas& omegas_;
  const std::vector<equation::Tap>& taps_;
  std::string side_;     // of the sub-layer seen last
  at::Tensor next_;      // [R], of the sub-layer to come
  at::Tensor shortcut_;  // [R], Var(omega x) of the present one
};

}  // namespace

Omegas omegas_of(const Blocks& blocks) {
  Omegas result;
  const auto& parameters = blocks.program().parameters;
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    if (!parameters[i].profiled) continue;
    const std::string& name = parameters[i].name;
    result[blocks.program().prefix() + name.substr(0, name.rfind('.'))] =
        blocks.parameter(static_cast<int>(i));
  }
  return result;
}

void profile_omegas(const Omegas& omegas, const std::vector<equation::Tap>& taps,
                    const std::function<void(const TapFunction&)>& forward) {
  const c10::AutoGradMode no_gradients(false);
  Profile profile(omegas, taps);
  forward([&profile](int tap, const at::Tensor& value) {
    profile.see(tap, value);
    return value;
  });
}

}  // namespace layerlab::models
