// A run's folder: `done` and manifest.json.

#include "record/manifest.h"
#include "tests/fuzz/fuzz.h"

using namespace layerlab;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const record::CellFolder cell{fuzz::folder()};
  fuzz::write("config.toml", "");
  fuzz::write("done", fuzz::text(data, size));
  fuzz::write("manifest.json", fuzz::text(data, size));
  fuzz::attempt([&] { record::read_state(cell); });
  fuzz::attempt([&] { record::read_done(cell); });
  fuzz::attempt([&] { record::read_manifest(cell); });
  return 0;
}
