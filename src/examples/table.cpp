#include "examples/table.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <functional>
#include <limits>

#include "core/text_table.h"

namespace layerlab::examples {
namespace {

const char* word(Verdict verdict) {
  switch (verdict) {
    case Verdict::kAgrees:
      return "agrees";
    case Verdict::kDocumentErrs:
      return "the document errs";
    case Verdict::kDiffers:
      return "DIFFERS";
  }
  return "";
}

void for_each_row(const std::vector<Document>& documents,
                  const std::function<void(const Row&)>& visit) {
  for (const Document& document : documents) {
    for (const Example& example : document.examples) std::ranges::for_each(example.rows, visit);
  }
}

std::array<int, 3> count(const std::vector<Document>& documents) {
  std::array<int, 3> counts{};
  for_each_row(documents, [&](const Row& row) { ++counts[static_cast<int>(row.verdict)]; });
  return counts;
}

}  // namespace

bool all_as_expected(const std::vector<Document>& documents) {
  return count(documents)[static_cast<int>(Verdict::kDiffers)] == 0;
}

std::string table(const std::vector<Document>& documents) {
  TextTable table{{{""}, {"stated"}, {"layerlab"}, {""}}, {}};
  for (const Document& document : documents) {
    table.rows.push_back({document.title});
    for (const Example& example : document.examples) {
      table.rows.push_back({example.title});
      for (const Row& row : example.rows) {
        table.rows.push_back({row.quantity, row.stated, row.computed, word(row.verdict)});
      }
    }
    table.rows.push_back({""});
  }
  const auto [agree, err, differ] = count(documents);
  return to_text(table, {.width = std::numeric_limits<int>::max(), .indent = 2}) +
         fmt::format("{} agree, in {} the document errs, {} differ\n", agree, err, differ);
}

}  // namespace layerlab::examples
