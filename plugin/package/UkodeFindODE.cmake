# SPDX-License-Identifier: BSD-3-Clause
# ukode_find_ode(result): the target of ODE, ODE::ODE (upstream's CMake package) or PkgConfig::ODE (pkg-config);
# empty if there is none. Used by ukode's own build and by its installed package.
macro(ukode_find_ode result)
    set(${result} "")
    find_package(ODE CONFIG QUIET)
    if(TARGET ODE::ODE)
        set(${result} ODE::ODE)
    else()
        find_package(PkgConfig QUIET)
        if(PKG_CONFIG_FOUND)
            pkg_check_modules(ODE QUIET IMPORTED_TARGET ode)
        endif()
        if(TARGET PkgConfig::ODE)
            set(${result} PkgConfig::ODE)
        endif()
    endif()
endmacro()

# ukode_check_precision(target): ends the configuration unless ODE's headers and its library are of double precision.
# The library is read, not run: its configuration is a text in it. A blank first: CMake breaks no such line.
function(ukode_check_precision target)
    include(CheckCSourceCompiles)
    set(CMAKE_REQUIRED_LIBRARIES ${target})
    set(CMAKE_REQUIRED_QUIET TRUE)
    set(CMAKE_TRY_COMPILE_TARGET_TYPE STATIC_LIBRARY) # compiled, not linked
    unset(ukode_ode_is_double CACHE)
    check_c_source_compiles("
        #include <ode/ode.h>
        int wide[sizeof(dReal) == sizeof(double) ? 1 : -1];" ukode_ode_is_double)
    set(is_double ${ukode_ode_is_double})
    unset(ukode_ode_is_double CACHE)
    if(NOT is_double)
        message(FATAL_ERROR " ODE's headers are of single precision: ukode needs double (Debian: libode-dev)")
    endif()
    set(libraries ${ODE_LINK_LIBRARIES})
    if(TARGET ODE::ODE)
        get_target_property(libraries ODE::ODE LOCATION)
    endif()
    foreach(library ${libraries})
        if(library MATCHES "/libode[^/]*$" AND EXISTS ${library})
            file(STRINGS ${library} words REGEX "ODE_single_precision" LIMIT_COUNT 1)
            if(words)
                message(FATAL_ERROR " ${library} is of single precision: ukode needs double (Debian: libode-dev)")
            endif()
        endif()
    endforeach()
endfunction()

# ukode_check_embedded(target [FROM_SOURCE]): ends the configuration where ukode::embedded would not link with, or would
# refuse, the ODE of a target of the project. Its headers are read as text: it is not built yet. FROM_SOURCE: ukode is
# compiled with these headers; an installed archive was compiled with those of ODE 0.13 or later.
function(ukode_check_embedded target)
    get_target_property(directories ${target} INTERFACE_INCLUDE_DIRECTORIES)
    get_target_property(definitions ${target} INTERFACE_COMPILE_DEFINITIONS)
    if("${definitions}" MATCHES "(^|;)(-D)?(dIDESINGLE|dSINGLE)(=|;|$)")
        message(FATAL_ERROR " UKODE_ODE: ${target} is an ODE of single precision (${CMAKE_MATCH_3}), which ukode::embedded does not serve")
    endif()
    foreach(directory ${directories})
        string(REGEX REPLACE "^\\$<BUILD_INTERFACE:(.*)>$" "\\1" directory "${directory}")
        if(EXISTS ${directory}/ode/objects.h)
            file(STRINGS ${directory}/ode/objects.h created REGEX "dJointCreate(Transmission|DBall|Screw)" LIMIT_COUNT 3)
            if("${created}" MATCHES "dJointCreateScrew")
                message(FATAL_ERROR " UKODE_ODE: ${directory}/ode are the headers of Gazebo's fork of ODE, which ukode does not serve")
            elseif(NOT "FROM_SOURCE" IN_LIST ARGN AND
                   (NOT "${created}" MATCHES "dJointCreateTransmission" OR NOT "${created}" MATCHES "dJointCreateDBall"))
                message(FATAL_ERROR " UKODE_ODE: ${directory}/ode are the headers of ODE 0.12 or older: the installed ukode::embedded is compiled with those of 0.13 or later; add ukode's source with add_subdirectory")
            endif()
            return()
        endif()
    endforeach()
endfunction()

# ukode_embed_ode(target [FROM_SOURCE]): compiles an ODE of the project without link-time optimisation, which would bind its calls among
# themselves and those of the program before the linker's --wrap sees them.
function(ukode_embed_ode target)
    ukode_check_embedded(${target} ${ARGN})
    get_target_property(imported ${target} IMPORTED)
    get_target_property(type ${target} TYPE)
    if(NOT imported AND NOT type STREQUAL "INTERFACE_LIBRARY")
        set_target_properties(${target} PROPERTIES INTERPROCEDURAL_OPTIMIZATION OFF)
        target_compile_options(${target} PRIVATE -fno-lto)
    endif()
endfunction()
