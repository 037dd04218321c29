#include "equation/declarations.h"

#include <algorithm>
#include <set>

#include "equation/scalar.h"
#include "equation/syntax.h"

namespace layerlab::equation {
namespace {

// Names that texts mention, and those that constants among them mention in turn.
class Mentions {
 public:
  explicit Mentions(const std::vector<NamedScalar>& constants) : constants_(constants) {}

  bool contains(const std::string& name) const { return names_.contains(name); }

  void add(const Source& source) {
    for (const Statement& statement : parse(source)) add(statement.value);
  }

 private:
  void add(const Expression& e) {
    if (e.kind == Expression::Kind::kName && names_.insert(e.name).second) {
      for (const NamedScalar& constant : constants_) {
        if (constant.name == e.name) add(constant.value);
      }
    }
    for (const Expression& operand : e.operands) add(operand);
    for (const Option& option : e.options) add(option.value);
  }

  const std::vector<NamedScalar>& constants_;
  std::set<std::string> names_;
};

[[noreturn]] void refuse(const std::string& name, const Place& place) {
  throw UserError(place, "expected " + name + " to be used",
                  "use it in the equation, or remove it");
}

}  // namespace

void refuse_taken_names(const Block& block) {
  const auto refuse_x = [](const std::string& name, const Place& place) {
    if (name != "x") return;
    throw UserError(place, "expected a free name, and x is the stream",
                    "take another, for example alpha");
  };
  for (const NamedScalar& constant : block.constants) refuse_x(constant.name, constant.place);
  for (const ParameterEntry& entry : block.parameters) {
    refuse_x(entry.name, entry.place);
    if (is_size_name(entry.name)) {
      throw UserError(entry.place,
                      "expected a free name, and " + entry.name + " stands for a size");
    }
    if (std::ranges::find(block.constants, entry.name, &NamedScalar::name) !=
        block.constants.end()) {
      throw UserError(entry.place, "expected a free name, and " + entry.name + " is a const too",
                      "take another name for one of them");
    }
  }
}

void refuse_unused(const Block& block, const Source& finish) {
  Mentions mentions(block.constants);
  for (const Source* source : {&block.equation, &block.start, &finish}) mentions.add(*source);
  for (const auto* entries : {&block.gain, &block.deviation}) {
    for (const NamedScalar& entry : *entries) mentions.add(entry.value);
  }
  for (const ParameterEntry& entry : block.parameters) {
    if (!mentions.contains(entry.name)) refuse(entry.name, entry.place);
    for (const Source& size : entry.shape) mentions.add(size);
    mentions.add(entry.init);
  }
  for (const NamedScalar& constant : block.constants) {
    if (!mentions.contains(constant.name)) refuse(constant.name, constant.place);
  }
}

}  // namespace layerlab::equation
