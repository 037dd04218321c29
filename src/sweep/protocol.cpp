#include "sweep/protocol.h"

#include <array>
#include <cassert>
#include <limits>

#include "core/json.h"

namespace layerlab::sweep {
namespace {

constexpr std::array<std::string_view, 3> kLevels = {"info", "warning", "error"};

std::string text_of(const JsonNode& node, std::string_view key) {
  const JsonNode* child = node.find(key);
  const auto* text = child == nullptr ? nullptr : child->get<std::string>();
  return text == nullptr ? std::string() : *text;
}

std::int64_t integer_of(const JsonNode& node, std::string_view key) {
  const JsonNode* child = node.find(key);
  const auto* integer = child == nullptr ? nullptr : child->get<std::int64_t>();
  return integer == nullptr ? 0 : *integer;
}

// JSON has no NaN: it travels as null.
double number_of(const JsonNode& node, std::string_view key) {
  const JsonNode* child = node.find(key);
  if (child == nullptr) return std::numeric_limits<double>::quiet_NaN();
  if (const auto* integer = child->get<std::int64_t>()) return static_cast<double>(*integer);
  const auto* number = child->get<double>();
  return number == nullptr ? std::numeric_limits<double>::quiet_NaN() : *number;
}

JsonNode::Object tree(const Progress& progress) {
  return {{"event", "progress"},
          {"step", progress.step},
          {"steps", progress.steps},
          {"loss", progress.loss},
          {"lr", progress.lr},
          {"grad_norm", progress.grad_norm},
          {"tokens_per_second", progress.tokens_per_second}};
}

JsonNode::Object tree(const CellEnded& ended) {
  assert(ended.state == record::CellState::kFinished ||
         ended.state == record::CellState::kDiverged);
  const bool finished = ended.state == record::CellState::kFinished;
  return {{"event", "cell"}, {"cell", ended.cell}, {"status", finished ? "finished" : "diverged"}};
}

JsonNode::Object tree(const Message& message) {
  return {{"event", "message"},
          {"level", std::string(kLevels[static_cast<std::size_t>(message.level)])},
          {"text", message.text}};
}

std::optional<JsonNode> parse_object(std::string_view line) {
  if (line.empty() || line.front() != '{') return std::nullopt;
  try {
    return parse_json(line, {});
  } catch (const UserError&) {
    return std::nullopt;
  }
}

std::optional<Event> cell_ended(const JsonNode& node) {
  const std::string status = text_of(node, "status");
  if (status == "finished") return CellEnded{text_of(node, "cell"), record::CellState::kFinished};
  if (status == "diverged") return CellEnded{text_of(node, "cell"), record::CellState::kDiverged};
  return std::nullopt;
}

std::optional<Event> message(const JsonNode& node) {
  for (std::size_t i = 0; i < kLevels.size(); ++i) {
    if (text_of(node, "level") == kLevels[i]) {
      return Message{static_cast<Level>(i), text_of(node, "text")};
    }
  }
  return std::nullopt;
}

}  // namespace

std::string to_line(const Event& event) {
  return std::visit([](const auto& e) { return to_json(tree(e), JsonLayout::kCompact); }, event);
}

std::optional<Event> parse_line(std::string_view line) {
  const std::optional<JsonNode> node = parse_object(line);
  if (!node) return std::nullopt;
  const std::string kind = text_of(*node, "event");
  if (kind == "progress") {
    return Progress{integer_of(*node, "step"),     integer_of(*node, "steps"),
                    number_of(*node, "loss"),      number_of(*node, "lr"),
                    number_of(*node, "grad_norm"), number_of(*node, "tokens_per_second")};
  }
  if (kind == "cell") return cell_ended(*node);
  if (kind == "message") return message(*node);
  return std::nullopt;
}

std::string to_line(const WorkerVersion& version) {
  const JsonNode::Array devices(version.devices.begin(), version.devices.end());
  const JsonNode::Object tree = {{"version", version.version},
                                 {"torch", version.torch},
                                 {"devices", devices},
                                 {"threads", version.threads},
                                 {"build", version.build}};
  return to_json(tree, JsonLayout::kCompact);
}

std::optional<WorkerVersion> parse_version(std::string_view line) {
  const std::optional<JsonNode> node = parse_object(line);
  if (!node || node->find("torch") == nullptr) return std::nullopt;
  WorkerVersion version{text_of(*node, "version"),
                        text_of(*node, "torch"),
                        text_of(*node, "build"),
                        {},
                        static_cast<int>(integer_of(*node, "threads"))};
  if (const JsonNode* devices = node->find("devices")) {
    if (const auto* array = devices->get<JsonNode::Array>()) {
      for (const JsonNode& device : *array) {
        if (const auto* name = device.get<std::string>()) version.devices.push_back(*name);
      }
    }
  }
  return version;
}

}  // namespace layerlab::sweep
