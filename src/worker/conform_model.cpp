#include "worker/conform_model.h"

#include <algorithm>

#include "conform/check.h"
#include "conform/locate.h"
#include "train/tensor_data.h"

namespace layerlab::worker {
namespace {

models::Embedding make_embedding(const conform::StackFixture& stack,
                                 const record::SafeTensors& file) {
  models::EmbeddingOptions options;
  options.width = stack.model.width;
  options.positions = config::Positions::kNone;
  for (const auto& [name, data] : file.tensors) {
    const std::string ours = conform::our_names(name).front();
    if (ours == "embedding.token") options.vocabulary = data.shape[0];
    if (ours == "embedding.position") {
      options.tokens = data.shape[0];
      options.positions = config::Positions::kLearned;
    }
  }
  return models::Embedding(options);
}

at::Tensor in_layout_of(const conform::SiteName& site, at::Tensor value) {
  if (!value.defined()) return value;
  if (site.kind.ends_with("_streams") && value.dim() == 5) {  // [R, B, T, n, D]
    value = value.permute({0, 1, 3, 2, 4}).flatten(1, 2);
  }
  return value[0];
}

}  // namespace

bool is_view(at::IntArrayRef ours, at::IntArrayRef theirs) {
  const auto squeezed = [](at::IntArrayRef shape) {
    std::vector<std::int64_t> result;
    std::ranges::copy_if(shape, std::back_inserter(result), [](std::int64_t n) { return n != 1; });
    return result;
  };
  const auto a = squeezed(ours), b = squeezed(theirs);
  if (a == b) return true;
  return (a.size() < 2 || b.size() < 2) && c10::multiply_integers(a) == c10::multiply_integers(b);
}

at::Tensor to_tensor(const record::TensorData& data, at::ScalarType dtype) {
  const at::Tensor stored = train::to_tensor(data);
  return stored.is_floating_point() ? stored.to(dtype) : stored;
}

ConformModel::ConformModel(const conform::StackFixture& stack, bool embedding,
                           const record::SafeTensors& file, at::ScalarType dtype)
    : prefix_(stack.prefix),
      blocks_(owner_, {1, stack.model}, equation::compile(stack.block, stack.sizes)),
      passed_(blocks_.program().taps.size()) {
  if (embedding) embedding_ = owner_.register_module("embedding", make_embedding(stack, file));
  owner_.to(dtype);
}

void ConformModel::load(const record::SafeTensors& file, std::vector<std::string>& missing,
                        std::vector<std::string>& unused) {
  const c10::AutoGradMode no_gradients(false);
  std::map<std::string, at::Tensor> wanted;
  for (const auto& parameter : owner_.named_parameters()) {
    wanted[prefix_ + parameter.key()] = parameter.value();
  }
  for (const auto& [theirs, data] : file.tensors) {
    const std::vector<std::string> names = conform::our_names(theirs);
    if (!conform::is_parameter(theirs) || !wanted.contains(names.front())) continue;
    const at::Tensor whole = to_tensor(data, wanted[names.front()].scalar_type());
    const auto count = static_cast<std::int64_t>(names.size());
    if (whole.dim() == 0 || whole.size(0) % count != 0) continue;
    const std::vector<at::Tensor> parts = whole.chunk(count);
    for (std::size_t i = 0; i < names.size(); ++i) {
      const auto ours = wanted.find(names[i]);
      if (ours == wanted.end()) continue;
      at::Tensor value = ours->second;
      wanted.erase(ours);
      std::erase(unused, theirs);
      if (!is_view(value.sizes(), parts[i].sizes())) {
        missing.push_back(names[i] + " of shape " +
                          conform::shape_text(value.sizes().slice(1).vec()) + ", not " +
                          conform::shape_text(parts[i].sizes().vec()));
        continue;
      }
      value.copy_(parts[i].reshape(value.sizes()));
      parameters_[theirs].push_back(value);
    }
  }
  for (const auto& [name, value] : wanted) missing.push_back(name);
}

std::vector<std::string> ConformModel::parameters() const {
  std::vector<std::string> names;
  for (const auto& [name, parts] : parameters_) names.push_back(name);
  return names;
}

at::Tensor ConformModel::parameter_gradient(const std::string& name) const {
  std::vector<at::Tensor> gradients;
  for (const at::Tensor& part : parameters_.at(name)) {
    gradients.push_back(part.grad().defined() ? part.grad().flatten()
                                              : at::zeros_like(part).flatten());
  }
  return at::cat(gradients);
}

at::Tensor ConformModel::forward(const at::Tensor& x, const at::Tensor& memory) {
  const models::TapFunction tap = [&](int index, const at::Tensor& value) {
    if (value.requires_grad() && !value.is_leaf()) value.retain_grad();
    passed_[index] = value;
    return value;
  };
  models::ForwardContext around;
  around.memory = memory;
  return blocks_.forward(embedding_ ? embedding_(x) : x, tap, around);
}

int ConformModel::position(const conform::SiteName& site) const {
  return conform::locate(site, blocks_.program());
}

at::Tensor ConformModel::value(const conform::SiteName& site) const {
  const int tap = position(site);
  return tap < 0 ? at::Tensor() : in_layout_of(site, passed_[tap]);
}

at::Tensor ConformModel::gradient(const conform::SiteName& site) const {
  const int tap = position(site);
  return tap < 0 ? at::Tensor() : in_layout_of(site, passed_[tap].grad());
}

}  // namespace layerlab::worker
