// Content hashes (XXH3). Not for secrets: they name results and key random streams.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace layerlab {

std::uint64_t hash64(std::string_view bytes);

// 128 bits as 32 lower-case hex digits.
std::string hash_hex(std::string_view bytes);

}  // namespace layerlab
