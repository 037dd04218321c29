#include "sweep/protocol.h"

#include <array>
#include <cassert>
#include <limits>
#include <nlohmann/json.hpp>

namespace layerlab::sweep {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::array<const char*, 3> kLevels = {"info", "warning", "error"};
constexpr std::size_t kLongestExcerpt = 200;

Json tree(const Progress& progress) {
  return {{"event", "progress"},
          {"step", progress.step},
          {"steps", progress.steps},
          {"loss", progress.loss},
          {"lr", progress.lr},
          {"grad_norm", progress.grad_norm},
          {"tokens_per_second", progress.tokens_per_second}};
}

Json cell_tree(const std::string& cell, const char* status) {
  return {{"event", "cell"}, {"cell", cell}, {"status", status}};
}

Json tree(const CellEnded& ended) {
  assert(record::has_ended(ended.state));
  const bool finished = ended.state == record::CellState::kFinished;
  return cell_tree(ended.cell, finished ? "finished" : "diverged");
}

Json tree(const CellElsewhere& held) { return cell_tree(held.cell, "elsewhere"); }

Json tree(const Message& message) {
  return {{"event", "message"},
          {"level", kLevels[static_cast<std::size_t>(message.level)]},
          {"text", message.text}};
}

// On one line. Bytes that are no UTF-8, as names of files may have, become U+FFFD.
std::string text_of(const Json& tree) {
  return tree.dump(-1, ' ', /*ensure_ascii=*/false, Json::error_handler_t::replace);
}

// JSON has no NaN: it travels as null.
double number_of(const Json& tree, const char* key) {
  const Json& node = tree.at(key);
  return node.is_null() ? std::numeric_limits<double>::quiet_NaN() : node.get<double>();
}

std::optional<Event> event_of(const Json& tree) {
  const auto kind = tree.at("event").get<std::string>();
  if (kind == "progress") {
    return Progress{tree.at("step").get<std::int64_t>(),
                    tree.at("steps").get<std::int64_t>(),
                    number_of(tree, "loss"),
                    number_of(tree, "lr"),
                    number_of(tree, "grad_norm"),
                    number_of(tree, "tokens_per_second")};
  }
  if (kind == "cell") {
    const auto cell = tree.at("cell").get<std::string>();
    const auto status = tree.at("status").get<std::string>();
    if (status == "finished") return CellEnded{cell, record::CellState::kFinished};
    if (status == "diverged") return CellEnded{cell, record::CellState::kDiverged};
    if (status == "elsewhere") return CellElsewhere{cell};
  }
  if (kind == "message") {
    for (std::size_t i = 0; i < kLevels.size(); ++i) {
      if (tree.at("level") != kLevels[i]) continue;
      return Message{static_cast<Level>(i), tree.at("text").get<std::string>()};
    }
  }
  return std::nullopt;
}

Json parse(std::string_view line) {
  return line.starts_with('{') ? Json::parse(line, nullptr, /*allow_exceptions=*/false) : Json();
}

}  // namespace

std::string to_line(const Event& event) {
  return std::visit([](const auto& e) { return text_of(tree(e)); }, event);
}

std::optional<Event> parse_line(std::string_view line) {
  const Json tree = parse(line);
  if (!tree.is_object() || !tree.contains("event")) return std::nullopt;
  try {
    if (std::optional<Event> event = event_of(tree)) return event;
  } catch (const Json::exception&) {  // of what is missing, or of another type
  }
  throw ProtocolError(std::string(line.substr(0, kLongestExcerpt)));
}

std::string to_line(const WorkerVersion& version) {
  return text_of({{"version", version.version},
                  {"torch", version.torch},
                  {"devices", version.devices},
                  {"threads", version.threads},
                  {"build", version.build}});
}

std::optional<WorkerVersion> parse_version(std::string_view line) {
  const Json tree = parse(line);
  try {
    return WorkerVersion{tree.value("version", ""), tree.at("torch"), tree.value("build", ""),
                         tree.value("devices", std::vector<std::string>()),
                         tree.value("threads", 0)};
  } catch (const Json::exception&) {
    return std::nullopt;
  }
}

}  // namespace layerlab::sweep
