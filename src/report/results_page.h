// The page that `verify --markdown` writes.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "claims/table.h"
#include "config/overrides.h"

namespace layerlab::report {

// Markdown: date, machine and size of the studies, then claims::overview_markdown(). Devices,
// threads and versions come from the runs' manifests, processor and GPUs from this machine; its
// name and paths are left out. Throws UserError for a damaged manifest.
std::string results_page(const std::vector<claims::JudgedStudy>& studies,
                         const std::filesystem::path& results, const config::Overrides& overrides);

}  // namespace layerlab::report
