#include "equation/block_types.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

#include "equation/check.h"
#include "equation/initial.h"
#include "equation/program_text.h"

namespace layerlab::equation {
namespace {

std::unique_ptr<BlockType> make_type(const Block& block, const Sizes& sizes) {
  refuse_taken_names(block);
  auto type = std::make_unique<BlockType>(
      BlockType{&block, checked_statements(block.equation), {}, Scalars(block.constants)});
  check_initial(block, sublayers(block.equation, type->statements, /*cross=*/true));
  type->sublayers = sublayers(block.equation, type->statements, sizes.cross);
  const bool crosses = std::ranges::find(type->sublayers, BranchType::kCross, &Sublayer::branch) !=
                       type->sublayers.end();
  if (sizes.cross && !crosses) {
    const std::string& h = type->statements.front().target;
    fail(block.equation, 0, "expected a branch C, since there is a memory to read",
         "add for example " + h + " = " + h + " + C(LN(" + h +
             ")), which is left out where there is none");
  }
  set_sizes(sizes, type->scalars);
  return type;
}

std::set<std::string> targets(const Source& start) {
  std::set<std::string> result;
  for (const Statement& statement : parse(start)) result.insert(statement.target);
  return result;
}

// How many blocks `layers` are, where `left` remain.
int count_of(const Layers& layers, bool last, int left, int depth, Scalars& scalars) {
  if (layers.count.text.empty()) {
    if (last) return left;
    throw UserError(layers.count.place, "expected a count, since other blocks follow",
                    "only the last may leave it out");
  }
  const double count = scalars.evaluate(layers.count);
  if (!(count >= 0 && count == std::floor(count))) {
    fail(layers.count, 0, "expected a whole number of blocks, got " + number_text(count),
         "floor(L/4) rounds down");
  }
  if (count > left) {
    fail(layers.count, 0,
         "expected at most " + std::to_string(left) + " of " + std::to_string(depth) +
             " blocks here, got " + number_text(count),
         "write for example min(4, L)");
  }
  return static_cast<int>(count);
}

}  // namespace

BlockTypes block_types(const Block& block, const Sizes& sizes) {
  BlockTypes result;
  const auto add = [&](const Block& one) {
    return result.types.emplace_back(make_type(one, sizes)).get();
  };
  if (block.layers.empty()) result.by_layer.assign(sizes.depth, add(block));
  for (const Layers& layers : block.layers) {
    BlockType* type = add(*layers.block);
    if (targets(layers.block->start) != targets(block.start)) {
      throw UserError(layers.count.place, "expected blocks of one stack to have the same streams",
                      "give them the same `start`");
    }
    const int left = sizes.depth - static_cast<int>(result.by_layer.size());
    const int count =
        count_of(layers, &layers == &block.layers.back(), left, sizes.depth, type->scalars);
    result.by_layer.insert(result.by_layer.end(), count, type);
  }
  if (static_cast<int>(result.by_layer.size()) < sizes.depth) {
    throw UserError(block.layers.back().count.place,
                    "expected counts for all " + std::to_string(sizes.depth) + " blocks",
                    "leave out the last count, which then takes all that remain");
  }
  int below = 0;
  for (const BlockType* type : result.by_layer) {
    result.first_sublayer.push_back(std::exchange(below, below + std::ssize(type->sublayers)));
  }
  for (const auto& type : result.types) type->scalars.set("S", below);
  return result;
}

}  // namespace layerlab::equation
