#include "conform/comparison.h"

#include <algorithm>
#include <limits>

#include "core/json.h"

namespace layerlab::conform {
namespace {

constexpr const char* kKinds[] = {"value", "gradient"};

double number(const JsonNode& node, const char* key) {
  const JsonNode* found = node.find(key);
  if (found != nullptr) {
    if (const auto* value = found->get<double>()) return *value;
    if (const auto* value = found->get<std::int64_t>()) return static_cast<double>(*value);
  }
  return std::numeric_limits<double>::quiet_NaN();  // which JSON writes as null
}

const std::string* text(const JsonNode& node, const char* key) {
  const JsonNode* found = node.find(key);
  return found == nullptr ? nullptr : found->get<std::string>();
}

std::string line(const char* key, const std::string& value) {
  return to_json(JsonNode::Object{{key, value}}, JsonLayout::kCompact);
}

}  // namespace

bool Comparison::agrees() const {
  return !rows.empty() && missing.empty() && unused.empty() &&
         std::ranges::all_of(rows, &TensorComparison::agrees);
}

std::vector<std::string> to_lines(const Comparison& comparison) {
  std::vector<std::string> lines;
  for (const TensorComparison& row : comparison.rows) {
    const JsonNode::Object object = {{"tensor", row.tensor},
                                     {"kind", kKinds[static_cast<int>(row.kind)]},
                                     {"max_error", row.max_error},
                                     {"relative_error", row.relative_error},
                                     {"tolerance", row.tolerance}};
    lines.push_back(to_json(object, JsonLayout::kCompact));
  }
  for (const std::string& name : comparison.missing) lines.push_back(line("missing", name));
  for (const std::string& name : comparison.unused) lines.push_back(line("unused", name));
  if (!comparison.difference.empty()) lines.push_back(line("difference", comparison.difference));
  for (const std::string& what : comparison.explanations) {
    lines.push_back(line("explanation", what));
  }
  if (comparison.tried > 0) {
    lines.push_back(to_json(JsonNode::Object{{"tried", comparison.tried}}, JsonLayout::kCompact));
  }
  return lines;
}

void read_line(std::string_view line, Comparison& comparison) {
  if (!line.starts_with('{')) return;
  JsonNode node;
  try {
    node = parse_json(line, {});
  } catch (const UserError&) {
    return;
  }
  if (const std::string* tensor = text(node, "tensor")) {
    const std::string* kind = text(node, "kind");
    comparison.rows.push_back(
        {*tensor,
         kind != nullptr && *kind == "gradient" ? TensorKind::kGradient : TensorKind::kValue,
         number(node, "max_error"), number(node, "relative_error"), number(node, "tolerance")});
  }
  if (const std::string* name = text(node, "missing")) comparison.missing.push_back(*name);
  if (const std::string* name = text(node, "unused")) comparison.unused.push_back(*name);
  if (const std::string* where = text(node, "difference")) comparison.difference = *where;
  if (const std::string* what = text(node, "explanation")) {
    comparison.explanations.push_back(*what);
  }
  if (const JsonNode* tried = node.find("tried")) {
    if (const auto* number = tried->get<std::int64_t>()) {
      comparison.tried = static_cast<int>(*number);
    }
  }
}

}  // namespace layerlab::conform
