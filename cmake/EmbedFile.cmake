# The script that layerlab_embed (Embed.cmake) runs at build time: writes ${output}.h and ${output}.cpp.
# Bytes become character literals: a string literal would meet compilers' limits on its length.
get_filename_component(name ${output} NAME)
file(READ ${file} bytes HEX)
string(REGEX REPLACE "(................................)" "\\1\n" bytes "${bytes}")
string(REGEX REPLACE "([0-9a-f][0-9a-f])" "'\\\\x\\1'," bytes "${bytes}")

file(CONFIGURE OUTPUT ${output}.h @ONLY CONTENT [[
#pragma once

#include <string_view>

namespace layerlab::embedded {
extern const std::string_view @symbol@;
}  // namespace layerlab::embedded
]])

file(CONFIGURE OUTPUT ${output}.cpp @ONLY CONTENT [[
#include "embedded/@name@.h"

namespace {
constexpr char kBytes[] = {
@bytes@};
}  // namespace

namespace layerlab::embedded {
constinit const std::string_view @symbol@(kBytes, sizeof kBytes);
}  // namespace layerlab::embedded
]])
