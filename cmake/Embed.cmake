# layerlab_embed(TARGET FILE SYMBOL)
#
# Compiles the bytes of FILE (relative to the calling folder) into TARGET as
#     namespace layerlab::embedded { extern const std::string_view SYMBOL; }
# declared by the header <embedded/NAME.h>, NAME being FILE's name without its extension:
# models/blocks.toml as kBlocks comes from #include "embedded/blocks.h". Made anew when FILE changes.
# To be called from the folder that makes TARGET: only there CMake knows how the file comes about.
function(layerlab_embed target file symbol)
  get_filename_component(file ${file} ABSOLUTE)
  get_filename_component(name ${file} NAME_WE)
  set(folder ${PROJECT_BINARY_DIR}/embedded)
  set(script ${PROJECT_SOURCE_DIR}/cmake/EmbedFile.cmake)
  add_custom_command(
    OUTPUT ${folder}/${name}.cpp
    BYPRODUCTS ${folder}/${name}.h
    COMMAND ${CMAKE_COMMAND} -D file=${file} -D symbol=${symbol} -D output=${folder}/${name} -P ${script}
    DEPENDS ${file} ${script}
    COMMENT "Embedding ${name}"
    VERBATIM)
  target_sources(${target} PRIVATE ${folder}/${name}.cpp)
  target_include_directories(${target} PRIVATE ${PROJECT_BINARY_DIR})
endfunction()
