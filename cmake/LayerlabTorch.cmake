# layerlab::torch: LibTorch as one target, the same for the CPU wheel, the CUDA wheel (with or without
# a CUDA toolkit) and the LibTorch archive. find_package(Torch) demands a whole toolkit as soon as the
# wheel knows CUDA; nothing of it is needed to compile or link.
include(TorchFolder)

set(LAYERLAB_TORCH "" CACHE PATH "LibTorch to build against: site-packages/torch or an unpacked LibTorch")
layerlab_find_torch(torch torch_origin torch_failure)
if(NOT torch)
  message(FATAL_ERROR " ${torch_failure}")  # the blank keeps it one line
endif()
layerlab_check_torch("${torch}" problem torch_version)
message(STATUS "LibTorch ${torch_version}: ${torch} (${torch_origin})")
if(torch_version VERSION_GREATER_EQUAL 2.15)
  message(WARNING "LibTorch ${torch_version} is newer than 2.14, the newest that was tried")
endif()
# Configure again when this LibTorch is replaced or removed.
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${torch}/lib/libc10.so")

# LibTorch brings headers of its own fmt, which would be found before those that spdlog was built
# with. A folder that holds only the right fmt goes first.
find_package(fmt REQUIRED)
get_target_property(fmt_include fmt::fmt INTERFACE_INCLUDE_DIRECTORIES)
set(fmt_first ${PROJECT_BINARY_DIR}/fmt_first)
file(MAKE_DIRECTORY ${fmt_first})
file(CREATE_LINK ${fmt_include}/fmt ${fmt_first}/fmt SYMBOLIC)

add_library(layerlab_torch INTERFACE)
add_library(layerlab::torch ALIAS layerlab_torch)
target_include_directories(layerlab_torch SYSTEM INTERFACE
  ${fmt_first} "${torch}/include" "${torch}/include/torch/csrc/api/include")
target_compile_features(layerlab_torch INTERFACE cxx_std_20)
# Linked by full path, which also makes CMake write the run path.
target_link_libraries(layerlab_torch INTERFACE "${torch}/lib/libtorch_cpu.so" "${torch}/lib/libc10.so")

if(EXISTS "${torch}/lib/libtorch_cuda.so")
  # Nothing calls into these two, so a linker would drop them, and with them every GPU. One option,
  # so that CMake cannot reorder or merge its parts.
  target_link_options(layerlab_torch INTERFACE
    "LINKER:--push-state,--no-as-needed,${torch}/lib/libtorch_cuda.so,${torch}/lib/libc10_cuda.so,--pop-state")
  # c10's inline code calls the CUDA runtime, which the wheel keeps beside torch.
  file(GLOB cudart "${torch}/../nvidia/cu*/lib/libcudart.so.*" "${torch}/../nvidia/cuda_runtime/lib/libcudart.so.*"
                   "${torch}/lib/libcudart*.so*")
  if(cudart)
    list(GET cudart 0 cudart)
    get_filename_component(cudart "${cudart}" ABSOLUTE)
    target_link_libraries(layerlab_torch INTERFACE "${cudart}")
  endif()
endif()
