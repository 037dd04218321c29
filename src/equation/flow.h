// Follows the main stream and the branches through a block's values: which values contain the
// stream, and which branches have not joined it yet. The roles `sum` and `out` are found by it.
#pragma once

#include <map>
#include <set>
#include <string>

#include "equation/program.h"

namespace layerlab::equation {

class Flow {
 public:
  // A block begins: only `stream` is the main stream, and no branch has been called.
  void begin(int stream);

  // Follows an instruction: what is read is in what is written. A branch ends it.
  void follow(const Instruction& instruction);
  // Says that `reg` is what the branch of that sub-layer returns.
  void returns(int reg, const std::string& sublayer) { parts_[reg].branches = {sublayer}; }

  // The branches that meet the stream for the first time where `a` and `b` are added.
  std::set<std::string> meeting(int a, int b);
  // The branches in `reg` that have not met it.
  std::set<std::string> waiting(int reg) const;
  void join(const std::string& sublayer) { joined_.insert(sublayer); }

  bool is_stream(int reg) const { return parts(reg).stream; }
  bool has_joined(const std::string& sublayer) const { return joined_.contains(sublayer); }
  // Whether the parameter in `reg` is in the stream that a branch met: it weighs the skip.
  bool weighs_skip(int reg) const { return skip_.contains(reg); }

 private:
  struct Parts {
    bool stream = false;
    std::set<std::string> branches;
    std::set<int> parameters;
  };
  const Parts& parts(int reg) const;
  // The branches in `branch` that meet the stream in `stream`.
  std::set<std::string> meeting_in(int branch, int stream);

  std::map<int, Parts> parts_;  // by register; nothing for values from before the block
  std::set<std::string> joined_;
  std::set<int> skip_;  // registers of parameters
};

}  // namespace layerlab::equation
