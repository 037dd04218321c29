#include "core/hash.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <cstdio>

#include "core/error.h"

namespace layerlab {

std::uint64_t hash64(std::string_view bytes) { return XXH3_64bits(bytes.data(), bytes.size()); }

std::string hash_hex(std::string_view bytes) { return hash_hex({&bytes, 1}); }

std::string hash_hex(std::span<const std::string_view> parts) {
  XXH3_state_t state;
  XXH3_128bits_reset(&state);
  for (const std::string_view part : parts) XXH3_128bits_update(&state, part.data(), part.size());
  const XXH128_hash_t hash = XXH3_128bits_digest(&state);
  char text[33];
  std::snprintf(text, sizeof text, "%016llx%016llx", static_cast<unsigned long long>(hash.high64),
                static_cast<unsigned long long>(hash.low64));
  return text;
}

std::string checked_hash(const std::filesystem::path& path, std::string_view bytes,
                         const std::string& expected, const std::string& key) {
  std::string hash = hash_hex(bytes);
  if (expected.empty() || hash == expected) return hash;
  throw UserError({path.string()},
                  "is not what the run was configured with: its hash is not " + key,
                  "restore the file, or remove " + key + " to train on it as it is");
}

}  // namespace layerlab
