#include "examples/table.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <functional>

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
  const std::string theirs_head = "stated", ours_head = "layerlab";
  std::size_t quantity = 0, stated = theirs_head.size(), computed = ours_head.size();
  for_each_row(documents, [&](const Row& row) {
    quantity = std::max(quantity, row.quantity.size());
    stated = std::max(stated, row.stated.size());
    computed = std::max(computed, row.computed.size());
  });
  const auto line = [&](const auto& name, const auto& theirs, const auto& ours, const auto& end) {
    return fmt::format("  {:<{}}  {:<{}}  {:<{}}  {}\n", name, quantity, theirs, stated, ours,
                       computed, end);
  };
  std::string text;
  for (const Document& document : documents) {
    text += document.title + "\n" + line("", theirs_head, ours_head, "");
    while (text.ends_with(" \n")) text.erase(text.size() - 2, 1);
    for (const Example& example : document.examples) {
      text += example.title + "\n";
      for (const Row& row : example.rows) {
        text += line(row.quantity, row.stated, row.computed, word(row.verdict));
      }
    }
    text += "\n";
  }
  const auto [agree, err, differ] = count(documents);
  return text + fmt::format("{} agree, in {} the document errs, {} differ\n", agree, err, differ);
}

}  // namespace layerlab::examples
