// Numbers that public implementations computed: tests/golden/README.md.
#pragma once

#include <ATen/ATen.h>

#include <map>
#include <string>

#include "record/safetensors.h"
#include "tests/support/golden_file.h"
#include "train/tensor_data.h"

namespace layerlab {

class Golden {
 public:
  // REQUIRES: tests/golden/NAME.safetensors.
  explicit Golden(const std::string& name)
      : contents_(record::read_safetensors(golden_file(name))) {}

  const std::string& metadata(const std::string& key) const { return contents_.metadata.at(key); }
  const std::map<std::string, record::TensorData>& tensors() const { return contents_.tensors; }

  // Of the type that the file has.
  at::Tensor tensor(const std::string& name) const {
    return train::to_tensor(contents_.tensors.at(name));
  }

 private:
  record::SafeTensors contents_;
};

}  // namespace layerlab
