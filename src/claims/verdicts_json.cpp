#include "claims/verdicts_json.h"

#include "config/enum_names.h"
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

JsonNode answer_json(const Answer& answer) {
  const auto end = [&](double stats::Interval::*which) {
    return answer.interval ? JsonNode((*answer.interval).*which) : JsonNode();
  };
  JsonNode::Array warnings(answer.warnings.begin(), answer.warnings.end());
  return JsonNode::Object{
      {"id", answer.claim.id},
      {"source", answer.claim.source},
      {"statement", answer.claim.statement},
      {"kind", name_of(answer.claim.kind)},
      {"along", answer.claim.along},
      {"measure", answer.claim.measure},
      {"diverged", name_of(answer.claim.diverged)},
      {"expect", answer.claim.expect.text},
      {"outcome", answer.claim.outcome},
      {"verdict", to_text(answer.verdict)},
      {"as_expected", answer.as_expected},
      {"estimate", number(answer.estimate)},
      {"low", end(&stats::Interval::low)},
      {"high", end(&stats::Interval::high)},
      {"level", answer.interval ? JsonNode(answer.level) : JsonNode()},
      {"method", answer.method},
      {"p", answer.interval ? JsonNode(answer.p) : JsonNode()},
      {"p_adjusted", answer.interval ? JsonNode(answer.p_adjusted) : JsonNode()},
      {"reason", answer.reason},
      {"warnings", std::move(warnings)},
      {"paired", config::compares(answer.claim.kind) ? JsonNode(answer.paired) : JsonNode()},
      {"sample", sample_json(answer.sample)},
      {"versus_sample", sample_json(answer.versus_sample)},
      {"where", runs_json(answer.where)},
      {"versus", runs_json(answer.versus)},
  };
}

}  // namespace

std::string verdicts_json(const std::vector<Answer>& answers) {
  JsonNode::Array claims;
  for (const Answer& answer : answers) claims.push_back(answer_json(answer));
  return to_json(JsonNode::Object{{"claims", std::move(claims)}}, JsonLayout::kIndented) + "\n";
}

}  // namespace layerlab::claims
