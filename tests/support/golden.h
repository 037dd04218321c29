// Numbers that public implementations computed: tests/golden/README.md.
#pragma once

#include <ATen/ATen.h>

#include <map>
#include <string>

#include "record/safetensors.h"
#include "tests/support/golden_file.h"

namespace layerlab {

class Golden {
 public:
  // REQUIRES: tests/golden/NAME.safetensors.
  explicit Golden(const std::string& name)
      : contents_(record::read_safetensors(golden_file(name))) {}

  const std::string& metadata(const std::string& key) const { return contents_.metadata.at(key); }
  const std::map<std::string, record::TensorData>& tensors() const { return contents_.tensors; }

  at::Tensor tensor(const std::string& name) const { return read(name, at::kDouble); }
  at::Tensor integers(const std::string& name) const { return read(name, at::kLong); }

 private:
  at::Tensor read(const std::string& name, at::ScalarType type) const {
    const record::TensorData& data = contents_.tensors.at(name);
    return at::from_blob(const_cast<std::byte*>(data.bytes.data()), data.shape, type).clone();
  }

  record::SafeTensors contents_;
};

}  // namespace layerlab
