// Experiments: TOML with a model, a task, a grid, a search and claims, expanded to its cells.

#include "config/experiment.h"
#include "tests/fuzz/fuzz.h"

using namespace layerlab;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::filesystem::path path = fuzz::write("input.toml", fuzz::text(data, size));
  fuzz::attempt([&] { config::load_experiment(path.string()); });
  return 0;
}
