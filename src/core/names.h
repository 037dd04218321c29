// Words of messages.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace layerlab {

// The known name nearest to `name` by edit distance, or "" when none is near enough to be meant.
// Names of more than 100 bytes are not compared.
std::string nearest(std::string_view name, const std::vector<std::string>& known);

// "did you mean 'width'?" or, when nothing is near, "known: a, b, c".
std::string suggestion(std::string_view name, const std::vector<std::string>& known);

// "1 run", "2 runs".
std::string counted(std::int64_t count, std::string_view thing);

// "45 s", "3 min", "2 h 5 min".
std::string duration_text(double seconds);

}  // namespace layerlab
