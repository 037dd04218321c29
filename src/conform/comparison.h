// The outcome of a comparison, and its lines on the worker's standard output:
//
//   {"tensor":"block_out.0","kind":"value","max_error":…,"relative_error":…,"tolerance":1e-11}
//   {"missing":"blocks.0.attn.norm.weight"}   a parameter of the equation that the file lacks
//   {"unused":"final_norm.weight"}            the other way round
//   {"difference":"…"}                        where values differ first
//   {"explanation":"…"}                       a change that makes the two agree
//   {"tried":60}                              how many single changes were tried
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace layerlab::conform {

enum class TensorKind { kValue, kGradient };

// Largest errors that rounding explains, as docs/conform.md defines the errors.
struct Tolerances {
  double values, gradients;
};
inline constexpr Tolerances kFloat64{1e-11, 1e-10}, kFloat32{1e-5, 1e-4};

struct TensorComparison {
  std::string tensor;
  TensorKind kind = TensorKind::kValue;
  double max_error = 0, relative_error = 0, tolerance = 0;  // NaN where a value is not finite

  bool agrees() const { return relative_error <= tolerance; }
};

struct Comparison {
  std::vector<TensorComparison> rows;        // values first, in the order of the model
  std::vector<std::string> missing, unused;  // parameters; where there are any, rows may be empty
  std::string difference;                    // where values differ first
  std::vector<std::string> explanations;
  int tried = 0;  // changes that fit the file, each on its own

  bool agrees() const;
};

std::vector<std::string> to_lines(const Comparison& comparison);

// Adds what a line says; whatever is no such line is passed over: libraries print there too.
void read_line(std::string_view line, Comparison& comparison);

}  // namespace layerlab::conform
