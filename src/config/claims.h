// The [[claim]] tables of an experiment file.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "config/experiment.h"

namespace layerlab::config {

// Reads all claims strictly; none where `claims` is null. Throws UserError for unknown or missing
// keys, unknown kinds, an expectation that cannot be read, settings that no run has as keys, ids
// used twice, a `versus`, `along` or `diverged` that is missing or out of place, and claims that
// set what is searched.
std::vector<Claim> read_claims(const TomlNode* claims,
                               const std::optional<Search>& search = std::nullopt);

// "> a", "< a", "a .. b" or "a +- b". Throws UserError at `place`.
Region parse_region(const std::string& text, const Place& place);

// Throws UserError unless each value in the claim's selections is that of one of the cells that
// they select. The cells are called by `word`: "run".
void check_selects(const Claim& claim, const std::vector<Cell>& cells, const std::string& word);

}  // namespace layerlab::config
