// Numbers as a document states them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace layerlab::examples {

// "13.7858" and "1.9e-18" leave open what follows the last digit: documents round there, or cut.
// So does "~74". "-1" and "1/100" are exact. "nan" is no number.
struct Stated {
  std::string text;
  double value = 0;
  double unit = 0;   // of the last digit; 0: exact
  int decimals = 0;  // behind the point
};

// Of numbers between blanks. REQUIRES: they are written as above.
std::vector<Stated> read_stated(std::string_view text);

// Whether `value` is that number: within one unit of its last digit, or, where it is exact, within
// the rounding of float64 and what an eps of 1e-5 does to the examples, 1e-9. NaN is NaN.
bool agrees(double value, const Stated& stated);

// `value` with as many digits.
std::string as_stated(double value, const Stated& stated);

}  // namespace layerlab::examples
