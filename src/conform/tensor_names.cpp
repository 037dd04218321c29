#include "conform/tensor_names.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>

#include "core/toml.h"
#include "embedded/aliases.h"

namespace layerlab::conform {
namespace {

constexpr std::array<std::string_view, 7> kEnds = {"input", "input_ids",   "memory",      "output",
                                                   "loss",  "loss_weight", "final_hidden"};
constexpr std::array<std::string_view, 7> kPlaces = {
    "block_in",         "block_out",         "block_in_dual",    "block_out_dual",
    "block_in_streams", "block_out_streams", "stream_after_attn"};

bool contains(const auto& names, std::string_view name) {
  return std::ranges::find(names, name) != names.end();
}

std::string without_side(const std::string& name) {
  return name.starts_with("enc.") || name.starts_with("dec.") ? name.substr(4) : name;
}

// The first part of a dotted name and the rest.
std::pair<std::string, std::string> split(const std::string& name) {
  const std::size_t dot = name.find('.');
  if (dot == std::string::npos) return {name, ""};
  return {name.substr(0, dot), name.substr(dot + 1)};
}

std::optional<SiteName> site_name(const std::string& name, const std::string& prefix) {
  if (!name.starts_with(prefix)) return std::nullopt;
  const auto [kind, after] = split(name.substr(prefix.size()));
  const auto [layer, rest] = split(after);
  const bool number = !layer.empty() && layer.size() < 6 &&
                      std::ranges::all_of(layer, [](char c) { return c >= '0' && c <= '9'; });
  if (!number) return std::nullopt;
  if (kind == "at" ? rest.empty() : !(contains(kPlaces, kind) && rest.empty())) return std::nullopt;
  return SiteName{name, kind, std::stoi(layer), rest};
}

const TomlNode::Table& aliases() {
  static const TomlNode root = parse_toml_text(embedded::kAliases, "src/conform/aliases.toml");
  return std::get<TomlNode::Table>(root.value);
}

}  // namespace

bool is_parameter(const std::string& name) {
  return !name.starts_with("grad.") && !contains(kEnds, name) && !site_name(without_side(name), "");
}

std::vector<std::string> our_names(const std::string& name) {
  for (const auto& [theirs, ours] : aliases()) {
    if (name != theirs && !name.ends_with("." + theirs)) continue;
    const std::string begin = name.substr(0, name.size() - theirs.size());
    if (const auto* one = std::get_if<std::string>(&ours.value)) return {begin + *one};
    std::vector<std::string> names;
    for (const TomlNode& part : std::get<TomlNode::Array>(ours.value)) {
      names.push_back(begin + std::get<std::string>(part.value));
    }
    return names;
  }
  return {name};
}

std::vector<SiteName> sites_of(const record::SafeTensors& file, const std::string& prefix) {
  std::vector<SiteName> sites;
  for (const auto& [name, tensor] : file.tensors) {
    if (auto site = site_name(name, prefix)) sites.push_back(std::move(*site));
  }
  return sites;
}

}  // namespace layerlab::conform
