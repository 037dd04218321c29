#include "tasks/parity.h"

#include <functional>
#include <numeric>

namespace layerlab::tasks {

ParityTask::Symbols ParityTask::answer(const Symbols& source) const {
  Symbols parities(source.size());
  std::partial_sum(source.begin(), source.end(), parities.begin(), std::bit_xor<>());
  return parities;
}

}  // namespace layerlab::tasks
