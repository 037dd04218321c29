// The description of the model that a file's numbers came from.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "core/toml.h"
#include "record/safetensors.h"

namespace layerlab::conform {

// The user's word on what to compare with, which overrides the file's.
struct Choice {
  std::string block;   // a name of the catalogue; may be empty
  std::string config;  // a TOML file with [model] and [block]; may be empty
};

// The file's metadata as TOML: a table [model] with keys of a run's, sizes left out; a table
// [block] with the entry; [names] with LN = "RMS" where LN stands for something else. variants.toml
// says what the metadata mean; where they have a key `block`, that is the entry, or the name of
// one. Throws UserError where the metadata say nothing of the kind.
TomlNode describe(const record::SafeTensors& file, const std::filesystem::path& path,
                  const Choice& choice = {});

}  // namespace layerlab::conform
