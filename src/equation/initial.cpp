#include "equation/initial.h"

#include <algorithm>

#include "core/names.h"

namespace layerlab::equation {
namespace {

constexpr const char* kEmbedding = "embedding";

const std::vector<std::string>& matrices(BranchType type) {
  static const std::vector<std::string> attention = {"q", "k", "v", "o"};
  static const std::vector<std::string> feed_forward = {"up", "down", "gate"};
  return type == BranchType::kFeedForward ? feed_forward : attention;
}

bool has(const std::vector<std::string>& names, const std::string& name) {
  return std::ranges::find(names, name) != names.end();
}

}  // namespace

void check_initial(const Block& block, const std::vector<Sublayer>& all) {
  std::vector<std::string> short_names, full_names;
  for (const Sublayer& sublayer : all) {
    for (const std::string& matrix : matrices(sublayer.branch)) {
      if (!has(short_names, matrix)) short_names.push_back(matrix);
      full_names.push_back(sublayer.name + "." + matrix);
    }
  }
  short_names.emplace_back(kEmbedding);
  for (const auto* entries : {&block.gain, &block.deviation}) {
    for (const NamedScalar& entry : *entries) {
      if (has(short_names, entry.name) || has(full_names, entry.name)) continue;
      const bool full = entry.name.find('.') != std::string::npos;
      throw UserError(entry.place, "expected a matrix of this block, got '" + entry.name + "'",
                      suggestion(entry.name, full ? full_names : short_names));
    }
  }
}

std::map<std::string, double> initial(const std::vector<NamedScalar>& entries,
                                      const Sublayer& sublayer, Scalars& scalars) {
  std::map<std::string, double> result;
  for (const std::string& matrix : matrices(sublayer.branch)) {
    for (const std::string& name : {matrix, sublayer.name + "." + matrix}) {
      const auto entry = std::ranges::find(entries, name, &NamedScalar::name);
      if (entry != entries.end()) result[matrix] = scalars.evaluate(entry->value);
    }
  }
  return result;
}

std::optional<double> initial_embedding(const std::vector<NamedScalar>& entries, Scalars& scalars) {
  const auto entry = std::ranges::find(entries, kEmbedding, &NamedScalar::name);
  if (entry == entries.end()) return std::nullopt;
  return scalars.evaluate(entry->value);
}

}  // namespace layerlab::equation
