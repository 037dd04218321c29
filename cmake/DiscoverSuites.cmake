# layerlab_discover_suites(TARGET)
#
# Makes each suite of a GoogleTest program one entry of ctest, found by asking the program once it is
# linked. Tests with _CUDA in their name become an entry of their own, SUITE_CUDA, so that
# `ctest -E _CUDA` leaves them out where there is no GPU.
function(layerlab_discover_suites target)
  set(entries ${CMAKE_CURRENT_BINARY_DIR}/${target}_suites.cmake)
  set(script ${PROJECT_SOURCE_DIR}/cmake/ListSuites.cmake)
  add_custom_command(TARGET ${target} POST_BUILD
    COMMAND ${CMAKE_COMMAND} -D program=$<TARGET_FILE:${target}> -D entries=${entries} -P ${script}
    BYPRODUCTS ${entries}
    COMMENT "Listing the suites of ${target}"
    VERBATIM)
  set_property(DIRECTORY APPEND PROPERTY TEST_INCLUDE_FILES ${entries})
endfunction()
