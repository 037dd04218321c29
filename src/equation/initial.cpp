#include "equation/initial.h"

#include <algorithm>
#include <iterator>

#include "core/names.h"
#include "equation/branch_kinds.h"
#include "equation/program_text.h"

namespace layerlab::equation {
namespace {

constexpr const char* kEmbedding = "embedding";

const NamedScalar* find(const std::vector<NamedScalar>& entries, const std::string& name) {
  const auto entry = std::ranges::find(entries, name, &NamedScalar::name);
  return entry == entries.end() ? nullptr : &*entry;
}

double deviation(const NamedScalar& entry, Scalars& scalars) {
  const double result = scalars.evaluate(entry.value);
  if (result >= 0) return result;
  fail(entry.value, 0,
       "expected a standard deviation of at least 0 for " + entry.name + ", got " +
           number_text(result));
}

bool has(const std::vector<std::string>& names, const std::string& name) {
  return std::ranges::find(names, name) != names.end();
}

}  // namespace

void check_initial(const Block& block, const std::vector<Sublayer>& all) {
  std::vector<std::string> known = {kEmbedding}, full;
  for (const Sublayer& sublayer : all) {
    for (const std::string_view name : branch_kind(sublayer.branch).matrices) {
      const std::string matrix(name);
      if (!has(known, matrix)) known.push_back(matrix);
      full.push_back(sublayer.name + "." + matrix);
    }
  }
  for (const auto* entries : {&block.gain, &block.deviation}) {
    for (const NamedScalar& entry : *entries) {
      if (has(known, entry.name) || has(full, entry.name)) continue;
      const std::string sublayer = entry.name.substr(0, entry.name.find('.') + 1);
      std::vector<std::string> near;  // of the same sub-layer, or all
      std::ranges::copy_if(full, std::back_inserter(near), [&](const std::string& name) {
        return !sublayer.empty() && name.starts_with(sublayer);
      });
      std::string list = "known:";
      for (const std::string& name : near) list += (list.back() == ':' ? " " : ", ") + name;
      throw UserError(
          entry.place, "expected a matrix of this block, got '" + entry.name + "'",
          near.empty() ? suggestion(entry.name, sublayer.empty() ? known : full) : list);
    }
  }
}

InitialWeights initial(const Block& block, const Sublayer& sublayer, Scalars& scalars) {
  InitialWeights result;
  for (const std::string_view of_kind : branch_kind(sublayer.branch).matrices) {
    const std::string matrix(of_kind);
    for (const std::string& name : {matrix, sublayer.name + "." + matrix}) {
      if (const NamedScalar* entry = find(block.gain, name)) {
        result.gain[matrix] = scalars.evaluate(entry->value);
      }
      if (const NamedScalar* entry = find(block.deviation, name)) {
        result.deviation[matrix] = deviation(*entry, scalars);
      }
    }
  }
  return result;
}

void initial_embedding(const Block& block, Scalars& scalars, Program& program) {
  if (const NamedScalar* entry = find(block.gain, kEmbedding)) {
    program.embedding_gain = scalars.evaluate(entry->value);
  }
  if (const NamedScalar* entry = find(block.deviation, kEmbedding)) {
    program.embedding_deviation = deviation(*entry, scalars);
  }
}

}  // namespace layerlab::equation
