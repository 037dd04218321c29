# layerlab::allocator: tcmalloc for the programs that train. A step allocates and frees the same few
# hundred tensors of all sizes again, for which glibc's malloc takes a tenth of a small step's time,
# and gives large blocks back to the system only to fault them in anew.
option(LAYERLAB_TCMALLOC "Train with tcmalloc; off where sanitizers bring an allocator of their own" ON)
add_library(layerlab_allocator INTERFACE)
add_library(layerlab::allocator ALIAS layerlab_allocator)
if(LAYERLAB_TCMALLOC)
  find_library(LAYERLAB_TCMALLOC_LIBRARY tcmalloc_minimal)
  if(NOT LAYERLAB_TCMALLOC_LIBRARY)
    message(FATAL_ERROR " tcmalloc is missing: install libgoogle-perftools-dev, or set LAYERLAB_TCMALLOC=OFF")
  endif()
  # Nothing names it, so a linker would drop it.
  target_link_options(layerlab_allocator INTERFACE
    "LINKER:--push-state,--no-as-needed,${LAYERLAB_TCMALLOC_LIBRARY},--pop-state")
endif()
