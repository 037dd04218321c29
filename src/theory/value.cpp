#include "theory/value.h"

namespace layerlab::theory {

Combination& operator+=(Combination& a, const Combination& b) {
  if (a.size() < b.size()) a.resize(b.size());
  for (std::size_t i = 0; i < b.size(); ++i) a[i] += b[i];
  return a;
}

Combination operator*(double factor, const Combination& a) {
  Combination result = a;
  for (double& coefficient : result) coefficient *= factor;
  return result;
}

SecondMoments moments(const Combination& combination, const std::vector<SecondMoments>& atoms) {
  SecondMoments sum;
  for (std::size_t i = 0; i < combination.size(); ++i) {
    sum = sum + (combination[i] * combination[i]) * atoms[i];
  }
  return sum;
}

}  // namespace layerlab::theory
