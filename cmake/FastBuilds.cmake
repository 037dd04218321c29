# Compiler cache and linker: used when installed, never required.

# The cache's settings travel with the command, so a plain `cmake --build` has them too: it works
# through precompiled headers (sloppiness here, -fpch-preprocess below) and for a clone in another folder.
find_program(LAYERLAB_CCACHE ccache)
if(LAYERLAB_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  set(CMAKE_CXX_COMPILER_LAUNCHER
    ${CMAKE_COMMAND} -E env
    CCACHE_SLOPPINESS=pch_defines,time_macros
    CCACHE_BASEDIR=${PROJECT_SOURCE_DIR}
    CCACHE_NOHASHDIR=1
    ${LAYERLAB_CCACHE})
endif()
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  add_compile_options(-fpch-preprocess)
endif()

# GCC knows -fuse-ld=mold from release 12 on; older ones link with the default linker.
include(CheckLinkerFlag)
find_program(LAYERLAB_MOLD mold)
if(LAYERLAB_MOLD)
  check_linker_flag(CXX -fuse-ld=mold LAYERLAB_COMPILER_KNOWS_MOLD)
  if(LAYERLAB_COMPILER_KNOWS_MOLD)
    add_link_options(-fuse-ld=mold)
  endif()
endif()
