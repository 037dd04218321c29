#include "train/non_finite.h"

#include <ATen/ATen.h>
#include <c10/core/GradMode.h>
#include <fmt/format.h>

#include <optional>
#include <string>
#include <vector>

#include "config/schedule.h"
#include "train/clip.h"
#include "train/site_name.h"

namespace layerlab::train {
namespace {

bool is_finite(const at::Tensor& value) { return value.isfinite().all().item<bool>(); }

double largest(const at::Tensor& value) { return value.abs().max().item<double>(); }

// The values of a tensor that are not finite: "inf", "nan", "inf and nan".
std::string kind_of(const at::Tensor& value) {
  const bool inf = value.isinf().any().item<bool>(), nan = value.isnan().any().item<bool>();
  return inf && nan ? "inf and nan" : inf ? "inf" : "nan";
}

// Follows the values of one direction in the order in which they are computed.
class FirstNonFinite {
 public:
  explicit FirstNonFinite(const std::vector<equation::Tap>& taps) : taps_(taps) {}

  void observe(int tap, const at::Tensor& value) {
    if (found_) return;
    const std::string place = site_name(taps_[static_cast<std::size_t>(tap)].sites.front());
    if (is_finite(value)) {
      last_finite_ = fmt::format("{}, is finite, up to {:.3g}", place, largest(value));
    } else {
      found_ = fmt::format("{}: {}", place, kind_of(value));
    }
  }

  const std::optional<std::string>& found() const { return found_; }  // place and value
  const std::string& last_finite() const { return last_finite_; }     // place and value; or ""

 private:
  const std::vector<equation::Tap>& taps_;
  std::optional<std::string> found_;
  std::string last_finite_;
};

std::string after(const std::string& last_finite) {
  return last_finite.empty() ? "" : "; the place before it, " + last_finite;
}

class NonFiniteFinder {
 public:
  NonFiniteFinder(Trainer& alone, std::int64_t step)
      : alone_(alone), step_(step), forward_(alone.model()->taps()), backward_(forward_) {}

  std::optional<record::EventRow> result() {
    if (auto event = in_weights()) return event;
    const Loss losses =
        backpropagate(alone_.model(), alone_.parameters(), alone_.shape().train, alone_.draw(step_),
                      step_, [this](int) { return models::Observers{tap()}; });
    const c10::AutoGradMode no_gradients(false);
    if (forward_.found()) {
      return event("non_finite_activation", "forward, " + *forward_.found() +
                                                ", the first value that is not finite" +
                                                after(forward_.last_finite()));
    }
    if (!is_finite(losses.minimised)) {
      return event("non_finite_activation",
                   fmt::format("forward, loss: {}, the first value that is not finite{}",
                               kind_of(losses.minimised), after(forward_.last_finite())));
    }
    if (backward_.found()) {
      return event("non_finite_gradient",
                   fmt::format("backward, {}, the first gradient that is not finite, of a loss of "
                               "{:.4g}{}",
                               *backward_.found(), losses.minimised.item<double>(),
                               after(backward_.last_finite())));
    }
    return in_gradients();
  }

 private:
  record::EventRow event(const char* kind, const std::string& detail) const {
    return {step_, kind, detail};
  }

  models::TapFunction tap() {
    return [this](int tap, const at::Tensor& value) {
      forward_.observe(tap, value.detach());
      if (value.requires_grad()) {
        value.register_hook([this, tap](const at::Tensor& gradient) {
          const c10::AutoGradMode no_gradients(false);
          backward_.observe(tap, gradient);
        });
      }
      return value;
    };
  }

  std::optional<record::EventRow> in_weights() const {
    const c10::AutoGradMode no_gradients(false);
    for (const models::Parameters::Slot& slot : alone_.parameters().slots()) {
      if (is_finite(slot.value)) continue;
      const std::string what = slot.name + ": " + kind_of(slot.value);
      if (step_ == 0) return event("non_finite_weights", "initial weights, " + what);
      return event("non_finite_update",
                   fmt::format("optimizer, {}, in the weights that step {} left, at lr {:.3g}",
                               what, step_ - 1, config::learning_rate(alone_.shape(), step_ - 1)));
    }
    return std::nullopt;
  }

  // The places' gradients are finite.
  std::optional<record::EventRow> in_gradients() const {
    const models::Parameters& parameters = alone_.parameters();
    const models::Parameters::Slot* steepest = nullptr;
    double magnitude = -1;
    for (auto slot = parameters.slots().rbegin(); slot != parameters.slots().rend(); ++slot) {
      const at::Tensor gradient = slot->part(parameters.gradients());
      if (!is_finite(gradient)) {
        return event("non_finite_gradient",
                     fmt::format("backward, gradient of {}: {}, while those of all places are "
                                 "finite{}",
                                 slot->name, kind_of(gradient), after(backward_.last_finite())));
      }
      if (largest(gradient) > magnitude) steepest = &*slot;
      magnitude = std::max(magnitude, largest(gradient));
    }
    if (is_finite(gradient_norms(parameters).whole)) return std::nullopt;
    return event("non_finite_gradient",
                 fmt::format("backward, the gradients are finite but their norm is too large a "
                             "number; the largest, {:.3g}, is in {}",
                             magnitude, steepest->name));
  }

  Trainer& alone_;
  std::int64_t step_;
  FirstNonFinite forward_, backward_;
};

}  // namespace

std::optional<record::EventRow> find_non_finite(const Trainer& trainer, std::size_t r,
                                                std::int64_t step) {
  Trainer alone({trainer.runs()[r]}, trainer.device());
  alone.copy(trainer, r);
  return NonFiniteFinder(alone, step).result();
}

}  // namespace layerlab::train
