// What a document states beside what layerlab computes.
#pragma once

#include <string>
#include <vector>

#include "stats/interval.h"

namespace layerlab::examples {

enum class Verdict {
  kAgrees,
  kDocumentErrs,  // it differs, and we know why: docs/examples.md
  kDiffers
};

struct Row {
  std::string quantity, stated, computed;
  Verdict verdict{};
};

struct Example {
  std::string title;  // its equation
  std::vector<Row> rows;
};

struct Document {
  std::string title;
  std::vector<Example> examples;
};

// Agrees where all of the numbers `stated` (stated.h) do, one after the other.
Row compare(const std::string& quantity, const std::string& stated,
            const std::vector<double>& computed);

// Where the document errs and `right` would be right: kDocumentErrs where `computed` agrees with
// that and not with what is stated.
Row compare_with_error(const std::string& quantity, const std::string& stated,
                       const std::string& right, const std::vector<double>& computed);

// What a simulation finds, with a 99 % interval.
struct Simulated {
  double value;
  stats::Interval interval;
};
constexpr double kMiss = 0.01;

// Agrees where the interval contains the one number that is stated.
Row compare_by_interval(const std::string& quantity, const std::string& stated,
                        const Simulated& computed);

// What is stated of a region: agrees where the interval lies in it.
Row compare_with_region(const std::string& quantity, const std::string& stated,
                        const stats::Interval& region, const Simulated& computed);

// Where the document errs: kDocumentErrs where the interval lies in the region that is right.
// REQUIRES: that does not contain what is stated.
Row compare_with_error(const std::string& quantity, const std::string& stated,
                       const stats::Interval& right, const Simulated& computed);

}  // namespace layerlab::examples
