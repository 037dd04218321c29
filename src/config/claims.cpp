#include "config/claims.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <optional>
#include <set>

#include "config/keys.h"
#include "config/run_config_toml.h"
#include "core/table_reader.h"

namespace layerlab::config {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

std::optional<double> parse_number(std::string_view text) {
  const std::size_t begin = std::min(text.find_first_not_of(' '), text.size());
  text = text.substr(begin, text.find_last_not_of(' ') + 1 - begin);
  double value = 0;
  const char* const end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc() || rest != end || !(std::abs(value) < kInfinity)) return std::nullopt;
  return value;
}

std::optional<std::pair<double, double>> parse_bounds(std::string_view text) {
  for (const std::string_view mark : {">", "<", "..", "+-"}) {
    const std::size_t at = text.find(mark);
    if (at == std::string_view::npos) continue;
    const auto left = parse_number(text.substr(0, at));
    const auto right = parse_number(text.substr(at + mark.size()));
    const bool open = mark == ">" || mark == "<";
    if (!right || (open ? at != 0 : !left)) return std::nullopt;
    if (mark == ">") return std::pair(*right, kInfinity);
    if (mark == "<") return std::pair(-kInfinity, *right);
    if (mark == "..") return std::pair(*left, *right);
    return std::pair(*left - *right, *left + *right);
  }
  return std::nullopt;
}

Selection read_selection(const TomlNode* node, const std::string& name) {
  if (node == nullptr) return {};
  TableReader(*node, name);  // refuses what is no table
  Selection selection;
  for (const auto& [key, values] : leaves(*node)) {
    selection.push_back(read_choice(key, values));
    for (const TomlNode& value : selection.back().values) check_value(key, value);
  }
  return selection;
}

// The kinds for which `applies` holds, as messages list them.
std::string kinds_with(bool (*applies)(ClaimKind)) {
  std::vector<std::string> kinds;
  for (const std::string& name : choices<ClaimKind>().names) {
    if (applies(value_of<ClaimKind>(name))) kinds.push_back('"' + name + '"');
  }
  return fmt::format("{}", fmt::join(kinds, " or "));
}

// Refuses a key that the claim's kind needs and lacks, or has no use for.
void check_key(const Claim& claim, const TomlNode& node, const char* key,
               bool (*applies)(ClaimKind), const char* why, const char* example) {
  const TomlNode* const given = node.find(key);
  const std::string name = std::string("claim.") + key;
  const std::string kind = "kind = \"" + name_of(claim.kind) + "\"";
  if (given == nullptr && applies(claim.kind)) {
    throw UserError(node.key_place, name + " is missing: " + kind + " " + why,
                    std::string("write for example ") + key + " = " + example);
  }
  if (given != nullptr && !applies(claim.kind)) {
    throw UserError(given->key_place, name + " has no meaning with " + kind,
                    "remove it, or write kind = " + kinds_with(applies));
  }
}

void check_kind(const Claim& claim, const TomlNode& node) {
  check_key(claim, node, "versus", compares, "compares two selections",
            "{ \"model.block\" = \"pre_ln\" }");
  check_key(claim, node, "along", follows_axis, "follows an axis of the grid", "\"model.depth\"");
  const bool open = std::isinf(claim.expect.low) || std::isinf(claim.expect.high);
  if (claim.kind == ClaimKind::kEquivalence && open) {
    throw UserError(node.find("expect")->place, "claim.expect of an equivalence must be a margin",
                    "write for example expect = \"0 +- 0.1\"");
  }
  if (claim.diverged == DivergedRule::kFailure && claim.kind != ClaimKind::kFraction) {
    throw UserError(
        node.find("diverged")->place,
        "claim.diverged = \"failure\" counts a run as 0, which has a meaning with kind = "
        "\"fraction\" only",
        "write for example diverged = \"chance\"");
  }
}

void refuse_empty(const char* key, const std::string& text, const Place& place) {
  if (text.empty()) throw UserError(place, std::string("claim.") + key + " is empty");
}

Claim read_claim(const TomlNode& node) {
  TableReader reader(node, "claim");
  reader.require("id", "\"post_ln_stalls\"");
  reader.require("measure", "\"final('loss') / chance_loss()\"");
  reader.require("expect", "\"> 0.9\"");
  Claim claim;
  claim.place = node.place;
  claim.table = node;
  reader.read("id", claim.id);
  reader.read("source", claim.source);
  reader.read("statement", claim.statement);
  reader.read("measure", claim.measure);
  reader.read("kind", claim.kind);
  reader.read("along", claim.along);
  reader.read("diverged", claim.diverged);
  std::string expect;
  reader.read("expect", expect);
  reader.read("outcome", claim.outcome, OneOf{{"confirmed", "refuted", "inconclusive"}});
  claim.where = read_selection(reader.child("where"), "claim.where");
  claim.versus = read_selection(reader.child("versus"), "claim.versus");
  reader.finish();
  claim.measure_place = node.find("measure")->text_place;
  refuse_empty("id", claim.id, node.find("id")->place);
  refuse_empty("measure", claim.measure, node.find("measure")->place);
  claim.expect = parse_region(expect, node.find("expect")->place);
  check_kind(claim, node);
  if (!claim.along.empty()) {
    claim.along_place = node.find("along")->text_place;
    check_run_key(claim.along, claim.along_place);
  }
  return claim;
}

// The different values that the cells have under `key`, as a list.
std::string values_of(const std::vector<Cell>& cells, const std::string& key) {
  std::vector<std::string> values;
  for (const Cell& cell : cells) {
    const TomlNode* const node = find_path(cell.settings, key);
    const std::string value = node == nullptr ? "none" : to_toml_value(*node);
    if (std::ranges::find(values, value) == values.end()) values.push_back(value);
  }
  return fmt::format("{}", fmt::join(values, ", "));
}

std::optional<UserError> selects_nothing(const std::string& id, const Selection& selection,
                                         const std::vector<Cell>& cells, const std::string& word) {
  const auto any = [&](const Selection& part) {
    return std::ranges::any_of(cells, [&](const Cell& cell) { return selects(part, cell); });
  };
  // Each value must count, so each is tried alone, first without the other keys.
  for (const auto& [key, values] : selection) {
    for (const TomlNode& value : values) {
      if (any({{key, {value}}})) continue;
      return UserError(
          value.place,
          "claim " + id + ": no " + word + " has " + key + " = " + to_toml_value(value),
          "the " + word + "s have " + values_of(cells, key));
    }
  }
  for (std::size_t i = 0; i < selection.size(); ++i) {
    for (const TomlNode& value : selection[i].values) {
      Selection narrowed = selection;
      narrowed[i].values = {value};
      if (any(narrowed)) continue;
      return UserError(value.place,
                       "claim " + id + ": no " + word + " has all of these settings together",
                       "drop one of them, or extend [grid]");
    }
  }
  return std::nullopt;
}

void check_choices(const Claim& claim, const std::optional<Search>& search) {
  for (const Selection* selection : {&claim.where, &claim.versus}) {
    for (const Axis& choice : *selection) {
      check_not_searched(search, choice.key, choice.values.front().place);
    }
  }
  check_not_searched(search, claim.along, claim.along_place);
}

}  // namespace

bool selects(const Selection& selection, const Cell& cell) {
  return std::ranges::all_of(selection, [&](const Axis& choice) {
    const TomlNode* const value = find_path(cell.settings, choice.key);
    const auto is_chosen = [&](const TomlNode& chosen) { return same_value(*value, chosen); };
    return value != nullptr && std::ranges::any_of(choice.values, is_chosen);
  });
}

bool compares(ClaimKind kind) {
  return kind == ClaimKind::kRatio || kind == ClaimKind::kDifference ||
         kind == ClaimKind::kEquivalence;
}

bool follows_axis(ClaimKind kind) {
  return kind == ClaimKind::kSlope || kind == ClaimKind::kExponent || kind == ClaimKind::kTrend;
}

Region parse_region(const std::string& text, const Place& place) {
  const auto bounds = parse_bounds(text);
  if (!bounds) {
    throw UserError(
        place,
        "claim.expect must be \"> a\", \"< a\", \"a .. b\" or \"a +- b\", got \"" + text + "\"",
        "write for example expect = \"> 0.9\"");
  }
  if (!(bounds->first < bounds->second)) {
    throw UserError(place, "claim.expect = \"" + text + "\" holds no number",
                    "write the smaller bound first");
  }
  return {bounds->first, bounds->second, text};
}

std::vector<Claim> read_claims(const TomlNode* claims, const std::optional<Search>& search) {
  if (claims == nullptr) return {};
  const auto* array = std::get_if<TomlNode::Array>(&claims->value);
  if (array == nullptr) {
    throw UserError(claims->key_place,
                    std::string("claim must be an array of tables, got ") + claims->kind(),
                    "write [[claim]]");
  }
  std::vector<Claim> result;
  std::set<std::string> ids;
  for (const TomlNode& node : *array) {
    result.push_back(read_claim(node));
    check_choices(result.back(), search);
    if (!ids.insert(result.back().id).second) {
      throw UserError(node.find("id")->place, "claim.id \"" + result.back().id + "\" is used twice",
                      "give each claim its own");
    }
  }
  return result;
}

std::optional<UserError> selects_nothing(const Claim& claim, const std::vector<Cell>& cells,
                                         const std::string& word) {
  auto wrong = selects_nothing(claim.id, claim.where, cells, word);
  return wrong ? wrong : selects_nothing(claim.id, claim.versus, cells, word);
}

}  // namespace layerlab::config
