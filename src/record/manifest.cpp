#include "record/manifest.h"

#include <unistd.h>

#include <algorithm>
#include <ctime>
#include <utility>

#include "core/error.h"
#include "core/files.h"
#include "core/json.h"

namespace layerlab::record {
namespace {

// The one list of keys, walked both ways: `visit(key, field)`.
void for_each_field(auto& manifest, const auto& visit) {
  visit("versions", manifest.versions);
  visit("host", manifest.host);
  visit("device", manifest.device);
  visit("threads", manifest.threads);
  visit("replicas", manifest.replicas);
  visit("sittings", manifest.sittings);
  visit("started", manifest.started);
  visit("ended", manifest.ended);
  visit("seconds", manifest.seconds);
  visit("steps", manifest.steps);
  visit("measured_steps", manifest.measured.steps);
  visit("measured_seconds", manifest.measured.seconds);
  visit("unmeasured_steps", manifest.unmeasured.steps);
  visit("unmeasured_seconds", manifest.unmeasured.seconds);
}

using Versions = std::map<std::string, std::string>;

JsonNode to_node(const auto& value) { return value; }
JsonNode to_node(const Versions& versions) {
  JsonNode::Object object;
  for (const auto& [name, version] : versions) object.emplace_back(name, version);
  return object;
}

bool from_node(const JsonNode& node, std::string& value) {
  const auto* text = node.get<std::string>();
  if (text != nullptr) value = *text;
  return text != nullptr;
}
bool from_node(const JsonNode& node, std::int64_t& value) {
  const auto* integer = node.get<std::int64_t>();
  if (integer != nullptr) value = *integer;
  return integer != nullptr;
}
bool from_node(const JsonNode& node, int& value) {
  std::int64_t wide = 0;
  if (!from_node(node, wide) || !std::in_range<int>(wide)) return false;
  value = static_cast<int>(wide);
  return true;
}
bool from_node(const JsonNode& node, double& value) {
  std::int64_t integer = 0;
  const auto* number = node.get<double>();
  if (number == nullptr && !from_node(node, integer)) return false;
  value = number != nullptr ? *number : static_cast<double>(integer);
  return true;
}
bool from_node(const JsonNode& node, Versions& versions) {
  const auto* object = node.get<JsonNode::Object>();
  if (object == nullptr) return false;
  for (const auto& [name, version] : *object) {
    if (!from_node(version, versions[name])) return false;
  }
  return true;
}

constexpr std::int64_t kEnoughSteps = 5;  // to say how long one takes

}  // namespace

std::optional<double> measuring_percent(const Manifest& manifest) {
  const StepTimes &with = manifest.measured, &without = manifest.unmeasured;
  const bool enough = std::min(with.steps, without.steps) >= kEnoughSteps;
  if (!enough || !(without.seconds > 0)) return std::nullopt;
  const double usual = without.seconds / static_cast<double>(without.steps);
  const double steps = static_cast<double>(with.steps + without.steps);
  return 100 * (with.seconds + without.seconds - usual * steps) / (usual * steps);
}

void write_manifest(const CellFolder& cell, const Manifest& manifest) {
  JsonNode::Object tree;
  for_each_field(manifest, [&](const char* key, const auto& field) {
    tree.emplace_back(key, to_node(field));
  });
  if (const auto percent = measuring_percent(manifest)) {
    tree.emplace_back("measuring_percent", *percent);
  }
  write_file_atomically(cell.manifest(), to_json(tree, JsonLayout::kIndented) + "\n");
}

Manifest read_manifest(const CellFolder& cell) {
  const Place place{cell.manifest().string()};
  const JsonNode tree = parse_json(read_file(cell.manifest()), place);
  Manifest manifest;
  for_each_field(manifest, [&](const char* key, auto& field) {
    const JsonNode* const node = tree.find(key);
    if (node == nullptr || !from_node(*node, field)) {
      throw UserError(place, std::string("lacks a usable '") + key + "'");
    }
  });
  return manifest;
}

std::optional<double> training_seconds(const CellFolder& cell) {
  try {
    const Manifest manifest = read_manifest(cell);
    return manifest.seconds / manifest.replicas;
  } catch (const UserError&) {
    return std::nullopt;
  }
}

std::string utc_now() {
  const std::time_t now = std::time(nullptr);
  std::tm parts{};
  ::gmtime_r(&now, &parts);
  char text[32];
  std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &parts);
  return text;
}

std::string host_name() {
  char name[256] = {};
  return ::gethostname(name, sizeof name - 1) == 0 ? name : "";
}

}  // namespace layerlab::record
