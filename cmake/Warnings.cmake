# Warnings that our own code is compiled with; linked PRIVATE by every target.
add_library(layerlab_warnings INTERFACE)
target_compile_options(layerlab_warnings INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wswitch-enum
  -Wno-maybe-uninitialized)  # GCC 12 raises false alarms of this kind inside std::variant
