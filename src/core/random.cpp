#include "core/random.h"

#include <cassert>
#include <cmath>
#include <numbers>

#include "core/hash.h"

namespace layerlab {
namespace {

std::array<std::uint32_t, 2> halves(std::uint64_t value) {
  return {static_cast<std::uint32_t>(value), static_cast<std::uint32_t>(value >> 32)};
}

}  // namespace

std::array<std::uint32_t, 4> philox(std::array<std::uint32_t, 4> counter,
                                    std::array<std::uint32_t, 2> key) {
  for (int round = 0; round < 10; ++round) {
    const auto [low0, high0] = halves(std::uint64_t{0xD2511F53} * counter[0]);
    const auto [low1, high1] = halves(std::uint64_t{0xCD9E8D57} * counter[2]);
    counter = {high1 ^ counter[1] ^ key[0], low1, high0 ^ counter[3] ^ key[1], low0};
    key[0] += 0x9E3779B9;
    key[1] += 0xBB67AE85;
  }
  return counter;
}

RandomStream::RandomStream(std::uint64_t seed, Purpose purpose, std::string_view name)
    : RandomStream(seed, purpose, hash64(name)) {}

RandomStream::RandomStream(std::uint64_t seed, Purpose purpose, std::uint64_t step)
    : key_(halves(seed)) {
  const auto [low, high] = halves(step);
  counter_ = {0, static_cast<std::uint32_t>(purpose), low, high};
}

std::uint32_t RandomStream::bits() {
  if (used_ == 4) {
    block_ = philox(counter_, key_);
    ++counter_[0];
    used_ = 0;
  }
  return block_[used_++];
}

double RandomStream::uniform() {
  const std::uint64_t high = bits() >> 5;
  const std::uint64_t low = bits() >> 6;
  return static_cast<double>((high << 26) | low) * 0x1p-53;
}

double RandomStream::normal() {
  if (has_spare_) {
    has_spare_ = false;
    return spare_;
  }
  const double radius = std::sqrt(-2.0 * std::log1p(-uniform()));
  const double angle = 2.0 * std::numbers::pi * uniform();
  spare_ = radius * std::sin(angle);
  has_spare_ = true;
  return radius * std::cos(angle);
}

std::uint32_t RandomStream::below(std::uint32_t n) {
  assert(n > 0);
  // Lemire's multiplication with rejection of the biased remainder.
  const std::uint32_t threshold = -n % n;
  while (true) {
    const std::uint64_t product = std::uint64_t{bits()} * n;
    if (static_cast<std::uint32_t>(product) >= threshold) {
      return static_cast<std::uint32_t>(product >> 32);
    }
  }
}

}  // namespace layerlab
