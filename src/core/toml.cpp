#include "core/toml.h"

#include <toml++/toml.h>

#include <algorithm>

#include "core/files.h"
#include "core/text.h"

namespace layerlab {
namespace {

// The lines of a document, for columns in bytes (toml++ counts characters) and for excerpts.
class Document {
 public:
  Document(std::string_view text, std::string name) : name_(std::move(name)) {
    for (std::size_t begin = 0; begin <= text.size();) {
      const std::size_t end = std::min(text.find('\n', begin), text.size());
      lines_.push_back({text.substr(begin, end - begin), {}});
      begin = end + 1;
    }
  }

  Place place(const toml::source_position& position) {
    const std::size_t line = position.line - 1;
    const std::size_t byte = line < lines_.size() ? byte_of(lines_[line], position.column - 1) : 0;
    return {name_, static_cast<int>(position.line), static_cast<int>(byte) + 1};
  }

  // Of the first character of the string value whose opening quote stands at `quote`.
  Place inside(Place quote) const {
    const std::string_view line = line_at(quote.line);
    const std::size_t begin = static_cast<std::size_t>(quote.column) - 1;
    if (begin >= line.size()) return quote;
    const std::string_view mark = line.substr(begin, 3);
    if (mark != R"(""")" && mark != "'''") return {quote.file, quote.line, quote.column + 1};
    // A line break directly after the opening marks is not part of the string.
    if (begin + 3 >= line.size()) return {quote.file, quote.line + 1, 1};
    return {quote.file, quote.line, quote.column + 3};
  }

  [[noreturn]] void fail(const Place& place, const std::string& expected) const {
    throw UserError(place, expected, {},
                    caret_excerpt(line_at(place.line), static_cast<std::size_t>(place.column) - 1));
  }

 private:
  static constexpr std::size_t kStride = 64;

  struct Line {
    std::string_view text;
    std::vector<std::size_t> bytes;  // where characters 0, kStride, 2 kStride, … begin
  };

  // Where a character of a line begins. Lines may be long and hold many values, so that none is
  // walked from its start for each.
  static std::size_t byte_of(Line& line, std::size_t character) {
    const auto begins = [&](std::size_t byte) { return (line.text[byte] & 0xC0) != 0x80; };
    if (line.text.empty()) return 0;
    if (line.bytes.empty()) {
      std::size_t count = 0;
      for (std::size_t byte = 0; byte < line.text.size(); ++byte) {
        if (begins(byte) && count++ % kStride == 0) line.bytes.push_back(byte);
      }
    }
    const std::size_t mark = std::min(character / kStride, line.bytes.size() - 1);
    std::size_t byte = line.bytes[mark];
    for (std::size_t i = mark * kStride; i < character && byte < line.text.size(); ++i) {
      do ++byte;
      while (byte < line.text.size() && !begins(byte));
    }
    return byte;
  }

  std::string_view line_at(int line) const {
    const auto index = static_cast<std::size_t>(line) - 1;
    return index < lines_.size() ? lines_[index].text : std::string_view{};
  }

  std::string name_;
  std::vector<Line> lines_;
};

// The last character of the string, on one line or more, that begins at `begin`.
std::size_t end_of_string(std::string_view text, std::size_t begin) {
  const char quote = text[begin];
  const std::string marks(3, quote);
  const bool long_string = text.substr(begin).starts_with(marks);
  for (std::size_t i = begin + (long_string ? 3 : 1); i < text.size(); ++i) {
    if (quote == '"' && text[i] == '\\') {
      ++i;
    } else if (long_string && text.substr(i).starts_with(marks)) {
      return std::min(text.find_first_not_of(quote, i), text.size()) - 1;
    } else if (!long_string && (text[i] == quote || text[i] == '\n')) {
      return i;
    }
  }
  return text.size();
}

// Refuses dotted keys, arrays and inline tables that nest too deep. Trees are made and destroyed
// by recursion, and toml++ puts no bound on dotted keys.
void check_levels(std::string_view text, const Document& document, const std::string& name) {
  constexpr std::size_t kMostLevels = 64;
  std::vector<std::size_t> outside;  // levels outside of each open bracket
  std::size_t levels = 0, line = 1, line_begin = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '#') {
      i = std::min(text.find('\n', i), text.size()) - 1;
    } else if (c == '"' || c == '\'') {
      const std::size_t end = std::min(end_of_string(text, i), text.size() - 1);
      i = text[end] == '\n' ? end - 1 : end;
    } else if (c == '[' || c == '{') {
      outside.push_back(levels++);
    } else if ((c == ']' || c == '}') && !outside.empty()) {
      levels = outside.back();
      outside.pop_back();
    } else if (c == ',' || c == '\n') {
      levels = outside.empty() ? 0 : outside.back() + 1;
    } else if (c == '.') {
      ++levels;
    }
    if (levels <= kMostLevels) continue;
    const std::string_view before = text.substr(0, i);
    line += static_cast<std::size_t>(std::ranges::count(before, '\n'));
    line_begin = before.rfind('\n') + 1;
    document.fail({name, static_cast<int>(line), static_cast<int>(i - line_begin) + 1},
                  "not usable TOML: more than 64 levels of tables and arrays");
  }
}

TomlNode convert(const toml::node& node, Document& document, const Place& key_place);

TomlNode::Table convert_table(const toml::table& table, Document& document) {
  TomlNode::Table entries;
  for (const auto& [key, child] : table) {
    const Place place = document.place(key.source().begin);
    entries.emplace_back(std::string(key.str()), convert(child, document, place));
  }
  // toml++ sorts by name; the file's order is what the user meant.
  std::ranges::stable_sort(entries, {}, [](const auto& entry) {
    return std::pair(entry.second.key_place.line, entry.second.key_place.column);
  });
  return entries;
}

TomlNode convert(const toml::node& node, Document& document, const Place& key_place) {
  TomlNode result;
  result.place = result.text_place = document.place(node.source().begin);
  result.key_place = key_place.line > 0 ? key_place : result.place;
  if (const auto* table = node.as_table()) {
    result.value = convert_table(*table, document);
  } else if (const auto* array = node.as_array()) {
    TomlNode::Array elements;
    for (const toml::node& element : *array) elements.push_back(convert(element, document, {}));
    result.value = std::move(elements);
  } else if (const auto* text = node.as_string()) {
    result.value = text->get();
    result.text_place = document.inside(result.place);
  } else if (const auto* integer = node.as_integer()) {
    result.value = integer->get();
  } else if (const auto* number = node.as_floating_point()) {
    result.value = number->get();
  } else if (const auto* boolean = node.as_boolean()) {
    result.value = boolean->get();
  } else {
    throw UserError(result.place, "dates and times have no use here", "write a string in quotes");
  }
  return result;
}

void move_to(TomlNode& node, const Place& place) {
  node.place = node.key_place = node.text_place = place;
  if (auto* table = std::get_if<TomlNode::Table>(&node.value)) {
    for (auto& [key, child] : *table) move_to(child, place);
  } else if (auto* array = std::get_if<TomlNode::Array>(&node.value)) {
    for (TomlNode& child : *array) move_to(child, place);
  }
}

}  // namespace

TomlNode parse_toml_text(std::string_view text, const std::string& name) {
  Document document(text, name);
  check_levels(text, document, name);
  try {
    const Place place{name};
    return {convert_table(toml::parse(text, std::string_view(name)), document), place, place,
            place};
  } catch (const toml::parse_error& error) {
    document.fail(document.place(error.source().begin),
                  "not TOML: " + std::string(error.description()));
  }
}

TomlNode parse_toml_file(const std::filesystem::path& path) {
  return parse_toml_text(read_file(path), path.string());
}

TomlNode parse_toml_value(std::string_view text, const Place& place) {
  const std::size_t begin = std::min(text.find_first_not_of(" \t"), text.size());
  text = text.substr(begin, text.find_last_not_of(" \t") + 1 - begin);
  TomlNode node;
  node.value = std::string(text);
  try {
    TomlNode root = parse_toml_text("value = " + std::string(text), "");
    auto& entries = std::get<TomlNode::Table>(root.value);
    if (entries.size() == 1) node = std::move(entries.front().second);
  } catch (const UserError& error) {
    const bool looks_quoted =
        !text.empty() && std::string_view("[{\"'").find(text[0]) != std::string_view::npos;
    if (looks_quoted) {
      throw UserError(place, "cannot read the value " + std::string(text),
                      "quote a string as \"…\", close an array with ]");
    }
  }
  move_to(node, place);
  return node;
}

}  // namespace layerlab
