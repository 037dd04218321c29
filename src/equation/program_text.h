// Programs for people to read.
#pragma once

#include <string>
#include <vector>

#include "equation/program.h"

namespace layerlab::equation {

// One instruction: "t2 = A(t1, mid_norm=LN)", and the places to measure that its value is:
// "attn.norm attn.branch_in".
struct ProgramLine {
  std::string instruction;
  std::string sites;
};

// Blocks in a row that differ in numbers only.
struct BlockRange {
  int first, last;  // from 0
};
std::vector<BlockRange> block_ranges(const Program& program);

// The program of one block. Its values are t1, t2, …; streams that enter it have their names.
std::vector<ProgramLine> block_lines(const Program& program, int layer);

// The programs before the blocks and after them.
std::vector<ProgramLine> start_lines(const Program& program);
std::vector<ProgramLine> finish_lines(const Program& program);

// Where the norms of these blocks and around them sit: "attn.norm on the stream".
std::vector<std::string> norm_lines(const Program& program, int layer);
std::vector<std::string> outer_norm_lines(const Program& program);

// A number with six digits: "0.379918".
std::string number_text(double value);

}  // namespace layerlab::equation
