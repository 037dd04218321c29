# Finds the folder of a LibTorch: site-packages/torch of a Python, or an unpacked LibTorch archive.
# Looked up anew at every configuration (0.1 s), so a folder that vanished is never believed in.
# Run as a script (cmake -P) it prints three lines for ./dev: the folder, what named it, why there is none.
cmake_policy(VERSION 3.22)

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

# Sets `result` to the folder to use and `origin` to what named it; or `result` to "" and `failure` to
# one line that says why and what to do. `origin` is "" when nothing was named and none was found.
function(layerlab_find_torch result origin failure)
  set(${result} "" PARENT_SCOPE)
  set(${origin} "" PARENT_SCOPE)
  set(${failure} "" PARENT_SCOPE)
  set(remedy "name another one with LAYERLAB_TORCH, or unset it and let ./dev build fetch one")

  # 1. What the user named is used or refused, never passed over.
  set(named "${LAYERLAB_TORCH}")
  set(who "LAYERLAB_TORCH")
  if(NOT named)
    string(REPLACE ":" ";" prefixes "$ENV{CMAKE_PREFIX_PATH}")
    foreach(prefix ${CMAKE_PREFIX_PATH} ${prefixes})
      foreach(candidate "${prefix}" "${prefix}/../..")  # torch.utils.cmake_prefix_path: share/cmake
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
    set(${origin} "${who}" PARENT_SCOPE)
    if(problem)
      set(${failure} "${who}: ${problem}; ${remedy}" PARENT_SCOPE)
    else()
      set(${result} "${named}" PARENT_SCOPE)
    endif()
    return()
  endif()

  # 2. The torch of the python3 on the PATH; 3. that of the private environment. One that cannot be
  # used is passed over: nobody asked for it.
  execute_process(
    COMMAND python3 -c "import importlib.util as u; print(u.find_spec('torch').submodule_search_locations[0])"
    OUTPUT_VARIABLE of_python ERROR_QUIET OUTPUT_STRIP_TRAILING_WHITESPACE)
  get_filename_component(root "${CMAKE_CURRENT_FUNCTION_LIST_DIR}/.." ABSOLUTE)
  file(GLOB private "${root}/build/python/lib/python3*/site-packages/torch")
  set(problems "")
  foreach(candidate ${of_python} ${private})
    layerlab_check_torch("${candidate}" problem version)
    if(NOT problem)
      set(${result} "${candidate}" PARENT_SCOPE)
      set(${origin} "python3" PARENT_SCOPE)
      if(candidate IN_LIST private)
        set(${origin} "build/python" PARENT_SCOPE)
      endif()
      return()
    endif()
    string(APPEND problems "${problem}; ")
  endforeach()
  set(${failure} "${problems}no usable LibTorch found; ./dev build fetches one, or name one with LAYERLAB_TORCH"
      PARENT_SCOPE)
endfunction()

if(CMAKE_SCRIPT_MODE_FILE STREQUAL CMAKE_CURRENT_LIST_FILE)
  set(LAYERLAB_TORCH "$ENV{LAYERLAB_TORCH}")
  layerlab_find_torch(folder origin failure)
  # Not message(): that writes to stderr.
  execute_process(COMMAND ${CMAKE_COMMAND} -E echo "${folder}\n${origin}\n${failure}")
endif()
