// Modules and parameters under dotted names.
//   register_module_at(*model, "blocks.0.attn", attention.ptr());
#pragma once

#include <ATen/core/Tensor.h>
#include <torch/nn/module.h>

#include <memory>
#include <string>

namespace layerlab::models {

// Registers under `root` so that parameter names read as `path` does ("blocks.0.attn.q.weight").
// Torch forbids dots in one name: plain modules are made on the way.
void register_module_at(torch::nn::Module& root, const std::string& path,
                        std::shared_ptr<torch::nn::Module> module);

// Likewise for a parameter. Returns it.
at::Tensor register_parameter_at(torch::nn::Module& root, const std::string& path,
                                 at::Tensor value);

}  // namespace layerlab::models
