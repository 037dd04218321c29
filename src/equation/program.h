// A stack's equations compiled to a list of instructions over registers: what models/ executes
// and what probes attach to. Built once; the forward pass is a loop over it.
#pragma once

#include <string>
#include <vector>

#include "equation/block.h"

namespace layerlab::equation {

enum class Op {
  kAdd,     // out = a + b
  kScale,   // out = number * a
  kNorm,    // out = norms[index](a)
  kBranch,  // out = branches[index](a)
};

struct Instruction {
  Op op{};
  int out = 0;         // register written; every register is written once
  int a = -1, b = -1;  // registers read
  int index = -1;      // into Program::norms or ::branches
  double number = 1;   // kScale
};

enum class NormType { kLayerNorm, kRmsNorm, kModel };  // LN, RMS, and N: the kind the model names

// A norm of the equation. Each textual occurrence owns its parameters, in every block anew.
struct Norm {
  NormType type{};
  double eps = -1;   // negative: the model's
  std::string name;  // parameter prefix: "blocks.0.attn.norm", "final_norm"
};

enum class BranchType { kAttention, kFeedForward };

struct Branch {
  BranchType type{};
  std::string name;  // parameter prefix: "blocks.0.attn"
};

// A place to measure. Roles are the same in every block, so that records of two placements
// compare:
//   in         the stream on entering the sub-layer
//   branch_in  what the branch reads
//   branch     what it returns
//   sum        the sum that the branch joins (absent where the equation has none)
//   out        the stream on leaving the sub-layer
// and the names of norms ("norm", "norm_out") and of locals for their values.
struct Site {
  int layer = -1;        // block, from 0; -1 is outside the blocks
  std::string sublayer;  // "attn", "ff"; outside the blocks "embedding", "finish"
  std::string role;
};

// A register worth measuring: once, under all the roles that its value plays.
struct Tap {
  int reg = 0;
  bool stream = false;  // carries the residual stream: in, sum, out, or a named stream
  std::vector<Site> sites;
};

struct Program {
  std::vector<Instruction> instructions;
  std::vector<Norm> norms;
  std::vector<Branch> branches;
  std::vector<Tap> taps;  // at most one a register, in the order in which registers are written
  int registers = 1;      // register 0 is the input
  int output = 0;         // register that holds the result
};

// The whole stack of `depth` equal blocks: start, blocks, finish.
// Throws UserError with a caret under the column for every mistake in the text.
Program compile(const Block& block, int depth);

}  // namespace layerlab::equation
