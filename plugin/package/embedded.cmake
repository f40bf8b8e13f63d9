# SPDX-License-Identifier: BSD-3-Clause
# ukode::embedded: the library as an archive for programs and plugins that ODE is linked into. The linker replaces their
# calls of ODE (--wrap), of which the archive's objects have the other ends: __wrap_X (plugin/wrap.h).

# the wrapped functions: of ODE, those with an argument after their name in bridge/ode/ode.h, and in fork.h
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS bridge/ode/ode.h bridge/ode/fork.h)
file(READ bridge/ode/ode.h ukode_wrapped)
file(READ bridge/ode/fork.h ukode_wrapped_fork)
string(APPEND ukode_wrapped "${ukode_wrapped_fork}")
string(REGEX MATCHALL "\n    X\\(d[A-Z][A-Za-z0-9]*," ukode_wrapped "${ukode_wrapped}")
list(TRANSFORM ukode_wrapped REPLACE ".*\\((.*)," "\\1")
list(APPEND ukode_wrapped _exit _Exit execl execle execlp execv execve execveat execvp execvpe fexecve)
list(TRANSFORM ukode_wrapped PREPEND "--wrap=")
list(JOIN ukode_wrapped "\n" ukode_wrapped)
file(CONFIGURE OUTPUT embedded.wrap CONTENT "${ukode_wrapped}\n" @ONLY)

# all objects of the library, except those that depend on where the functions come from
set(ukode_own "/(plugin/interpose[a-z_]*|plugin/drive|bridge/ode/copy)[.]c[.]")
set(ukode_embedded_sources plugin/drive.c plugin/interpose.c plugin/interpose_exec.c plugin/interpose_exit.c
                           plugin/interpose_geom.c bridge/ode/embedded.c)
add_library(ukode_embedded_archive STATIC ${ukode_embedded_sources}
            "$<FILTER:$<TARGET_OBJECTS:ukode_objects>,EXCLUDE,${ukode_own}>")
set_target_properties(ukode_embedded_archive PROPERTIES OUTPUT_NAME ukode-embedded EXPORT_NAME embedded_archive
                                                        POSITION_INDEPENDENT_CODE ON)
target_compile_options(ukode_embedded_archive PRIVATE -fexceptions $<TARGET_PROPERTY:${ODE_TARGET},INTERFACE_COMPILE_OPTIONS>)
target_compile_definitions(ukode_embedded_archive PRIVATE _GNU_SOURCE UKODE_EMBEDDED
                                                          $<TARGET_PROPERTY:${ODE_TARGET},INTERFACE_COMPILE_DEFINITIONS>)
target_include_directories(ukode_embedded_archive PRIVATE ${CMAKE_CURRENT_SOURCE_DIR} ${CMAKE_CURRENT_SOURCE_DIR}/plugin/include)
target_include_directories(ukode_embedded_archive SYSTEM PRIVATE $<TARGET_PROPERTY:${ODE_TARGET},INTERFACE_INCLUDE_DIRECTORIES>)

# The whole archive, because nothing refers to its constructors; its symbols stay within the object that it is linked
# into. An installed package adds the ODE that UKODE_ODE names (ukodeConfig.cmake).
add_library(ukode_embedded INTERFACE)
add_library(ukode::embedded ALIAS ukode_embedded)
set_target_properties(ukode_embedded PROPERTIES EXPORT_NAME embedded)
target_include_directories(ukode_embedded INTERFACE $<BUILD_INTERFACE:${CMAKE_CURRENT_SOURCE_DIR}/plugin/include>
                                                    $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
target_link_options(ukode_embedded INTERFACE
                    -Wl,@$<BUILD_INTERFACE:${CMAKE_CURRENT_BINARY_DIR}/embedded.wrap>$<INSTALL_INTERFACE:$<INSTALL_PREFIX>/${CMAKE_INSTALL_LIBDIR}/cmake/ukode/embedded.wrap>
                    -Wl,--exclude-libs,libukode-embedded.a)
target_link_libraries(ukode_embedded INTERFACE
    -Wl,--whole-archive,$<TARGET_FILE:$<TARGET_NAME:ukode_embedded_archive>>,--no-whole-archive
    ukode_embedded_archive)
# ODE comes after it in the linker's arguments
target_link_libraries(ukode_embedded_archive INTERFACE $<BUILD_INTERFACE:${UKODE_ODE}> -pthread ${CMAKE_DL_LIBS} m)
if(UKODE_ODE)
    ukode_embed_ode(${UKODE_ODE} FROM_SOURCE)
endif()
