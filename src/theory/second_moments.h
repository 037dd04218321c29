// Second moments of a value [B, T, D]: all that the mean-field recursion carries of it.
#pragma once

namespace layerlab::theory {

// Means over features, tokens, sequences and initial weights.
struct SecondMoments {
  double square = 0;  // of an element's square
  double cross = 0;   // of the product of one feature at two different tokens of a sequence

  // Cosine between tokens, 0 for a value of zeros.
  double correlation() const { return square > 0 ? cross / square : 0; }
};

inline SecondMoments operator+(const SecondMoments& a, const SecondMoments& b) {
  return {a.square + b.square, a.cross + b.cross};
}

inline SecondMoments operator*(double factor, const SecondMoments& a) {
  return {factor * a.square, factor * a.cross};
}

}  // namespace layerlab::theory
