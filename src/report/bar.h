// A number as a tiny horizontal bar.
#pragma once

#include <string>

namespace layerlab::report {

// |value| / largest of `width` characters, in eighths, padded with spaces. Empty where there is
// nothing to draw: NaN, or largest = 0. A value that is not 0 shows at least one eighth.
std::string bar(double value, double largest, int width);

}  // namespace layerlab::report
