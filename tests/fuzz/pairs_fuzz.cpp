// Files of pairs: a tab between input and target, and a JSON object a line.

#include "tasks/pair_file.h"
#include "tests/fuzz/fuzz.h"

using namespace layerlab;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  for (const char* path : {"input.tsv", "input.jsonl"}) {
    fuzz::attempt([&] { tasks::read_pairs(path, fuzz::text(data, size), tasks::Unit{}); });
  }
  return 0;
}
