// A curve in a few lines of text.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace layerlab::cli {

// f at `columns` whole places from 0 to `last`, as `rows` lines of bars in eighths of a line, the
// largest value reaching the top. Lines have no labels and no spaces at the end.
// REQUIRES: f >= 0, columns >= 2.
std::vector<std::string> plot(const std::function<double(std::int64_t)>& f, std::int64_t last,
                              int columns, int rows);

}  // namespace layerlab::cli
