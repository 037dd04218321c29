// The one place for differences between the releases of LibTorch that are supported (2.11-2.14).
#pragma once

#if __has_include(<torch/headeronly/version.h>)
#include <torch/headeronly/version.h>  // defines: TORCH_VERSION
#else
#include <torch/version.h>
#endif
