// What a worker prints, a line at a time: events, its version, the lines of conform.

#include <algorithm>

#include "conform/comparison.h"
#include "sweep/protocol.h"
#include "tests/fuzz/fuzz.h"

using namespace layerlab;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::string_view rest = fuzz::text(data, size);
  conform::Comparison comparison;
  while (!rest.empty()) {
    const std::string_view line = rest.substr(0, rest.find('\n'));
    rest.remove_prefix(std::min(rest.size(), line.size() + 1));
    fuzz::attempt([&] { sweep::parse_line(line); });
    fuzz::attempt([&] { sweep::parse_version(line); });
    fuzz::attempt([&] { conform::read_line(line, comparison); });
  }
  return 0;
}
