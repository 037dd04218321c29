#include "train/black_box.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "train/site_name.h"

namespace layerlab::train {
namespace {

double quantity(const record::SiteRow& row, const char* name) {
  return row.values[record::site_quantity(name)];
}

std::string not_finite_text(double value) {
  return std::isnan(value) ? "nan" : value > 0 ? "inf" : "-inf";
}

bool is_stream(const record::SiteRow& row) {
  return row.site == "in" || row.site == "sum" || row.site == "out";
}

std::string name_of(const record::SiteRow& row) {
  return site_name({row.layer, row.sublayer, row.site, row.side});
}

}  // namespace

bool BlackBox::Step::finite() const { return std::isfinite(loss) && std::isfinite(grad_norm); }

void BlackBox::restore(const record::Reader& reader) {
  const auto losses = reader.numbers(
      "SELECT l.step, l.value, g.value FROM scalar l JOIN scalar g ON g.step = l.step AND g.name = "
      "'grad_norm' WHERE l.name = 'loss' ORDER BY l.step DESC LIMIT " +
      std::to_string(kStallWindow));
  for (const auto& row : losses) {
    ring_.push_front({static_cast<std::int64_t>(row[0]), row[1], row[2]});
  }
  for (const std::string& kind : reader.strings("SELECT DISTINCT kind FROM event")) once(kind);
  const auto spike = reader.numbers("SELECT max(step) FROM event WHERE kind = 'loss_spike'");
  if (!std::isnan(spike[0][0])) {
    quiet_until_ = static_cast<std::int64_t>(spike[0][0]) + kSpikeWindow;
  }
}

std::vector<record::EventRow> BlackBox::observe(const Step& step) {
  std::vector<record::EventRow> events;
  if (!step.finite()) {
    const bool forward = !std::isfinite(step.loss);
    events.push_back(
        {step.step, "diverged",
         fmt::format("the {} is {}{}", forward ? "loss" : "gradient norm",
                     not_finite_text(forward ? step.loss : step.grad_norm), run_up(step))});
  } else if (ring_.size() >= kSpikeWindow && step.step >= quiet_until_) {
    const stats::Welford loss = over_last(kSpikeWindow, &Step::loss);
    const stats::Welford grad_norm = over_last(kSpikeWindow, &Step::grad_norm);
    const double rise = step.loss - loss.mean();
    const double std = std::sqrt(loss.variance());
    if (rise > kSpikeDeviations * std && rise > kSpikeShare * chance_loss_) {
      quiet_until_ = step.step + kSpikeWindow;
      events.push_back(
          {step.step, "loss_spike",
           fmt::format("the loss is {:.4g} after a mean of {:.4g} over {} steps ({:.3g} standard "
                       "deviations more); the gradient norm is {:.3g}, its mean was {:.3g}",
                       step.loss, loss.mean(), kSpikeWindow, rise / std, step.grad_norm,
                       grad_norm.mean())});
    }
  }
  ring_.push_back(step);
  if (ring_.size() > kStallWindow) ring_.pop_front();
  return events;
}

std::vector<record::EventRow> BlackBox::observe(const probe::StepMeasurements& measured) {
  std::vector<record::EventRow> events;
  const auto raise = [&](const record::SiteRow& row, const char* kind, const std::string& detail) {
    if (once(kind)) events.push_back({row.step, kind, detail});
  };
  const record::SiteRow* leaving = nullptr;  // where the last block's stream leaves it
  for (const record::SiteRow& row : measured.sites) {
    const double logit = quantity(row, "max_logit"), rms = quantity(row, "rms");
    if (logit > kLargestLogit) {
      raise(row, "attention_logits",
            fmt::format("forward, {}: the largest attention logit is {:.3g}; above {:g} softmax "
                        "picks one token and passes no gradient",
                        name_of(row), logit, kLargestLogit));
    }
    if (is_stream(row) && rms < kSmallestRms) {
      raise(row, "dead_stream",
            fmt::format("forward, {}: the stream's RMS is {:.3g}, below {:g}: nothing of the input "
                        "passes",
                        name_of(row), rms, kSmallestRms));
    }
    if (row.site == "out" && row.layer >= 0) leaving = &row;
  }
  const double cosine = leaving == nullptr ? 0 : quantity(*leaving, "token_cosine");
  if (cosine > kCollapsed && at_chance()) {
    raise(*leaving, "stall",
          fmt::format("forward, {}: tokens have collapsed onto one direction (mean cosine {:.4f}) "
                      "and the loss has stayed at chance, {:.4g}, for {} steps",
                      name_of(*leaving), cosine, chance_loss_, kStallWindow));
  }
  return events;
}

// How loss and gradient norm came to where they are; "" at the beginning of a run.
std::string BlackBox::run_up(const Step& last) const {
  constexpr std::int64_t kSteps = 10;
  const auto from = std::ranges::find_if(
      ring_, [&](const Step& earlier) { return earlier.step >= last.step - kSteps; });
  if (ring_.end() - from < 2) return "";
  const Step& before = ring_.back();
  return fmt::format(
      "; from step {} to {} the loss went from {:.3g} to {:.3g}, the gradient norm "
      "from {:.3g} to {:.3g}",
      from->step, before.step, from->loss, before.loss, from->grad_norm, before.grad_norm);
}

bool BlackBox::at_chance() const {
  if (ring_.size() < kStallWindow) return false;
  const double mean = over_last(kStallWindow, &Step::loss).mean();
  return std::abs(mean - chance_loss_) < kStallShare * chance_loss_;
}

stats::Welford BlackBox::over_last(std::size_t count, double Step::*quantity) const {
  stats::Welford result;
  for (std::size_t i = ring_.size() - count; i < ring_.size(); ++i) result.add(ring_[i].*quantity);
  return result;
}

}  // namespace layerlab::train
