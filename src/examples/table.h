// The examples for people to read.
#pragma once

#include <string>
#include <vector>

#include "examples/row.h"

namespace layerlab::examples {

// A line for each number, and at the end how many agree.
std::string table(const std::vector<Document>& documents);

// Whether no row is kDiffers.
bool all_as_expected(const std::vector<Document>& documents);

}  // namespace layerlab::examples
