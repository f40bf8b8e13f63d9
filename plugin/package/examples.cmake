# SPDX-License-Identifier: BSD-3-Clause
# The examples, against the installed packages ukode, libukode-dev and libukode-formulas-dev:
#     cmake -S . -B build && cmake --build build
cmake_minimum_required(VERSION 3.22)
project(ukode_examples LANGUAGES C)
if(NOT CMAKE_BUILD_TYPE)
    set(CMAKE_BUILD_TYPE Release)
endif()
find_package(ukode REQUIRED COMPONENTS formulas)
include_directories(${CMAKE_CURRENT_SOURCE_DIR})
add_compile_definitions(_GNU_SOURCE)

# ordinary ODE programs, which know nothing of ukode
file(GLOB scenes demos/scenes*.c)
file(GLOB programs demos/*.c)
list(REMOVE_ITEM programs ${scenes})
add_library(scenes STATIC ${scenes})
target_link_libraries(scenes PUBLIC ${ukode_ODE} m)
foreach(program ${programs})
    get_filename_component(name ${program} NAME_WE)
    add_executable(${name} ${program})
    target_link_libraries(${name} PRIVATE scenes)
    set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY demos)
endforeach()

# the papers' examples, which call it
file(GLOB papers demos/papers/*.c)
list(FILTER papers EXCLUDE REGEX "/paper\\.c$")
foreach(paper ${papers})
    get_filename_component(name ${paper} NAME_WE)
    add_executable(${name} ${paper} demos/papers/paper.c)
    target_link_libraries(${name} PRIVATE ukode::ukode ukode::formulas m)
    set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY demos/papers)
endforeach()
