// How a number changes along an axis, for one seed: the slope of a line and the order of points.
#pragma once

#include <span>

namespace layerlab::stats {

// Slope of the least-squares line: sum (x - mean x)(y - mean y) / sum (x - mean x)^2.
// REQUIRES: as many y as x; two different x.
double least_squares_slope(std::span<const double> x, std::span<const double> y);

// Kendall's tau-a (Kendall 1938, "A new measure of rank correlation"): pairs of points that y ranks
// as x does, less those it ranks the other way, over all pairs; 1 when y grows from each x to the
// next, -1 when it falls. A tie counts for neither, so constant y give 0.
// REQUIRES: as many y as x, at least two.
double kendall_tau(std::span<const double> x, std::span<const double> y);

}  // namespace layerlab::stats
