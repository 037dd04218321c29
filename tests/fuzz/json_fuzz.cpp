// JSON: parsed, and what was parsed printed and parsed again.

#include "core/json.h"
#include "tests/fuzz/fuzz.h"

using namespace layerlab;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  fuzz::attempt([&] {
    const JsonNode node = parse_json(fuzz::text(data, size), {"input", 1, 1});
    parse_json(to_json(node, JsonLayout::kCompact), {"printed", 1, 1});
  });
  return 0;
}
