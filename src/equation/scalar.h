// Scalar expressions: numbers that are known before anything runs.
//
// Names: L blocks of this stack, l block from 1, S sub-layers of this stack, s sub-layer from 1,
// D, H, K, ff; N_enc and M_dec in an encoder-decoder; the block's constants; i and j in a
// parameter's init. Functions: sqrt log exp min max round floor mod eq (1 where its two arguments
// are equal, else 0).
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "equation/program.h"
#include "equation/syntax.h"

namespace layerlab::equation {

// Whether `name` is one of the functions above.
bool is_scalar_function(const std::string& name);
const std::vector<std::string>& scalar_functions();

// A text that is one scalar expression. Throws UserError with a caret where it is not.
class ScalarText {
 public:
  explicit ScalarText(const Source& source);  // must outlive this

  bool names(const std::string& name) const;  // whether the name stands in it

  const Source& source;
  Expression expression;
};

// Names with values, some of which are expressions of others.
class Scalars {
 public:
  // `constants` must outlive this. Throws UserError where one has a reserved name, or is there
  // twice.
  explicit Scalars(const std::vector<NamedScalar>& constants);
  explicit Scalars(std::vector<NamedScalar>&&) = delete;

  void set(const std::string& name, double value) { values_[name] = value; }
  void forget(const std::string& name) { values_.erase(name); }

  // Whether `name` has a value here; evaluate with value().
  bool knows(const std::string& name) const;

  // The value of a name. Throws UserError where constants depend on themselves.
  double value(const std::string& name);

  // The value of a whole expression. Throws UserError with a caret for unknown names and whatever
  // is not a number, and where the result is not finite.
  double evaluate(const ScalarText& text);
  double evaluate(const Source& source) { return evaluate(ScalarText(source)); }

  // The same for a part of a text.
  double evaluate_part(const Source& source, const Expression& expression);

  std::vector<std::string> names() const;

 private:
  const std::vector<NamedScalar>& constants_;
  std::map<std::string, double> values_;
  std::set<std::string> resolving_;
};

// Sets L, D, H, K, ff and, in an encoder-decoder, N_enc and M_dec.
void set_sizes(const Sizes& sizes, Scalars& scalars);

// Names that stand for sizes, and cannot be given to anything else.
bool is_size_name(const std::string& name);

}  // namespace layerlab::equation
