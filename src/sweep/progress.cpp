#include "sweep/progress.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/names.h"

namespace layerlab::sweep {
namespace {

constexpr double kLiveSeconds = 0.1, kPlainSeconds = 5;

// 51234 as "51k".
std::string short_number(double value) {
  if (value >= 1e6) return fmt::format("{:.3g}M", value / 1e6);
  if (value >= 1e3) return fmt::format("{:.3g}k", value / 1e3);
  return fmt::format("{:.3g}", value);
}

}  // namespace

Tally::Tally(const std::vector<Pack>& packs, int done, int cells, double now)
    : done_(done), cells_(cells), begin_(now) {
  for (const Pack& pack : packs) {
    packs_.push_back({static_cast<std::int64_t>(pack.cells.size()), pack.steps});
  }
}

void Tally::progress(std::size_t pack, const Progress& progress) {
  State& state = packs_[pack];
  if (state.first < 0) state.first = progress.step;
  state.step = progress.step;
  state.tokens_per_second = progress.tokens_per_second;
  state.ended = false;  // other processes may have left some of it
  latest_ = progress;
  heard_ = true;
}

void Tally::pack_ended(std::size_t pack) {
  packs_[pack].ended = true;
  packs_[pack].tokens_per_second = 0;
}

double Tally::seconds_left(double now) const {
  double taken = 0, left = 0;
  for (const State& state : packs_) {
    const auto replicas = static_cast<double>(state.replicas);
    if (state.first >= 0) taken += replicas * static_cast<double>(state.step - state.first);
    if (!state.ended) left += replicas * static_cast<double>(state.steps - state.step);
  }
  return taken > 0 ? left / taken * (now - begin_) : -1;
}

std::string Tally::line(double now) const {
  std::string text;
  if (heard_) {
    double tokens = 0;
    for (const State& state : packs_) tokens += state.tokens_per_second;
    text = fmt::format("step {}/{}  loss {:.4g}  lr {:.3g}  |grad| {:.3g}  ", latest_.step,
                       latest_.steps, latest_.loss, latest_.lr, latest_.grad_norm);
    if (tokens > 0) text += short_number(tokens) + " tokens/s  ";  // else all workers have ended
  }
  text += fmt::format("cells {}/{}", done_, cells_);
  if (elsewhere_ > 0) text += fmt::format("  {} trained elsewhere", elsewhere_);
  const double left = seconds_left(now);
  if (left > 0) text += "  " + duration_text(left) + " left";
  return text;
}

void ProgressLine::show(const Tally& tally, double now) {
  const bool live = style_ == Style::kLive;
  if (style_ == Style::kQuiet || now - shown_ < (live ? kLiveSeconds : kPlainSeconds)) return;
  shown_ = now;
  const std::string line = tally.line(now);
  if (live) {
    const auto fits = static_cast<std::size_t>(std::max(width_ - 1, 1));
    out_ << "\r" << line.substr(0, fits) << "\x1b[K" << std::flush;
    visible_ = true;
  } else {
    out_ << line << std::endl;
  }
}

void ProgressLine::clear() {
  if (visible_) out_ << "\r\x1b[K" << std::flush;
  visible_ = false;
  if (style_ == Style::kLive) shown_ = -1e9;
}

}  // namespace layerlab::sweep
