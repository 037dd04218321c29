// Content hashes (XXH3). Not for secrets: they name results and key random streams.
#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>

namespace layerlab {

std::uint64_t hash64(std::string_view bytes);

// 128 bits as 32 lower-case hex digits.
std::string hash_hex(std::string_view bytes);

// The same of the parts put together.
std::string hash_hex(std::span<const std::string_view> parts);

// The same of a file's bytes. Throws UserError unless it is `expected`, which the key named `key`
// holds of an earlier reading; "" expects nothing.
std::string checked_hash(const std::filesystem::path& path, std::string_view bytes,
                         const std::string& expected, const std::string& key);

}  // namespace layerlab
