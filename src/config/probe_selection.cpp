#include "config/probe_selection.h"

#include <fmt/ranges.h>
#include <fnmatch.h>

#include <algorithm>
#include <set>
#include <string_view>

#include "config/keys.h"

namespace layerlab::config {
namespace {

bool matches(const std::string& glob, const std::string& name) {
  return fnmatch(glob.c_str(), name.c_str(), 0) == 0;
}

std::vector<std::string> preset_globs(ProbePreset preset) {
  switch (preset) {
    case ProbePreset::kCheap:
      return {"rms", "grad_norm", "weight_norm"};
    case ProbePreset::kStandard:
      return {"rms",          "token_norm",   "max_abs",     "grad_norm*",
              "branch_ratio", "token_cosine", "weight_norm", "max_logit",
              "update_norm",  "update_ratio", "entropy"};
    case ProbePreset::kFull:
      return {"*"};
  }
  return {};
}

bool selects(const std::string& glob, const char* table, std::string_view quantity) {
  const std::string name(quantity);
  return matches(glob, name) || matches(glob, table + ("." + name));
}

template <std::size_t n>
void select(std::array<bool, n>& selected, const std::vector<std::string>& globs, const char* table,
            const std::array<std::string_view, n>& names) {
  for (std::size_t i = 0; i < n; ++i) {
    selected[i] = std::ranges::any_of(
        globs, [&](const std::string& glob) { return selects(glob, table, names[i]); });
  }
}

// Depth by depth the same names come again: layers are said once.
std::string listed(const std::vector<equation::Site>& sites) {
  std::set<std::string> seen;
  std::vector<std::string> names;
  for (const equation::Site& site : sites) {
    equation::Site any = site;
    any.layer = std::min(site.layer, 0);
    std::string name = site_name(any);
    if (site.layer >= 0) name.replace(name.find("0/"), 1, "LAYER");
    if (seen.insert(name).second) names.push_back(std::move(name));
  }
  return fmt::format("{}", fmt::join(names, ", "));
}

// The list in `root` is taken apart for the place of its element; a single string is the list.
Place place_of_element(const TomlNode& root, const char* key, std::size_t index) {
  const TomlNode* node = find_path(root, key);
  if (node == nullptr) return root.place;
  const auto* array = std::get_if<TomlNode::Array>(&node->value);
  return array == nullptr ? node->place : (*array)[index].place;
}

}  // namespace

bool SelectedQuantities::any_site() const {
  return std::ranges::any_of(site, [](bool selected) { return selected; });
}

SelectedQuantities selected_quantities(const ProbeConfig& probe) {
  const std::vector<std::string> globs =
      probe.quantities.empty() ? preset_globs(probe.preset) : probe.quantities;
  SelectedQuantities result;
  select(result.site, globs, "site", record::kSiteQuantities);
  select(result.param, globs, "param", record::kParamQuantities);
  return result;
}

std::string site_name(const equation::Site& site) {
  return (site.side.empty() ? "" : site.side + "/") + std::to_string(site.layer) + "/" +
         site.sublayer + "/" + site.role;
}

bool is_selected(const ProbeConfig& probe, const equation::Site& site) {
  const std::string name = site_name(site);
  return std::ranges::any_of(probe.sites,
                             [&](const std::string& glob) { return matches(glob, name); });
}

void check_selection(const TomlNode& root, const ProbeConfig& probe,
                     const std::vector<equation::Site>& sites) {
  for (std::size_t i = 0; i < probe.quantities.size(); ++i) {
    const SelectedQuantities found = selected_quantities({.quantities = {probe.quantities[i]}});
    const bool any = found.any_site() || std::ranges::count(found.param, true) > 0;
    if (any) continue;
    throw UserError(place_of_element(root, "probe.quantities", i),
                    "probe.quantities: no quantity is called \"" + probe.quantities[i] + "\"",
                    fmt::format("there are, of sites: {}; of parameters: {}",
                                fmt::join(record::kSiteQuantities, ", "),
                                fmt::join(record::kParamQuantities, ", ")));
  }
  for (std::size_t i = 0; i < probe.sites.size(); ++i) {
    const ProbeConfig alone{.sites = {probe.sites[i]}};
    if (std::ranges::any_of(sites, [&](const auto& site) { return is_selected(alone, site); })) {
      continue;
    }
    throw UserError(place_of_element(root, "probe.sites", i),
                    "probe.sites: no place is called \"" + probe.sites[i] + "\"",
                    "there are, from LAYER 0 on: " + listed(sites));
  }
}

}  // namespace layerlab::config
