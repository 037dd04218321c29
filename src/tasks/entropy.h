#pragma once

#include <vector>

namespace layerlab::tasks {

// In nats, of classes that turn up in these proportions: the cross-entropy of the best constant
// guess. The proportions need not sum to 1.
double entropy(const std::vector<double>& shares);

}  // namespace layerlab::tasks
