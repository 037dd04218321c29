// A stack's equations compiled to a list of instructions over registers: what models/ executes
// and what probes attach to. Built once; the forward pass is a loop over it.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "equation/block.h"
#include "equation/operations.h"
#include "equation/shape.h"

namespace layerlab::equation {

struct Instruction {
  Op op{};
  int out = 0;          // register written; every register is written once
  std::vector<int> in;  // registers read
  int index = -1;
  double number = 0;
};

enum class NormType { kLayerNorm, kRmsNorm, kL2, kScaleNorm, kDyT, kModel };  // kModel: N

// A norm over the last dimension. Each textual occurrence owns its parameters, in every block
// anew, unless its scope is wider.
//   LN         w (x - mean) / sqrt(var + eps) + b
//   RMS        w x / sqrt(mean(x^2) + eps)
//   L2         x / |x|
//   ScaleNorm  g x / |x|, g a number, sqrt(D) at first     (Nguyen & Salazar 2019, 1910.05895)
//   DyT        w tanh(g x) + b, g a number, 0.5 at first   (Zhu et al. 2025, 2503.10622)
struct Norm {
  NormType type{};
  std::string name;          // parameter prefix: "blocks.0.attn.norm", "final_norm"
  double eps = -1;           // negative: the model's
  std::vector<int> weight;   // shape of w: [D], or [H, K] with one for each head; empty: no affine
  std::optional<bool> bias;  // b of LN and DyT; empty: the model's
  double offset = 0;         // what is added to w when it is used: 1 when 1 + w is the gain
  bool unbiased = false;     // LN: the variance's sum is divided by D - 1
  bool eps_outside = false;  // LN, RMS: eps is added to the root instead of under it

  bool operator==(const Norm&) const = default;
};

enum class BranchType { kAttention, kCross, kFeedForward };
enum class HeadScale { kNone, kBefore, kAfter };  // of W_o

// A branch and what is special inside it.
struct Branch {
  BranchType type{};
  std::string name;          // parameter prefix: "blocks.0.attn"
  std::optional<Norm> mid;   // before W_o, or before W_down
  std::optional<Norm> q, k;  // of queries and keys; weight [D]: before heads are split
  std::optional<Norm> v;     // of values, per head
  HeadScale head_scale = HeadScale::kNone;  // a learned number a head
  double scale = 0;                         // of q.k; 0: 1/sqrt(K)
  // Which of the instruction's operands are learned factors, -1 where there are none: on q and k
  // [D], on what W_up gives [ff], on the gate [ff].
  int qk_gain = -1, up_gain = -1, gate_gain = -1;
  // Factors on initial weights, and standard deviations that replace theirs, by matrix: q k v o, or
  // up down gate.
  std::map<std::string, double> gain, deviation;
};

// A learned tensor of the equation's own, with a value for each element at first.
struct Parameter {
  std::string name;  // "blocks.0.attn.omega", "blocks.0.alpha"
  Shape shape;
  std::vector<double> init;
  bool profiled = false;  // a forward pass sets it before training (models/admin_profile.h)
};

// Gated recurrent unit as a residual connection (Parisotto et al. 2019, 1910.06764); torch's GRU.
struct Gru {
  std::string name;
};

// A place to measure. Roles are the same in every block, so that records of two placements
// compare:
//   in         the stream on entering the sub-layer
//   branch_in  what the branch reads
//   branch     what it returns
//   sum        the sum in which it meets the main stream (absent where there is none)
//   out        the stream on leaving the sub-layer
// and the names of norms ("norm", "norm_out") and of locals for their values.
struct Site {
  int layer = -1;        // block, from 0; -1 is outside the blocks
  std::string sublayer;  // "attn", "cross", "ff"; outside the blocks "embedding", "finish"
  std::string role;
  std::string side = {};  // "encoder" or "decoder", where the model is an encoder-decoder
};

// A register worth measuring: once, under all the roles that its value plays.
struct Tap {
  int reg = 0;
  bool stream = false;  // carries the residual stream: in, sum, out, or a named stream
  std::vector<Site> sites;
};

// Where a block begins among the instructions, and the registers of the streams that enter it.
struct BlockBegin {
  int instruction = 0;
  std::map<std::string, int> streams;
};

struct Program {
  std::vector<Instruction> instructions;
  std::vector<BlockBegin> block_begins;  // each block's, and the end of the last
  std::vector<Norm> norms;
  std::vector<Branch> branches;
  std::vector<Gru> grus;
  std::vector<Parameter> parameters;
  std::vector<Tap> taps;  // at most one a register, in the order in which registers are written
  int registers = 1;      // register 0 is the input
  int output = 0;         // register that holds the result
  std::string side;       // as Sizes has it
  // The factor on the token embedding's initial weights, or the standard deviation that replaces
  // theirs.
  double embedding_gain = 1;
  std::optional<double> embedding_deviation;

  // The prefix of its parameters' names in an encoder-decoder: "encoder.", "decoder." or
  // "".
  std::string prefix() const { return side.empty() ? "" : side + "."; }
};

// The sizes that an equation's names stand for.
struct Sizes {
  int depth = 1;          // L
  int width = 1;          // D
  int heads = 1;          // H, divides D; K = D / H
  int ff = 1;             // width inside the feed-forward branch
  bool cross = false;     // there is a memory: `C` is a sub-layer
  int encoder_depth = 0;  // N_enc, where the model is an encoder-decoder
  int decoder_depth = 0;  // M_dec
  std::string side =
      {};  // "encoder" or "decoder", where the model is an encoder-decoder; sites say it
};

// The whole stack: start, blocks, finish.
// Throws UserError with a caret under the column for every mistake in the text.
Program compile(const Block& block, const Sizes& sizes);

}  // namespace layerlab::equation
