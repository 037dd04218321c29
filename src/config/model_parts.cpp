#include "config/model_parts.h"

namespace layerlab::config {
namespace {

ModelPart part(const char* side, ModelKind kind, int depth, const ModelConfig& model,
               const equation::Block& block) {
  ModelPart result{model, block, {}};
  result.model.kind = kind;
  result.model.depth = depth;
  result.sizes = sizes_of(result.model);
  result.sizes.side = side;
  return result;
}

}  // namespace

equation::Sizes sizes_of(const ModelConfig& model) {
  equation::Sizes sizes;
  sizes.depth = model.depth;
  sizes.width = model.width;
  sizes.heads = model.heads;
  sizes.ff = model.ff;
  return sizes;
}

std::vector<ModelPart> model_parts(const ModelConfig& model, const equation::Block& block) {
  if (model.kind != ModelKind::kEncoderDecoder) {
    return {part("", model.kind, model.depth, model, block)};
  }
  const int decoder_depth = model.decoder_depth > 0 ? model.decoder_depth : model.depth;
  std::vector<ModelPart> parts = {
      part("encoder", ModelKind::kEncoder, model.depth, model,
           on_side(block, equation::Side::kEncoder)),
      part("decoder", ModelKind::kDecoder, decoder_depth, model,
           on_side(block, equation::Side::kDecoder)),
  };
  for (ModelPart& one : parts) {
    one.sizes.encoder_depth = model.depth;
    one.sizes.decoder_depth = decoder_depth;
  }
  parts.back().sizes.cross = true;
  return parts;
}

}  // namespace layerlab::config
