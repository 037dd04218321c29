#include "equation/context.h"

namespace layerlab::equation {

std::string Context::prefix(Scope scope, const std::string& owner) const {
  switch (scope) {
    case Scope::kSublayer:
      return in_block() ? prefix(owner) : "";
    case Scope::kBlock:
      return in_block() ? "blocks." + std::to_string(layer) + "." : "";
    case Scope::kStack:
      return "";
  }
  return "";
}

std::pair<std::string, std::string> split_suffix(const std::string& name) {
  const std::size_t underscore = name.find('_');
  if (underscore == std::string::npos) return {name, ""};
  return {name.substr(0, underscore), name.substr(underscore)};
}

}  // namespace layerlab::equation
