#include "conform/locate.h"

#include <functional>

namespace layerlab::conform {
namespace {

using equation::Site;
using Matches = std::function<bool(const Site&)>;

int first_tap(const equation::Program& program, const Matches& matches) {
  for (std::size_t i = 0; i < program.taps.size(); ++i) {
    for (const Site& site : program.taps[i].sites) {
      if (matches(site)) return static_cast<int>(i);
    }
  }
  return -1;
}

int last_tap(const equation::Program& program, const Matches& matches) {
  int found = -1;
  for (std::size_t i = 0; i < program.taps.size(); ++i) {
    for (const Site& site : program.taps[i].sites) {
      if (matches(site)) found = static_cast<int>(i);
    }
  }
  return found;
}

// The stream besides x: what `start` assigns.
std::string second_stream(const equation::Program& program) {
  for (const equation::Tap& tap : program.taps) {
    for (const Site& site : tap.sites) {
      if (site.layer < 0 && site.sublayer == "embedding" && site.role != "out") return site.role;
    }
  }
  return "";
}

}  // namespace

int locate(const SiteName& name, const equation::Program& program) {
  const int layer = name.layer;
  const auto role_in = [layer](const std::string& role) {
    return [layer, role](const Site& site) { return site.layer == layer && site.role == role; };
  };
  if (name.kind == "at") {
    return first_tap(program, [&](const Site& site) {
      return site.layer == layer && site.sublayer + "." + site.role == name.rest;
    });
  }
  if (name.kind == "stream_after_attn") {
    return last_tap(
        program, [&](const Site& site) { return role_in("out")(site) && site.sublayer == "attn"; });
  }
  if (name.kind.ends_with("_dual")) {
    const int until = name.kind == "block_in_dual" ? layer - 1 : layer;
    const std::string stream = second_stream(program);
    if (stream.empty()) return -1;
    return last_tap(program, [&](const Site& site) {
      return site.role == stream && site.layer <= until && site.sublayer != "finish";
    });
  }
  if (name.kind.starts_with("block_in")) return first_tap(program, role_in("in"));
  return last_tap(program, role_in("out"));
}

}  // namespace layerlab::conform
