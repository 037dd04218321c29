// Where the tests find the files of tests/golden.
#pragma once

#include <filesystem>
#include <string>

namespace layerlab {

// tests/golden/NAME.safetensors, wherever the repository is. Compiled once for each test program,
// so that no other file depends on that path and the compiler cache serves every clone.
std::filesystem::path golden_file(const std::string& name);

}  // namespace layerlab
