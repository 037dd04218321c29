# Finds the folder of a LibTorch: site-packages/torch of a Python, or an unpacked LibTorch archive.
# Looked up anew at every configuration (0.1 s), so a folder that vanished is never believed in.
# As a script it prints the folder's path, or why there is none:  cmake -P cmake/TorchFolder.cmake

# Sets `problem` to one line that says why `folder` cannot be used, or to "". Sets `version`.
function(layerlab_check_torch folder problem version)
  set(${problem} "" PARENT_SCOPE)
  set(${version} "" PARENT_SCOPE)
  foreach(file lib/libtorch_cpu.so lib/libc10.so include/torch/csrc/api/include/torch/torch.h)
    if(NOT EXISTS "${folder}/${file}")
      set(${problem} "${folder} holds no LibTorch: ${file} is missing" PARENT_SCOPE)
      return()
    endif()
  endforeach()

  # The numbers moved to headeronly/ in 2.9.
  set(numbers "${folder}/include/torch/headeronly/version.h")
  if(NOT EXISTS "${numbers}")
    set(numbers "${folder}/include/torch/csrc/api/include/torch/version.h")
  endif()
  file(STRINGS "${numbers}" lines REGEX "define TORCH_VERSION_(MAJOR|MINOR|PATCH) [0-9]+")
  string(REGEX REPLACE "[^0-9;]" "" lines "${lines}")
  list(JOIN lines "." found)
  set(${version} "${found}" PARENT_SCOPE)
  if(found VERSION_LESS 2.11)
    set(${problem} "LibTorch ${found} in ${folder} is too old, 2.11 to 2.14 can be used" PARENT_SCOPE)
    return()
  endif()

  file(STRINGS "${folder}/lib/libc10.so" modern REGEX "_ZN3c105ErrorC.*St7__cxx11" LIMIT_COUNT 1)
  if(NOT modern)
    set(${problem} "LibTorch ${found} in ${folder} was built with the old C++ ABI" PARENT_SCOPE)
  endif()
endfunction()

# Sets `result` to the folder to use and `origin` to who named it. Stops with one line when the
# folder that the user named is unusable, or when there is none at all.
function(layerlab_find_torch result origin)
  set(remedy "name another one with -DLAYERLAB_TORCH=DIR, or let ./dev build fetch one")

  # 1. What the user named.
  set(named "${LAYERLAB_TORCH}")
  set(who "LAYERLAB_TORCH")
  if(NOT named)
    foreach(prefix ${CMAKE_PREFIX_PATH} $ENV{CMAKE_PREFIX_PATH})
      foreach(candidate "${prefix}" "${prefix}/../..")  # the wheel names its share/cmake
        if(NOT named AND EXISTS "${candidate}/lib/libtorch_cpu.so"
           AND EXISTS "${candidate}/include/torch/csrc/api/include/torch/torch.h")
          set(named "${candidate}")
          set(who "CMAKE_PREFIX_PATH")
        endif()
      endforeach()
    endforeach()
  endif()
  if(named)
    get_filename_component(named "${named}" ABSOLUTE)
    layerlab_check_torch("${named}" problem version)
    if(problem)
      message(FATAL_ERROR "${who}: ${problem}; ${remedy}")
    endif()
    set(${result} "${named}" PARENT_SCOPE)
    set(${origin} "${who}" PARENT_SCOPE)
    return()
  endif()

  # 2. The torch of the python3 on the PATH, 3. that of the private environment. One that cannot
  # be used is passed over: nobody asked for it.
  execute_process(
    COMMAND python3 -c "import importlib.util as u; print(u.find_spec('torch').submodule_search_locations[0])"
    OUTPUT_VARIABLE of_python ERROR_QUIET OUTPUT_STRIP_TRAILING_WHITESPACE)
  get_filename_component(root "${CMAKE_CURRENT_FUNCTION_LIST_DIR}/.." ABSOLUTE)
  file(GLOB private "${root}/build/python/lib/python3*/site-packages/torch")
  set(why_not "")
  foreach(candidate "python3=${of_python}" "private environment=${private}")
    string(REGEX MATCH "^([^=]*)=(.*)$" candidate "${candidate}")
    set(who "${CMAKE_MATCH_1}")
    set(folder "${CMAKE_MATCH_2}")
    if(folder)
      layerlab_check_torch("${folder}" problem version)
      if(NOT problem)
        set(${result} "${folder}" PARENT_SCOPE)
        set(${origin} "${who}" PARENT_SCOPE)
        return()
      endif()
      string(APPEND why_not "${problem}; ")
    endif()
  endforeach()
  if(NOT why_not)
    set(why_not "no LibTorch found; ")
  endif()
  message(FATAL_ERROR "${why_not}${remedy}")
endfunction()

if(CMAKE_SCRIPT_MODE_FILE STREQUAL CMAKE_CURRENT_LIST_FILE)
  set(LAYERLAB_TORCH "$ENV{LAYERLAB_TORCH}")
  layerlab_find_torch(folder origin)
  execute_process(COMMAND ${CMAKE_COMMAND} -E echo "${folder}")  # message() would go to stderr
endif()
