// A program under construction.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "equation/flow.h"
#include "equation/program.h"

namespace layerlab::equation {

class Builder {
 public:
  // Register 0 has the shape of the input.
  explicit Builder(Shape input) : shapes_{std::move(input)} {}

  // Appends an instruction that writes a new register, and returns that.
  int emit(Op op, std::vector<int> in, Shape shape, int index = -1, double number = 0);

  const Shape& shape(int reg) const { return shapes_[reg]; }

  // Says that `reg` is (also) the place `site`.
  void site(int reg, const Site& site, bool stream);

  // The program, with `output` as its result. To be called once, at the end.
  Program finish(int output);

  Flow flow;        // of this block's values
  Program program;  // norms, branches, grus and parameters are appended directly

 private:
  std::vector<Shape> shapes_;  // by register
  std::map<int, Tap> taps_;    // by register
};

}  // namespace layerlab::equation
