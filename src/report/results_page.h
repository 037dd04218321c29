// The page that `verify --markdown` writes.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "claims/table.h"
#include "config/variation.h"

namespace layerlab::report {

// Markdown: when and where the verdicts were made, and of what size the studies are; then
// claims::overview_markdown(). Devices, threads and versions are those of the runs' manifests,
// processor and GPUs those of this machine; its name and paths stay out. Throws UserError for a
// damaged manifest.
std::string results_page(const std::vector<claims::JudgedStudy>& studies,
                         const std::filesystem::path& results, const config::Variation& variation);

}  // namespace layerlab::report
