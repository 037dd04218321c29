// What this machine computes with, as Linux tells it.
#pragma once

#include <string>
#include <vector>

namespace layerlab::report {

// "AMD EPYC 7763 64-Core Processor"; "unknown processor" where it does not say.
std::string processor();

// Of each GPU of NVIDIA's: "NVIDIA H200".
std::vector<std::string> gpus();

}  // namespace layerlab::report
