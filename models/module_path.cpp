#include "models/module_path.h"

#include <utility>

namespace layerlab::models {
namespace {

// The module that holds what `path` names, and the name without dots that it has there.
std::pair<torch::nn::Module*, std::string> holder(torch::nn::Module& root,
                                                  const std::string& path) {
  torch::nn::Module* module = &root;
  std::string rest = path;
  for (std::size_t dot; (dot = rest.find('.')) != std::string::npos; rest.erase(0, dot + 1)) {
    const std::string head = rest.substr(0, dot);
    const auto children = module->named_children();
    module = children.contains(head)
                 ? children[head].get()
                 : module->register_module(head, std::make_shared<torch::nn::Module>()).get();
  }
  return {module, rest};
}

}  // namespace

void register_module_at(torch::nn::Module& root, const std::string& path,
                        std::shared_ptr<torch::nn::Module> module) {
  const auto [parent, name] = holder(root, path);
  parent->register_module(name, std::move(module));
}

at::Tensor register_parameter_at(torch::nn::Module& root, const std::string& path,
                                 at::Tensor value) {
  const auto [parent, name] = holder(root, path);
  return parent->register_parameter(name, std::move(value));
}

}  // namespace layerlab::models
