# The script that layerlab_discover_suites (DiscoverSuites.cmake) runs after linking: writes the
# entries of ctest for `program` to the file `entries`.
execute_process(COMMAND ${program} --gtest_list_tests OUTPUT_VARIABLE listing COMMAND_ERROR_IS_FATAL ANY)
string(REGEX REPLACE "[ ]*#[^\n]*" "" listing "${listing}")  # values of parameters
string(REPLACE "\n" ";" listing "${listing}")

set(names "")  # entries, each once
foreach(line ${listing})
  if(line MATCHES "^([^ ]+)[.]$")
    set(suite ${CMAKE_MATCH_1})
  elseif(line MATCHES "^  .*_CUDA")
    list(APPEND names ${suite}_CUDA)
  elseif(line MATCHES "^  ")
    list(APPEND names ${suite})
  endif()
endforeach()
list(REMOVE_DUPLICATES names)

set(text "")
foreach(name ${names})
  if(name MATCHES "^(.*)_CUDA$")
    set(filter "${CMAKE_MATCH_1}.*_CUDA*")
  else()
    set(filter "${name}.*-*_CUDA*")
  endif()
  # One thread a process: ctest runs as many processes as there are cores.
  string(APPEND text
    "add_test([==[${name}]==] [==[${program}]==] [==[--gtest_filter=${filter}]==])\n"
    "set_tests_properties([==[${name}]==] PROPERTIES ENVIRONMENT OMP_NUM_THREADS=1)\n")
endforeach()
file(WRITE ${entries} "${text}")
