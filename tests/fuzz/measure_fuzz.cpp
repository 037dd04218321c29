// Measures: SQL over one run's record, checked on an empty one.

#include "claims/measure.h"
#include "tests/fuzz/fuzz.h"

using namespace layerlab;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  fuzz::attempt([&] { claims::Measure(std::string(fuzz::text(data, size)), {"input", 1, 1}); });
  return 0;
}
