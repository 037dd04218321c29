// Looks for texts that make the compiler of equations crash: ./dev test --fuzz

#include <cstddef>
#include <cstdint>
#include <sstream>
#include <string>

#include "equation/block_text.h"

using namespace layerlab;

// Lines of the input are equation, start, finish, a constant, and a learned tensor's init and size.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::istringstream input(std::string(reinterpret_cast<const char*>(data), size));
  const auto line = [&](const char* file) {
    std::string text;
    std::getline(input, text);
    return equation::Source{text, {file, 1, 1}};
  };
  equation::Block block;
  block.equation = line("equation");
  block.start = line("start");
  block.finish = line("finish");
  block.constants = {{"a", line("const"), {"const", 1, 1}}};
  equation::ParameterEntry learned;
  learned.name = "g";
  learned.init = line("init");
  learned.shape = {line("shape")};
  block.parameters = {learned};
  for (const bool cross : {false, true}) {
    try {
      equation::block_text(block, {.depth = 2, .width = 4, .heads = 2, .ff = 8, .cross = cross},
                           80);
      equation::warnings(block);
    } catch (const UserError&) {  // what a user would be told
    }
  }
  return 0;
}
