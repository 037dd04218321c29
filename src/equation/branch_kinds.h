// The kinds of branches, one row each. A kind also needs its module (models/blocks.cpp) and its
// mean field (theory/recursion.cpp).
#pragma once

#include <array>
#include <span>
#include <string_view>

#include "equation/program.h"

namespace layerlab::equation {

using NameList = std::span<const std::string_view>;

struct BranchKind {
  BranchType type{};
  std::string_view letter;    // what equations call it
  std::string_view sublayer;  // what parameter names and the record call its sub-layer
  NameList matrices;          // that `gain` and `init` may name
  NameList options;           // of a call
  std::string_view last;      // the matrix behind its mid norm
};

inline constexpr std::array<std::string_view, 4> kAttentionMatrices = {"q", "k", "v", "o"};
inline constexpr std::array<std::string_view, 3> kFeedForwardMatrices = {"up", "down", "gate"};
inline constexpr std::array<std::string_view, 6> kAttentionOptions = {
    "mid_norm", "qk_norm", "v_norm", "head_scale", "qk_gain", "scale"};
inline constexpr std::array<std::string_view, 3> kFeedForwardOptions = {"mid_norm", "up_gain",
                                                                        "gate_gain"};

// In the order in which F stands for them.
inline constexpr std::array<BranchKind, 3> kBranchKinds = {{
    {BranchType::kAttention, "A", "attn", kAttentionMatrices, kAttentionOptions, "W_o"},
    {BranchType::kCross, "C", "cross", kAttentionMatrices, kAttentionOptions, "W_o"},
    {BranchType::kFeedForward, "M", "ff", kFeedForwardMatrices, kFeedForwardOptions, "W_down"},
}};

constexpr const BranchKind& branch_kind(BranchType type) {
  for (const BranchKind& kind : kBranchKinds) {
    if (kind.type == type) return kind;
  }
  return kBranchKinds.front();
}
static_assert(branch_kind(BranchType::kFeedForward).type == BranchType::kFeedForward);

// The kind that `letter` stands for, or null.
constexpr const BranchKind* find_branch_kind(std::string_view letter) {
  for (const BranchKind& kind : kBranchKinds) {
    if (kind.letter == letter) return &kind;
  }
  return nullptr;
}

}  // namespace layerlab::equation
