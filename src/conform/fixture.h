// A description and the tensors of a file, put together: what is to be built and compared.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "config/run_config.h"
#include "core/toml.h"
#include "equation/block.h"
#include "equation/program.h"
#include "record/safetensors.h"

namespace layerlab::conform {

// One stack of blocks.
struct StackFixture {
  std::string prefix;  // of its names in the file: "", "enc.", "dec."
  config::ModelConfig model;
  equation::Sizes sizes;
  equation::Block block;
};

struct Fixture {
  std::optional<StackFixture>
      encoder;  // of an encoder-decoder: reads `memory`, and its output is the decoder's memory
  StackFixture main;    // reads `input`; the decoder of an encoder-decoder
  bool embeds = false;  // reads `input_ids` through an embedding instead
};

// Sizes and whether there are biases, gates, cross-attention, embeddings and an encoder follow from
// the tensors; all else from `description`, as describe() makes it.
// Throws UserError where the two contradict each other, and where the equation does not compile.
Fixture make_fixture(const TomlNode& description, const record::SafeTensors& file,
                     const std::filesystem::path& path);

}  // namespace layerlab::conform
