#include "equation/block.h"

#include <algorithm>

namespace layerlab::equation {
namespace {

void squeeze(Source& source) {
  std::erase_if(source.text, [](unsigned char c) { return c <= ' '; });
}

void squeeze(std::vector<NamedScalar>& scalars) {
  for (NamedScalar& scalar : scalars) squeeze(scalar.value);
  std::ranges::sort(scalars, {}, &NamedScalar::name);
}

std::shared_ptr<const Block> canonical_form(const std::shared_ptr<const Block>& block) {
  return block == nullptr ? nullptr : std::make_shared<Block>(canonical_form(*block));
}

}  // namespace

Block on_side(const Block& block, Side side) {
  const auto& own = side == Side::kEncoder ? block.encoder : block.decoder;
  Block result = own != nullptr ? *own : block;
  result.encoder = result.decoder = nullptr;
  for (Layers& layers : result.layers) {
    layers.block = std::make_shared<Block>(on_side(*layers.block, side));
  }
  return result;
}

Block canonical_form(const Block& block) {
  Block result = block;
  result.name.clear();
  result.source.clear();
  result.summary.clear();
  for (Source* source : {&result.equation, &result.start, &result.finish}) squeeze(*source);
  for (auto* scalars : {&result.constants, &result.gain, &result.deviation}) squeeze(*scalars);
  for (ParameterEntry& entry : result.parameters) {
    for (Source& size : entry.shape) squeeze(size);
    squeeze(entry.init);
  }
  std::ranges::sort(result.parameters, {}, &ParameterEntry::name);
  for (Layers& layers : result.layers) {
    layers.block = canonical_form(layers.block);
    squeeze(layers.count);
  }
  result.encoder = canonical_form(block.encoder);
  result.decoder = canonical_form(block.decoder);
  return result;
}

}  // namespace layerlab::equation
