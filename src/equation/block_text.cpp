#include "equation/block_text.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/text.h"
#include "equation/parameter_count.h"
#include "equation/program_text.h"
#include "equation/scalar.h"

namespace layerlab::equation {
namespace {

constexpr int kLabel = 13;  // "  parameters "

// A text of several lines on one.
std::string one_line(const std::string& text) {
  std::string result;
  for (const char c : text) {
    const bool blank = c == ' ' || c == '\n' || c == '\t' || c == '\r';
    if (!blank) {
      result += c;
    } else if (!result.empty() && result.back() != ' ') {
      result += ' ';
    }
  }
  while (result.ends_with(' ')) result.pop_back();
  return result;
}

const char* sharing_text(Scope scope) {
  switch (scope) {
    case Scope::kSublayer:
      return "one a sub-layer";
    case Scope::kBlock:
      return "one a block";
    case Scope::kStack:
      return "one for all";
  }
  return "";
}

std::string range_text(const BlockRange& range) {
  if (range.first == range.last) return fmt::format("block {}", range.first + 1);
  return fmt::format("blocks {} to {}", range.first + 1, range.last + 1);
}

class Text {
 public:
  Text(const Block& block, const Sizes& sizes, int columns)
      : block_(block), sizes_(sizes), columns_(columns), program_(compile(block, sizes)) {}

  std::vector<std::string> run() {
    add(block_.name, 0);
    if (!block_.summary.empty()) add("  " + block_.summary, 2);
    if (!block_.source.empty()) add("  " + block_.source, 2);
    lines_.emplace_back();
    item("equation", equation_text(block_));
    item("start", one_line(block_.start.text));
    item("finish", one_line(block_.finish.text));
    lines_.emplace_back();
    add(fmt::format("depth {}, width {}, heads {}, ff {}{}", sizes_.depth, sizes_.width,
                    sizes_.heads, sizes_.ff, sizes_.cross ? ", with a memory" : ""),
        2);
    if (block_.layers.empty()) {
      entries(block_);
    } else {
      for (const Layers& layers : block_.layers) entries(*layers.block);
    }
    norms();
    parameters();
    program("start", start_lines(program_));
    for (const BlockRange& range : block_ranges(program_)) {
      const std::string title = range.first == range.last
                                    ? fmt::format("block {}", range.first + 1)
                                    : fmt::format("blocks {} to {}, here {}", range.first + 1,
                                                  range.last + 1, range.first + 1);
      program(title, block_lines(program_, range.first));
    }
    program("finish", finish_lines(program_));
    return std::move(lines_);
  }

 private:
  void add(const std::string& line, int indent) {
    for (std::string& part : wrap(line, columns_, indent)) lines_.push_back(std::move(part));
  }

  void item(const std::string& label, const std::string& text) {
    if (!text.empty()) add(fmt::format("  {:<{}}{}", label, kLabel - 2, text), kLabel);
  }

  // "name = expression = value", of the first block and of the last where they differ.
  std::string with_value(const Block& block, const std::string& name, const Source& source) {
    const auto at = [&](int layer) {
      Scalars scalars(block.constants);
      const int sublayers = static_cast<int>(program_.branches.size());
      set_sizes(sizes_, scalars);
      scalars.set("S", sublayers);
      scalars.set("l", layer);
      scalars.set("s", layer == 1 ? 1 : sublayers);
      return number_text(scalars.evaluate(source));
    };
    const std::string text = name + " = " + one_line(source.text);
    const std::string first = at(1), last = at(sizes_.depth);
    if (first != last) return text + " = " + first + " … " + last;
    return first == source.text ? text : text + " = " + first;
  }

  void entries(const Block& block) {
    scalars("constants", block, block.constants);
    scalars("gain", block, block.gain);
    scalars("init", block, block.deviation);
    std::string label = "learned";
    for (const ParameterEntry& entry : block.parameters) {
      std::string shape = "a number";
      if (!entry.shape.empty()) {
        shape = "[";
        for (const Source& size : entry.shape) {
          shape += (shape.size() > 1 ? ", " : "") + size.text;
        }
        shape += "]";
      }
      item(label,
           fmt::format("{}: {}, {}, at first {}{}", entry.name, shape, sharing_text(entry.scope),
                       one_line(entry.init.text), entry.profiled ? ", then profiled" : ""));
      label.clear();
    }
  }

  void scalars(std::string label, const Block& block, const std::vector<NamedScalar>& entries) {
    for (std::size_t i = 0; i < entries.size(); ++i) {
      // Names that share an expression share the line.
      std::string names = entries[i].name;
      while (i + 1 < entries.size() && entries[i + 1].value.text == entries[i].value.text) {
        names += ", " + entries[++i].name;
      }
      item(label, with_value(block, names, entries[i].value));
      label.clear();
    }
  }

  void norms() {
    std::size_t total = program_.norms.size();
    for (const Branch& branch : program_.branches) {
      for (const auto* norm : {&branch.mid, &branch.q, &branch.k, &branch.v}) {
        total += norm->has_value() ? 1 : 0;
      }
    }
    item("norms", std::to_string(total));
    const std::vector<BlockRange> ranges = block_ranges(program_);
    for (const BlockRange& range : ranges) {
      const std::vector<std::string> lines = norm_lines(program_, range.first);
      if (!lines.empty() && ranges.size() > 1) item("", "in " + range_text(range));
      for (const std::string& line : lines) item("", line);
    }
    for (const std::string& name : outer_norm_lines(program_)) item("", name);
  }

  void parameters() {
    const auto count = [&](const std::string& prefix) {
      return parameter_count(program_, sizes_, {}, prefix);
    };
    std::string text = fmt::format("{}, of them ", count(""));
    for (const BlockRange& range : block_ranges(program_)) {
      if (range.first > 0) text += ", ";
      text += fmt::format("{} in {}{}", count(fmt::format("blocks.{}.", range.first)),
                          range.first < range.last ? "each of " : "", range_text(range));
    }
    item("parameters", text + "; biases counted, embedding and head not");
  }

  void program(const std::string& title, const std::vector<ProgramLine>& program) {
    if (program.empty()) return;
    lines_.emplace_back();
    add(title, 2);
    std::size_t width = 0;
    for (const ProgramLine& line : program) width = std::max(width, line.instruction.size());
    const int most = std::max(20, columns_ / 2);
    const int column = std::min(static_cast<int>(width), most) + 4;
    for (const ProgramLine& line : program) {
      if (static_cast<int>(line.instruction.size()) + 4 > column && !line.sites.empty()) {
        add("  " + line.instruction, 6);
        add(std::string(column, ' ') + line.sites, column);
      } else {
        add(fmt::format("  {:<{}}{}", line.instruction, line.sites.empty() ? 0 : column - 2,
                        line.sites),
            line.sites.empty() ? 6 : column);
      }
    }
  }

  const Block& block_;
  const Sizes& sizes_;
  int columns_;
  Program program_;
  std::vector<std::string> lines_;
};

}  // namespace

std::string equation_text(const Block& block) {
  if (block.layers.empty()) return one_line(block.equation.text);
  std::string text;
  for (const Layers& layers : block.layers) {
    if (!text.empty()) text += ", then ";
    if (!layers.count.text.empty()) text += one_line(layers.count.text) + " of ";
    const std::string& name = layers.block->name;
    text += name.empty() ? one_line(layers.block->equation.text) : name;
  }
  return text;
}

std::vector<std::string> block_text(const Block& block, const Sizes& sizes, int columns) {
  return Text(block, sizes, columns).run();
}

}  // namespace layerlab::equation
