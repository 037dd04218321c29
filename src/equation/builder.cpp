#include "equation/builder.h"

#include <utility>

namespace layerlab::equation {

int Builder::emit(Op op, std::vector<int> in, Shape shape, int index, double number) {
  const int out = static_cast<int>(shapes_.size());
  program.instructions.push_back({op, out, std::move(in), index, number});
  shapes_.push_back(std::move(shape));
  flow.follow(program.instructions.back());
  return out;
}

void Builder::site(int reg, const Site& site, bool stream) {
  Tap& tap = taps_[reg];
  tap.reg = reg;
  tap.stream = tap.stream || stream;
  tap.sites.push_back(site);
}

Program Builder::finish(int output) {
  program.output = output;
  program.registers = static_cast<int>(shapes_.size());
  for (auto& [reg, tap] : taps_) program.taps.push_back(std::move(tap));
  return std::move(program);
}

}  // namespace layerlab::equation
