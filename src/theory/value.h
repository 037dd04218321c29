// The recursion's values: what it knows of a register.
#pragma once

#include <string>
#include <variant>
#include <vector>

#include "equation/shape.h"
#include "theory/second_moments.h"

namespace layerlab::theory {

// A sum of atoms, values that are independent of each other: the embedding, what each branch
// returns; for gradients, the output's and what each branch sends back. A coefficient for each
// atom; those that are missing are 0.
using Combination = std::vector<double>;

Combination& operator+=(Combination& a, const Combination& b);
Combination operator*(double factor, const Combination& a);

// Its moments, where `atoms` are those of the atoms.
SecondMoments moments(const Combination& combination, const std::vector<SecondMoments>& atoms);

// A value that tokens have: [D], or [n, D] with a combination for each of its streams.
struct Signal {
  std::vector<Combination> streams;
  bool several = false;  // [n, D]
};

// A value that all tokens share, known in numbers: learned tensors at first, and what is made of
// them.
struct Constant {
  equation::Shape shape;
  std::vector<double> numbers;
};

// A value without a known formula.
struct Unknown {
  std::string reason;
};

using Value = std::variant<Unknown, Constant, Signal>;

}  // namespace layerlab::theory
