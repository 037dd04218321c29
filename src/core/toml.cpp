#include "core/toml.h"

#include <toml++/toml.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cmath>
#include <fstream>
#include <sstream>
#include <system_error>

namespace layerlab {
namespace {

// The lines of a document, for columns in bytes (toml++ counts characters) and for excerpts.
class Document {
 public:
  Document(std::string_view text, std::string name) : name_(std::move(name)) {
    for (std::size_t begin = 0; begin <= text.size();) {
      const std::size_t end = std::min(text.find('\n', begin), text.size());
      lines_.push_back(text.substr(begin, end - begin));
      begin = end + 1;
    }
  }

  Place place(const toml::source_position& position) const {
    const std::string_view line = line_at(static_cast<int>(position.line));
    std::size_t byte = 0;
    for (toml::source_index column = 1; column < position.column && byte < line.size(); ++column) {
      do ++byte;
      while (byte < line.size() && (line[byte] & 0xC0) == 0x80);  // inside a UTF-8 character
    }
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

  std::string excerpt(const Place& place) const {
    const std::string line(line_at(place.line));
    return line + "\n" + std::string(static_cast<std::size_t>(place.column) - 1, ' ') + "^";
  }

 private:
  std::string_view line_at(int line) const {
    const auto index = static_cast<std::size_t>(line) - 1;
    return index < lines_.size() ? lines_[index] : std::string_view{};
  }

  std::string name_;
  std::vector<std::string_view> lines_;
};

TomlNode convert(const toml::node& node, const Document& document, const Place& key_place);

TomlNode::Table convert_table(const toml::table& table, const Document& document) {
  TomlNode::Table entries;
  for (const auto& [key, child] : table) {
    const Place place = document.place(key.source().begin);
    entries.emplace_back(std::string(key.str()), convert(child, document, place));
  }
  // toml++ sorts by name; the file's order is what the user meant.
  std::stable_sort(entries.begin(), entries.end(), [](const auto& a, const auto& b) {
    const Place& left = a.second.key_place;
    const Place& right = b.second.key_place;
    return std::pair(left.line, left.column) < std::pair(right.line, right.column);
  });
  return entries;
}

TomlNode convert(const toml::node& node, const Document& document, const Place& key_place) {
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

std::string quoted(const std::string& text) {
  const toml::value<std::string> value{text};
  std::ostringstream out;
  out << toml::toml_formatter(value, toml::format_flags::allow_unicode_strings);
  return out.str();
}

std::string key_text(const std::string& key) {
  const bool bare = !key.empty() && std::all_of(key.begin(), key.end(), [](unsigned char c) {
    return c < 0x80 && (std::isalnum(c) != 0 || c == '_' || c == '-');
  });
  return bare ? key : quoted(key);
}

// The shortest digits that read back as the same double, with a mark that it is not an integer.
std::string number_text(double value) {
  if (std::isnan(value)) return "nan";
  if (std::isinf(value)) return value > 0 ? "inf" : "-inf";
  char digits[32];
  const auto [end, error] = std::to_chars(digits, digits + sizeof digits, value);
  std::string text(digits, end);
  if (text.find_first_of(".e") == std::string::npos) text += ".0";
  return text;
}

bool is_array_of_tables(const TomlNode& node) {
  const auto* array = std::get_if<TomlNode::Array>(&node.value);
  return array != nullptr && !array->empty() &&
         std::all_of(array->begin(), array->end(), [](const TomlNode& e) { return e.is_table(); });
}

void write_keys(const TomlNode& table, bool tables_inline, std::string& out) {
  for (const auto& [key, node] : std::get<TomlNode::Table>(table.value)) {
    if (!tables_inline && (node.is_table() || is_array_of_tables(node))) continue;
    out += key_text(key) + " = " + to_toml_value(node) + "\n";
  }
}

void write_header(const std::string& header, std::string& out) {
  if (!out.empty()) out += '\n';
  out += header + "\n";
}

void write_table(const TomlNode& table, const std::string& path, std::string& out) {
  write_keys(table, /*tables_inline=*/false, out);
  for (const auto& [key, node] : std::get<TomlNode::Table>(table.value)) {
    const std::string name = path + key_text(key);
    if (node.is_table()) {
      write_header("[" + name + "]", out);
      write_table(node, name + ".", out);
    } else if (is_array_of_tables(node)) {
      for (const TomlNode& element : std::get<TomlNode::Array>(node.value)) {
        write_header("[[" + name + "]]", out);
        write_keys(element, /*tables_inline=*/true, out);
      }
    }
  }
}

}  // namespace

TomlNode parse_toml_text(std::string_view text, const std::string& name) {
  const Document document(text, name);
  try {
    const toml::table table = toml::parse(text, std::string_view(name));
    TomlNode root;
    root.value = convert_table(table, document);
    root.place = root.key_place = root.text_place = Place{name};
    return root;
  } catch (const toml::parse_error& error) {
    const Place place = document.place(error.source().begin);
    throw UserError(place, "not TOML: " + std::string(error.description()), {},
                    document.excerpt(place));
  }
}

TomlNode parse_toml_file(const std::filesystem::path& path) {
  const Place place{path.string()};
  std::error_code error;
  if (std::filesystem::is_directory(path, error)) {
    throw UserError(place, "is a folder, a TOML file was expected");
  }
  std::ifstream file(path, std::ios::binary);
  if (!file) throw UserError(place, std::system_category().message(errno), "name a TOML file");
  std::ostringstream text;
  text << file.rdbuf();
  if (file.bad() || (text.fail() && file.peek() != std::ifstream::traits_type::eof())) {
    throw UserError(place, "cannot be read to its end", "name a TOML file");
  }
  return parse_toml_text(text.str(), path.string());
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

std::string to_toml_value(const TomlNode& node) {
  if (const auto* text = std::get_if<std::string>(&node.value)) return quoted(*text);
  if (const auto* integer = std::get_if<std::int64_t>(&node.value)) return std::to_string(*integer);
  if (const auto* number = std::get_if<double>(&node.value)) return number_text(*number);
  if (const auto* boolean = std::get_if<bool>(&node.value)) return *boolean ? "true" : "false";
  std::string inside;
  if (const auto* array = std::get_if<TomlNode::Array>(&node.value)) {
    for (const TomlNode& element : *array) {
      inside += (inside.empty() ? "" : ", ") + to_toml_value(element);
    }
    return "[" + inside + "]";
  }
  for (const auto& [key, child] : std::get<TomlNode::Table>(node.value)) {
    inside += (inside.empty() ? " " : ", ") + key_text(key) + " = " + to_toml_value(child);
  }
  return inside.empty() ? "{}" : "{" + inside + " }";
}

std::string to_toml(const TomlNode& root) {
  std::string out;
  write_table(root, "", out);
  return out;
}

}  // namespace layerlab
