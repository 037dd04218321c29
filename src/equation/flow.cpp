#include "equation/flow.h"

namespace layerlab::equation {

void Flow::begin(int stream) {
  parts_.clear();
  joined_.clear();
  skip_.clear();
  parts_[stream].stream = true;
}

void Flow::follow(const Instruction& instruction) {
  if (instruction.op == Op::kBranch) return;
  Parts result;
  for (const int reg : instruction.in) {
    const Parts& read = parts(reg);
    result.stream = result.stream || read.stream;
    result.branches.insert(read.branches.begin(), read.branches.end());
    result.parameters.insert(read.parameters.begin(), read.parameters.end());
  }
  if (instruction.op == Op::kParameter) result.parameters.insert(instruction.out);
  parts_[instruction.out] = std::move(result);
}

std::set<std::string> Flow::meeting(int a, int b) {
  std::set<std::string> result = meeting_in(a, b);
  result.merge(meeting_in(b, a));
  return result;
}

std::set<std::string> Flow::meeting_in(int branch, int stream) {
  if (!is_stream(stream)) return {};
  std::set<std::string> result = waiting(branch);
  const Parts& skip = parts(stream);
  if (!result.empty()) skip_.insert(skip.parameters.begin(), skip.parameters.end());
  return result;
}

std::set<std::string> Flow::waiting(int reg) const {
  std::set<std::string> result;
  for (const std::string& branch : parts(reg).branches) {
    if (!has_joined(branch)) result.insert(branch);
  }
  return result;
}

const Flow::Parts& Flow::parts(int reg) const {
  static const Parts none;
  const auto found = parts_.find(reg);
  return found == parts_.end() ? none : found->second;
}

}  // namespace layerlab::equation
