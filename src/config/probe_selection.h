// Which quantities a run measures, and where.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "config/run_config.h"
#include "core/toml.h"
#include "equation/program.h"
#include "record/record.h"

namespace layerlab::config {

// By column of the tables `site` and `param`, true where it is to be filled.
struct SelectedQuantities {
  std::array<bool, record::kSiteQuantities.size()> site{};
  std::array<bool, record::kParamQuantities.size()> param{};

  bool any_site() const;
};

// probe.quantities: globs of "rms" or "param.grad_norm", as fnmatch reads them; a name without its
// table is a quantity of both. Where there are none, the preset's.
SelectedQuantities selected_quantities(const ProbeConfig& probe);

// "3/attn/out", "encoder/3/attn/out", "-1/finish/out": what probe.sites matches.
std::string site_name(const equation::Site& site);
bool is_selected(const ProbeConfig& probe, const equation::Site& site);

// Throws UserError, at the place in `root`, for a glob that matches nothing.
void check_selection(const TomlNode& root, const ProbeConfig& probe,
                     const std::vector<equation::Site>& sites);

}  // namespace layerlab::config
