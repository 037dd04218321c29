#include "equation/program_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "equation/branch_kinds.h"
#include "equation/norm_text.h"
#include "equation/operations.h"

namespace layerlab::equation {
namespace {

// "attn.norm" of "blocks.3.attn.norm"; names outside the blocks as they are.
std::string own_name(const std::string& name) {
  if (!name.starts_with("blocks.")) return name;
  return name.substr(name.find('.', std::string("blocks.").size()) + 1);
}

std::string options_of(const Norm& norm) {
  std::string text;
  if (norm.eps >= 0) text += fmt::format(", eps={}", norm.eps);
  if (norm.weight.empty() && norm.type != NormType::kL2) text += ", affine=0";
  if (norm.bias) text += fmt::format(", bias={}", *norm.bias ? 1 : 0);
  if (norm.offset != 0) text += fmt::format(", offset={}", norm.offset);
  if (norm.unbiased) text += ", unbiased=1";
  if (norm.eps_outside) text += ", eps_outside=1";
  return text;
}

std::string with_options(const Norm& norm) {
  const std::string options = options_of(norm);
  return norm_name(norm.type) + (options.empty() ? "" : "(" + options.substr(2) + ")");
}

// "heads(eps=0)".
std::string head_norm_text(const Norm& norm) {
  std::string kind = norm.name.find(".head_norm_") == std::string::npos ? "vector" : "head";
  if (norm.weight.empty()) kind = "unit";
  if (norm.weight.size() == 2) kind = "heads";
  const std::string options = options_of(norm);
  return kind + (options.empty() ? "" : "(" + options.substr(2) + ")");
}

class Printer {
 public:
  explicit Printer(const Program& program) : program_(program) {
    for (const Tap& tap : program.taps) taps_[tap.reg] = &tap;
  }

  // A line for each instruction from `begin` to `end`, with the sites of that layer.
  std::vector<ProgramLine> lines(const std::map<std::string, int>& streams, int begin, int end,
                                 int layer) {
    layer_ = layer;
    for (const auto& [name, reg] : streams) names_[reg] = name;
    if (const auto x = streams.find("x"); x != streams.end()) names_[x->second] = "x";
    std::vector<ProgramLine> result;
    for (int i = begin; i < end; ++i) {
      const Instruction& instruction = program_.instructions[i];
      const std::string value = text(instruction);
      names_[instruction.out] = fmt::format("t{}", ++count_);
      result.push_back({names_[instruction.out] + " = " + value, sites(instruction.out)});
    }
    return result;
  }

 private:
  std::string operand(int reg) const {
    const auto name = names_.find(reg);
    return name != names_.end() ? name->second : fmt::format("r{}", reg);
  }

  std::string sites(int reg) const {
    const auto tap = taps_.find(reg);
    if (tap == taps_.end()) return {};
    std::string text;
    for (const Site& site : tap->second->sites) {
      if (site.layer != layer_) continue;
      text += (text.empty() ? "" : " ") + site.sublayer + "." + site.role;
    }
    return text;
  }

  std::string text(const Instruction& i) {
    if (i.op == Op::kBranch) return branch(i, program_.branches[i.index]);
    if (i.op == Op::kNorm) {
      const Norm& norm = program_.norms[i.index];
      return norm_name(norm.type) + "(" + operand(i.in[0]) + options_of(norm) + ")";
    }
    if (i.op == Op::kParameter) {
      const Parameter& parameter = program_.parameters[i.index];
      return own_name(parameter.name) + (parameter.shape.empty()
                                             ? ", a learned number"
                                             : ", learned " + to_text(parameter.shape));
    }
    std::vector<std::string> operands;
    for (const int reg : i.in) operands.push_back(operand(reg));
    return to_text(i.op, operands, i.index, i.number);
  }

  std::string branch(const Instruction& i, const Branch& branch) {
    std::string text = std::string(branch_kind(branch.type).letter) + "(" + operand(i.in[0]);
    if (branch.mid) text += ", mid_norm=" + with_options(*branch.mid);
    if (branch.q) text += ", qk_norm=" + head_norm_text(*branch.q);
    if (branch.v) text += ", v_norm=" + head_norm_text(*branch.v);
    if (branch.head_scale == HeadScale::kBefore) text += ", head_scale=before";
    if (branch.head_scale == HeadScale::kAfter) text += ", head_scale=after";
    if (branch.scale != 0) text += ", scale=" + number_text(branch.scale);
    if (branch.qk_gain >= 0) text += ", qk_gain=" + operand(i.in[branch.qk_gain]);
    if (branch.up_gain >= 0) text += ", up_gain=" + operand(i.in[branch.up_gain]);
    if (branch.gate_gain >= 0) text += ", gate_gain=" + operand(i.in[branch.gate_gain]);
    return text + ")";
  }

  const Program& program_;
  std::map<int, const Tap*> taps_;
  std::map<int, std::string> names_;
  int count_ = 0, layer_ = -1;
};

// Where the instruction that applies a norm stands to the branch of its sub-layer.
std::string position(const Program& program, const Instruction& instruction) {
  const std::string owner = own_name(program.norms[instruction.index].name);
  const std::string sublayer = owner.substr(0, owner.find('.'));
  const auto is = [&](int reg, const std::string& role) {
    return std::ranges::any_of(program.taps, [&](const Tap& tap) {
      return tap.reg == reg && std::ranges::any_of(tap.sites, [&](const Site& site) {
               return site.role == role && site.sublayer == sublayer;
             });
    });
  };
  if (is(instruction.in[0], "branch")) return "on what the branch returns";
  if (is(instruction.out, "branch_in")) return "on what the branch reads";
  if (is(instruction.in[0], "sum") || is(instruction.out, "out")) return "on the stream";
  return "on what is read";
}

// The structure of a block: equal for two blocks that differ in numbers only.
std::string structure(const Program& program, int layer) {
  const int begin = program.block_begins[layer].instruction;
  const int end = program.block_begins[layer + 1].instruction;
  const int before = begin == 0 ? 0 : program.instructions[begin - 1].out;
  std::string text;
  for (int i = begin; i < end; ++i) {
    const Instruction& instruction = program.instructions[i];
    text += fmt::format("{}", static_cast<int>(instruction.op));
    for (const int reg : instruction.in) {
      text += fmt::format(",{}", reg > before ? reg - before : 0);
    }
    if (instruction.op == Op::kNorm) {
      const Norm& norm = program.norms[instruction.index];
      text += own_name(norm.name) + with_options(norm);
    }
    if (instruction.op == Op::kBranch) text += own_name(program.branches[instruction.index].name);
    text += ";";
  }
  return text;
}

}  // namespace

std::string number_text(double value) { return fmt::format("{:.6g}", value); }

std::vector<BlockRange> block_ranges(const Program& program) {
  std::vector<BlockRange> ranges;
  std::string last;
  for (int layer = 0; layer + 1 < static_cast<int>(program.block_begins.size()); ++layer) {
    std::string own = structure(program, layer);
    if (!ranges.empty() && own == last) {
      ranges.back().last = layer;
    } else {
      ranges.push_back({layer, layer});
    }
    last = std::move(own);
  }
  return ranges;
}

std::vector<ProgramLine> block_lines(const Program& program, int layer) {
  const BlockBegin& begin = program.block_begins[layer];
  return Printer(program).lines(begin.streams, begin.instruction,
                                program.block_begins[layer + 1].instruction, layer);
}

std::vector<ProgramLine> start_lines(const Program& program) {
  return Printer(program).lines({{"x", 0}}, 0, program.block_begins.front().instruction, -1);
}

std::vector<ProgramLine> finish_lines(const Program& program) {
  const BlockBegin& begin = program.block_begins.back();
  return Printer(program).lines(begin.streams, begin.instruction,
                                static_cast<int>(program.instructions.size()), -1);
}

std::vector<std::string> norm_lines(const Program& program, int layer) {
  std::vector<std::string> lines;
  const int end = program.block_begins[layer + 1].instruction;
  for (int i = program.block_begins[layer].instruction; i < end; ++i) {
    const Instruction& instruction = program.instructions[i];
    if (instruction.op == Op::kNorm) {
      lines.push_back(own_name(program.norms[instruction.index].name) + " " +
                      position(program, instruction));
    }
    if (instruction.op != Op::kBranch) continue;
    const Branch& branch = program.branches[instruction.index];
    for (const auto* norm : {&branch.q, &branch.k, &branch.v}) {
      if (*norm) lines.push_back(own_name((*norm)->name) + " inside attention");
    }
    if (branch.mid) {
      lines.push_back(
          fmt::format("{} before {}", own_name(branch.mid->name), branch_kind(branch.type).last));
    }
  }
  return lines;
}

std::vector<std::string> outer_norm_lines(const Program& program) {
  std::vector<std::string> lines;
  for (const Norm& norm : program.norms) {
    if (!norm.name.starts_with("blocks.")) lines.push_back(norm.name);
  }
  return lines;
}

}  // namespace layerlab::equation
