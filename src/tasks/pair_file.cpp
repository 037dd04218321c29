#include "tasks/pair_file.h"

#include <algorithm>
#include <array>
#include <boost/locale/utf.hpp>
#include <map>
#include <utility>

#include "core/error.h"
#include "core/json.h"

namespace layerlab::tasks {
namespace {

using Texts = std::array<std::string, 2>;

Texts read_json(std::string_view line, const Place& place) {
  const JsonNode tree = parse_json(line, place);
  Texts texts;
  for (const std::size_t i : {0, 1}) {
    const char* const key = i == 0 ? "input" : "target";
    const JsonNode* const node = tree.find(key);
    const auto* const text = node == nullptr ? nullptr : node->get<std::string>();
    if (text == nullptr) {
      throw UserError(place, std::string("has no text \"") + key + "\"",
                      R"(write {"input": "…", "target": "…"})");
    }
    texts[i] = *text;
  }
  return texts;
}

Texts read_tabbed(std::string_view line, const Place& place) {
  const std::size_t tab = line.find('\t');
  if (tab == std::string_view::npos || line.find('\t', tab + 1) != std::string_view::npos) {
    throw UserError(place, "expected an input, one tab and a target",
                    "name the file *.jsonl if it holds JSON");
  }
  return {std::string(line.substr(0, tab)), std::string(line.substr(tab + 1))};
}

std::vector<std::string> characters(const std::string& text, const Place& place) {
  namespace utf = boost::locale::utf;
  std::vector<std::string> tokens;
  for (auto next = text.begin(); next != text.end();) {
    const auto begin = next;
    if (!utf::is_valid_codepoint(utf::utf_traits<char>::decode(next, text.end()))) {
      throw UserError(place, "is not UTF-8", "convert the file to UTF-8");
    }
    tokens.emplace_back(begin, next);
  }
  return tokens;
}

// Unicode's White_Space.
bool is_white(std::uint32_t c) {
  constexpr std::array<std::uint32_t, 8> kOthers = {' ',    0x85,   0xa0,   0x1680,
                                                    0x2028, 0x2029, 0x202f, 0x205f};
  return (c >= '\t' && c <= '\r') || (c >= 0x2000 && c <= 0x200a) || c == 0x3000 ||
         std::ranges::find(kOthers, c) != kOthers.end();
}

// A byte that is not UTF-8 belongs to a word.
std::vector<std::string> words(const std::string& text) {
  namespace utf = boost::locale::utf;
  std::vector<std::string> tokens;
  auto begin = text.begin();  // of the word
  for (auto next = begin; next != text.end();) {
    const auto here = next;
    const std::uint32_t c = utf::utf_traits<char>::decode(next, text.end());
    if (!utf::is_valid_codepoint(c)) next = here + 1;  // decode() may have read beyond it
    if (!is_white(c)) continue;
    if (begin != here) tokens.emplace_back(begin, here);
    begin = next;
  }
  if (begin != text.end()) tokens.emplace_back(begin, text.end());
  return tokens;
}

std::vector<std::string> tokens_of(const std::string& text, Unit unit, const Place& place) {
  switch (unit) {
    case Unit::kCharacter:
      return characters(text, place);
    case Unit::kWord:
      return words(text);
  }
  return {};
}

// Numbers tokens as they turn up, and again in sorted order at the end.
class Numbering {
 public:
  std::int64_t number(std::string token) {
    return ids_.try_emplace(std::move(token), static_cast<std::int64_t>(ids_.size())).first->second;
  }

  void sort(PairFile& file) const {
    std::vector<std::int64_t> sorted(ids_.size());
    for (const auto& [token, id] : ids_) {
      sorted[static_cast<std::size_t>(id)] = static_cast<std::int64_t>(file.vocabulary.size());
      file.vocabulary.push_back(token);
    }
    for (auto& [source, answer] : file.pairs) {
      for (std::vector<std::int64_t>* ids : {&source, &answer}) {
        for (std::int64_t& id : *ids) id = sorted[static_cast<std::size_t>(id)];
      }
    }
  }

 private:
  std::map<std::string, std::int64_t> ids_;
};

}  // namespace

PairFile read_pairs(const std::string& path, std::string_view text, Unit unit) {
  const bool json = path.ends_with(".jsonl");
  PairFile file;
  Numbering numbering;
  Place place{path, 0, 1};
  if (text.starts_with("\xef\xbb\xbf")) text.remove_prefix(3);
  while (!text.empty()) {
    std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(line.size() + 1, text.size()));
    ++place.line;
    if (line.ends_with('\r')) line.remove_suffix(1);
    if (line.empty()) continue;
    const Texts texts = json ? read_json(line, place) : read_tabbed(line, place);
    const auto ids = [&](const std::string& part, const char* what) {
      std::vector<std::int64_t> result;
      for (std::string& token : tokens_of(part, unit, place)) {
        result.push_back(numbering.number(std::move(token)));
      }
      if (result.empty())
        throw UserError(place, what + std::string(" is empty"), "remove the line");
      return result;
    };
    file.pairs.push_back({ids(texts[0], "the input"), ids(texts[1], "the target")});
  }
  if (file.pairs.empty()) throw UserError({path}, "holds no pairs");
  numbering.sort(file);
  return file;
}

}  // namespace layerlab::tasks
