// One stack of a fixture as modules, with the file's weights.
#pragma once

#include <torch/nn/module.h>

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "conform/comparison.h"
#include "conform/fixture.h"
#include "conform/tensor_names.h"
#include "models/blocks.h"
#include "models/embedding.h"
#include "record/safetensors.h"

namespace layerlab::worker {

// A tensor of the file in `dtype`; integers stay what they are.
at::Tensor to_tensor(const record::TensorData& data, at::ScalarType dtype);

// Our shape and the file's hold the same values in the same order: they differ by dimensions of 1
// only, as ours has a replica axis, or one of them is a plain vector.
bool is_view(at::IntArrayRef ours, at::IntArrayRef theirs);

class ConformModel {
 public:
  // `embedding` is whether it reads tokens. Throws UserError where the equation does not compile.
  ConformModel(const conform::StackFixture& stack, bool embedding, const record::SafeTensors& file,
               at::ScalarType dtype);

  // Copies the file's weights. Appends what the two do not have in common to `missing` and takes
  // what is used out of `unused`, both by the file's names.
  void load(const record::SafeTensors& file, std::vector<std::string>& missing,
            std::vector<std::string>& unused);

  // x: [1, B, T, D], or ids [1, B, T]. Keeps what passes at every site, with its gradient.
  at::Tensor forward(const at::Tensor& x, const at::Tensor& memory);

  // The value that passed at a site of the file, in the file's layout without the replica axis;
  // undefined where the equation has no such site.
  at::Tensor value(const conform::SiteName& site) const;
  // The gradient at it, likewise.
  at::Tensor gradient(const conform::SiteName& site) const;
  // Index of the site in the order in which the model computes, or -1.
  int position(const conform::SiteName& site) const;

  const equation::Program& program() const { return blocks_.program(); }
  models::Embedding embedding() const { return embedding_; }

  // The names of the parameters that load() found, and the gradient of one, in the file's layout.
  std::vector<std::string> parameters() const;
  at::Tensor parameter_gradient(const std::string& name) const;

 private:
  std::string prefix_;
  torch::nn::Module owner_;
  models::Embedding embedding_{nullptr};
  models::Blocks blocks_;
  std::map<std::string, std::vector<at::Tensor>> parameters_;  // parts of it, by the file's name
  std::vector<at::Tensor> passed_;                             // by tap
};

}  // namespace layerlab::worker
