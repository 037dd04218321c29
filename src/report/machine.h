// The processor and GPUs of this machine, as Linux reports them.
#pragma once

#include <string>
#include <vector>

namespace layerlab::report {

// "AMD EPYC 7763 64-Core Processor"; "unknown processor" if it is not told.
std::string processor();

// A name for each NVIDIA GPU: "NVIDIA H200".
std::vector<std::string> gpus();

}  // namespace layerlab::report
