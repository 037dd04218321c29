#include "claims/verdicts_json.h"

#include "config/claims.h"
#include "core/json.h"
#include "core/table_reader.h"

namespace layerlab::claims {
namespace {

JsonNode number(const std::optional<double>& value) {
  return value ? JsonNode(*value) : JsonNode();
}

JsonNode runs_json(const std::vector<RunNumber>& runs) {
  JsonNode::Array list;
  for (const RunNumber& run : runs) {
    JsonNode::Object entry = {{"cell", run.cell},
                              {"seed", static_cast<std::int64_t>(run.seed)},
                              {"value", number(run.value)}};
    if (!run.value) entry.emplace_back("missing", run.missing);
    if (run.found) entry.emplace_back("found", *run.found);
    list.push_back(std::move(entry));
  }
  return list;
}

JsonNode sample_json(const std::vector<SeedNumber>& numbers) {
  JsonNode::Array list;
  for (const SeedNumber& number : numbers) {
    list.push_back(JsonNode::Object{{"seed", static_cast<std::int64_t>(number.seed)},
                                    {"value", number.value}});
  }
  return list;
}

JsonNode answer_json(const ClaimResult& result) {
  const auto end = [&](double stats::Interval::*which) {
    return result.interval ? JsonNode((*result.interval).*which) : JsonNode();
  };
  JsonNode::Array warnings(result.warnings.begin(), result.warnings.end());
  return JsonNode::Object{
      {"id", result.claim.id},
      {"source", result.claim.source},
      {"statement", result.claim.statement},
      {"kind", name_of(result.claim.kind)},
      {"along", result.claim.along},
      {"measure", result.claim.measure},
      {"diverged", name_of(result.claim.diverged)},
      {"expect", result.claim.expect.text},
      {"outcome", result.claim.outcome},
      {"verdict", to_text(result.verdict)},
      {"as_expected", result.as_expected},
      {"estimate", number(result.estimate)},
      {"low", end(&stats::Interval::low)},
      {"high", end(&stats::Interval::high)},
      {"level", result.interval ? JsonNode(result.level) : JsonNode()},
      {"method", result.method},
      {"p", result.interval ? JsonNode(result.p) : JsonNode()},
      {"p_adjusted", result.interval ? JsonNode(result.p_adjusted) : JsonNode()},
      {"reason", result.reason},
      {"warnings", std::move(warnings)},
      {"paired", config::compares(result.claim.kind) ? JsonNode(result.paired) : JsonNode()},
      {"sample", sample_json(result.sample)},
      {"versus_sample", sample_json(result.versus_sample)},
      {"where", runs_json(result.where)},
      {"versus", runs_json(result.versus)},
  };
}

}  // namespace

std::string verdicts_json(const std::vector<ClaimResult>& results) {
  JsonNode::Array claims;
  for (const ClaimResult& result : results) claims.push_back(answer_json(result));
  return to_json(JsonNode::Object{{"claims", std::move(claims)}}, JsonLayout::kIndented) + "\n";
}

}  // namespace layerlab::claims
