#include "equation/norm_text.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/names.h"

namespace layerlab::equation {
namespace {

const std::vector<std::string> kOptions = {"eps",      "affine",      "bias", "offset",
                                           "unbiased", "eps_outside", "scope"};

double number(const Source& source, const Option& option, Scalars& scalars) {
  const double value = scalars.evaluate_part(source, option.value);
  if (!(value >= 0 && std::isfinite(value))) {
    fail(source, option.value.begin, "expected a number of at least 0 for " + option.name);
  }
  return value;
}

bool flag(const Source& source, const Option& option, Scalars& scalars) {
  const double value = number(source, option, scalars);
  if (value != 0 && value != 1) {
    fail(source, option.value.begin, "expected 0 or 1 for " + option.name);
  }
  return value == 1;
}

// The kinds of norm on which an option has an effect, by their names; all: none are listed.
const std::vector<std::pair<std::string, std::vector<std::string>>>& kinds_with() {
  static const std::vector<std::pair<std::string, std::vector<std::string>>> kinds = {
      {"eps", {"LN", "RMS", "N"}},  {"affine", {"LN", "RMS", "ScaleNorm", "DyT", "N"}},
      {"bias", {"LN", "DyT", "N"}}, {"offset", {"LN", "RMS", "DyT", "N"}},
      {"unbiased", {"LN"}},         {"eps_outside", {"LN", "RMS"}}};
  return kinds;
}

// An option that would do nothing is a mistake.
void require_effect(const Source& source, const Option& option, const std::string& kind) {
  for (const auto& [name, kinds] : kinds_with()) {
    if (name != option.name || std::ranges::find(kinds, kind) != kinds.end()) continue;
    std::string list;
    for (const std::string& one : kinds) {
      list += (list.empty() ? "" : &one == &kinds.back() ? " and " : ", ") + one;
    }
    fail(source, option.begin, "expected " + name + " only in " + list,
         "it changes nothing in " + kind);
  }
}

Scope scope(const Source& source, const Option& option) {
  const std::string& name = option.value.name;
  if (name == "sublayer") return Scope::kSublayer;
  if (name == "block") return Scope::kBlock;
  if (name == "stack") return Scope::kStack;
  fail(source, option.value.begin, "expected sublayer, block or stack for scope");
}

}  // namespace

const std::vector<std::string>& norm_names() {
  static const std::vector<std::string> names = {"LN", "RMS", "L2", "ScaleNorm", "DyT", "N"};
  return names;
}

std::optional<NormType> norm_type(const std::string& name) {
  const std::string kind = split_suffix(name).first;
  if (kind == "LN") return NormType::kLayerNorm;
  if (kind == "RMS") return NormType::kRmsNorm;
  if (kind == "L2") return NormType::kL2;
  if (kind == "ScaleNorm") return NormType::kScaleNorm;
  if (kind == "DyT") return NormType::kDyT;
  if (kind == "N") return NormType::kModel;
  return std::nullopt;
}

NormText read_norm(const Source& source, const Expression& text, Scalars& scalars) {
  const std::optional<NormType> type = norm_type(text.name);
  if (!type) {
    fail(source, text.begin, "expected a norm, got '" + text.name + "'",
         suggestion(text.name, norm_names()));
  }
  NormText result;
  result.norm.type = *type;
  for (const Option& option : text.options) {
    require_effect(source, option, split_suffix(text.name).first);
    if (option.name == "eps") {
      result.norm.eps = number(source, option, scalars);
    } else if (option.name == "affine") {
      result.affine = flag(source, option, scalars);
    } else if (option.name == "bias") {
      result.norm.bias = flag(source, option, scalars);
    } else if (option.name == "offset") {
      result.norm.offset = number(source, option, scalars);
    } else if (option.name == "unbiased") {
      result.norm.unbiased = flag(source, option, scalars);
    } else if (option.name == "eps_outside") {
      result.norm.eps_outside = flag(source, option, scalars);
    } else if (option.name == "scope") {
      result.scope = scope(source, option);
    } else {
      fail(source, option.begin, "expected an option of a norm, got '" + option.name + "'",
           suggestion(option.name, kOptions));
    }
  }
  for (const Option& option : text.options) {
    const bool of_affine = option.name == "bias" || option.name == "offset";
    if (result.affine || !of_affine) continue;
    fail(source, option.begin, "expected no " + option.name + " beside affine=0",
         "there is no weight and no bias");
  }
  return result;
}

}  // namespace layerlab::equation
