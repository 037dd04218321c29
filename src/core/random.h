// Random numbers as a pure function of (seed, purpose, name or step): no generator state exists,
// so a run resumes, replays and packs with others without changing a single draw.
// Philox 4x32-10: Salmon et al. 2011, "Parallel random numbers: as easy as 1, 2, 3".
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace layerlab {

// One Philox 4x32-10 block: a keyed bijection of the 128-bit counter.
std::array<std::uint32_t, 4> philox(std::array<std::uint32_t, 4> counter,
                                    std::array<std::uint32_t, 2> key);

// What draws are for. Streams of different purposes never overlap. The values are part of every
// result's identity: append, never renumber.
enum class Purpose : std::uint32_t {
  kWeights = 1,
  kBatch = 2,
  kDropout = 3,
  kResampling = 4,
  kHeldOut = 5,
  kProbe = 6
};

// The infinite sequence of draws that belongs to (seed, purpose, name or step). Copying it copies
// the position only. Draw number i does not depend on how earlier ones were asked for.
class RandomStream {
 public:
  RandomStream(std::uint64_t seed, Purpose purpose, std::string_view name);
  RandomStream(std::uint64_t seed, Purpose purpose, std::uint64_t step);

  std::uint32_t bits();                  // 32 uniform bits
  double uniform();                      // [0, 1), 53 bits
  double normal();                       // N(0, 1), by Box and Muller
  std::uint32_t below(std::uint32_t n);  // 0 .. n-1 without bias; n > 0

 private:
  std::array<std::uint32_t, 2> key_;
  std::array<std::uint32_t, 4> counter_;  // word 0 counts blocks
  std::array<std::uint32_t, 4> block_{};
  int used_ = 4;      // words of block_ already handed out
  double spare_ = 0;  // second normal of a pair
  bool has_spare_ = false;
};

}  // namespace layerlab
