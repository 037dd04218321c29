#include "equation/norm_text.h"

#include <algorithm>
#include <cmath>

#include "core/names.h"

namespace layerlab::equation {
namespace {

// A kind of norm and the options that have an effect on it. LN has all.
struct NormKind {
  NormType type{};
  std::string name;
  std::vector<std::string> options;
};
const std::vector<NormKind> kNormKinds = {
    {NormType::kLayerNorm,
     "LN",
     {"eps", "affine", "bias", "offset", "unbiased", "eps_outside", "scope"}},
    {NormType::kRmsNorm, "RMS", {"eps", "affine", "offset", "eps_outside", "scope"}},
    {NormType::kL2, "L2", {"scope"}},
    {NormType::kScaleNorm, "ScaleNorm", {"affine", "scope"}},
    {NormType::kDyT, "DyT", {"affine", "bias", "offset", "scope"}},
    {NormType::kModel, "N", {"eps", "affine", "bias", "offset", "scope"}},
};

bool has_option(const NormKind& kind, const std::string& option) {
  return std::ranges::find(kind.options, option) != kind.options.end();
}

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

// An option that would do nothing is a mistake.
void require_effect(const Source& source, const Option& option, NormType type) {
  std::vector<std::string> kinds;
  for (const NormKind& kind : kNormKinds) {
    if (!has_option(kind, option.name)) continue;
    if (kind.type == type) return;
    kinds.push_back(kind.name);
  }
  if (kinds.empty()) {
    fail(source, option.begin, "expected an option of a norm, got '" + option.name + "'",
         suggestion(option.name, kNormKinds.front().options));
  }
  std::string list;
  for (const std::string& one : kinds) {
    list += (list.empty() ? "" : &one == &kinds.back() ? " and " : ", ") + one;
  }
  fail(source, option.begin, "expected " + option.name + " only in " + list,
       "it changes nothing in " + norm_name(type));
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
  static const std::vector<std::string> names = [] {
    std::vector<std::string> result;
    for (const NormKind& kind : kNormKinds) result.push_back(kind.name);
    return result;
  }();
  return names;
}

std::optional<NormType> norm_type(const std::string& name) {
  const auto kind = std::ranges::find(kNormKinds, split_suffix(name).first, &NormKind::name);
  return kind == kNormKinds.end() ? std::nullopt : std::optional(kind->type);
}

std::string norm_name(NormType type) {
  return std::ranges::find(kNormKinds, type, &NormKind::type)->name;
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
    require_effect(source, option, *type);
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
    } else {
      result.scope = scope(source, option);
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
