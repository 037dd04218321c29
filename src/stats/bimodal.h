// Do values fall into two groups, as when some runs learn and others do not?
#pragma once

#include <span>

namespace layerlab::stats {

// True when at least four values are at hand and one gap between neighbours, with two or more
// values on either side, is wider than three quarters of their whole range. A warning, not a test:
// of normal samples 3.9 % look so at n = 4, 1.4 % at n = 5 and 0.4 % at n = 6.
bool looks_bimodal(std::span<const double> values);

}  // namespace layerlab::stats
