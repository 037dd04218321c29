// The names of a file's tensors: docs/conform.md lists them.
//
//   input or input_ids, memory     what goes in
//   output, loss, loss_weight      what comes out; loss = sum(output * loss_weight)
//   final_hidden                   what the head reads
//   block_in.2, at.2.attn.branch   what passes at a site of the equation (locate.h)
//   grad.NAME                      gradient of the loss
// All others are parameters. In an encoder-decoder, names of sites and parameters
// begin with "enc." or "dec.".
#pragma once

#include <string>
#include <vector>

#include "record/safetensors.h"

namespace layerlab::conform {

// "block_in.2" is {"block_in", 2, ""}, "at.2.attn.branch" is {"at", 2, "attn.branch"}.
struct SiteName {
  std::string name;  // all of it, with its prefix
  std::string kind;
  int layer = 0;
  std::string rest;
};

// Whether `name` is that of a parameter.
bool is_parameter(const std::string& name);

// Our name for what a public implementation calls `name` (aliases.toml), or our names for what it
// holds stacked along the first dimension, in that order.
std::vector<std::string> our_names(const std::string& name);

// The sites whose values `file` holds on the side with that prefix, without gradients.
std::vector<SiteName> sites_of(const record::SafeTensors& file, const std::string& prefix);

}  // namespace layerlab::conform
