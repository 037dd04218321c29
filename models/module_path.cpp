#include "models/module_path.h"

#include <unordered_map>
#include <utility>

namespace layerlab::models {
namespace {

using torch::nn::Module;

// A module that holds others and nothing else. It knows them by name: torch copies its dictionary
// of children for whoever looks into it, and "blocks" has a child for each block.
struct Folder : Module {
  std::unordered_map<std::string, Module*> by_name;
};

void add(Module& parent, const std::string& name, std::shared_ptr<Module> module) {
  if (auto* folder = dynamic_cast<Folder*>(&parent)) folder->by_name[name] = module.get();
  parent.register_module(name, std::move(module));
}

// The child of that name, made where there is none.
Module& child(Module& parent, const std::string& name) {
  if (const auto* folder = dynamic_cast<Folder*>(&parent)) {
    if (const auto found = folder->by_name.find(name); found != folder->by_name.end()) {
      return *found->second;
    }
  } else if (const auto children = parent.named_children(); children.contains(name)) {
    return *children[name];
  }
  const auto made = std::make_shared<Folder>();
  add(parent, name, made);
  return *made;
}

// The module that holds what `path` names, and the name without dots that it has there.
std::pair<Module*, std::string> holder(Module& root, const std::string& path) {
  Module* module = &root;
  std::string rest = path;
  for (std::size_t dot; (dot = rest.find('.')) != std::string::npos; rest.erase(0, dot + 1)) {
    module = &child(*module, rest.substr(0, dot));
  }
  return {module, rest};
}

}  // namespace

void register_module_at(Module& root, const std::string& path, std::shared_ptr<Module> module) {
  const auto [parent, name] = holder(root, path);
  add(*parent, name, std::move(module));
}

at::Tensor register_parameter_at(Module& root, const std::string& path, at::Tensor value) {
  const auto [parent, name] = holder(root, path);
  return parent->register_parameter(name, std::move(value));
}

}  // namespace layerlab::models
