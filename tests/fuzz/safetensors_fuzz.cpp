// Files of tensors: their headers, and what conform makes of their metadata and names.

#include "conform/description.h"
#include "conform/fixture.h"
#include "tests/fuzz/fuzz.h"

using namespace layerlab;

// The input is the header; its length and 64 bytes of data are put around it.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::string file(8, '\0');
  for (int byte = 0; byte < 8; ++byte) file[byte] = static_cast<char>(size >> (8 * byte));
  file.append(fuzz::text(data, size)).append(64, '\0');
  const std::filesystem::path path = fuzz::write("input.safetensors", file);
  fuzz::attempt([&] {
    const record::SafeTensors tensors = record::read_safetensors(path);
    conform::make_fixture(conform::describe(tensors, path), tensors, path);
  });
  return 0;
}
