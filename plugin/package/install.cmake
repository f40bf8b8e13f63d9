# SPDX-License-Identifier: BSD-3-Clause
# What `cmake --install` puts where, by component: library, development, formulas, formulas_development, command, python.

install(TARGETS ukode EXPORT ukode LIBRARY COMPONENT library NAMELINK_COMPONENT development)
install(TARGETS ukode_static EXPORT ukode ARCHIVE COMPONENT development)
install(TARGETS ukode_embedded ukode_embedded_archive EXPORT ukode ARCHIVE COMPONENT development)
install(TARGETS ukode_command COMPONENT command)
install(TARGETS ukode_replay DESTINATION ${CMAKE_INSTALL_LIBDIR}/ukode COMPONENT command) # `ukode replay` starts it
install(FILES plugin/include/ukode/ukode.h plugin/include/ukode/analysis.h solvers/base/status.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/ukode
        COMPONENT development)
# the formulas, which need no ODE: a library, a pkg-config module and a CMake package of their own
install(TARGETS ukode_formulas EXPORT ukode-formulas
        LIBRARY COMPONENT formulas NAMELINK_COMPONENT formulas_development)
install(FILES solvers/formulas/formulas.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/ukode COMPONENT formulas_development)
set(formulas_dir ${CMAKE_INSTALL_LIBDIR}/cmake/ukode-formulas)
install(EXPORT ukode-formulas NAMESPACE ukode:: FILE ukode-formulasConfig.cmake DESTINATION ${formulas_dir}
        COMPONENT formulas_development)
write_basic_package_version_file(ukode-formulasConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/ukode-formulasConfigVersion.cmake DESTINATION ${formulas_dir}
        COMPONENT formulas_development)
install(DIRECTORY plugin/tools/python/ukode DESTINATION ${UKODE_PYTHON_DIR} COMPONENT python FILES_MATCHING PATTERN "*.py" PATTERN py.typed)
# `ukode run` names it; what it links to is not installed beside it
file(READ docs/unconverged.md page)
string(REGEX REPLACE "\\[([^]]*)\\]\\([^)]*\\)" "\\1" page "${page}")
file(CONFIGURE OUTPUT unconverged.md CONTENT "${page}" @ONLY)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/unconverged.md DESTINATION ${CMAKE_INSTALL_DOCDIR}/docs COMPONENT command)
set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/ukode)
install(EXPORT ukode NAMESPACE ukode:: FILE ukodeTargets.cmake DESTINATION ${package_dir} COMPONENT development)
configure_package_config_file(plugin/package/ukodeConfig.cmake.in ukodeConfig.cmake
                              INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file(ukodeConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/ukodeConfig.cmake ${CMAKE_CURRENT_BINARY_DIR}/ukodeConfigVersion.cmake
              ${CMAKE_CURRENT_BINARY_DIR}/embedded.wrap plugin/package/UkodeFindODE.cmake DESTINATION ${package_dir} COMPONENT development)
# relative to where the file lies, so that an installed tree may be moved
file(RELATIVE_PATH prefix_from_pkgconfig ${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig ${CMAKE_INSTALL_PREFIX})
foreach(kind LIB INCLUDE)
    string(TOLOWER pkgconfig_${kind}dir variable)
    if(IS_ABSOLUTE ${CMAKE_INSTALL_${kind}DIR})
        set(${variable} ${CMAKE_INSTALL_${kind}DIR})
    else()
        set(${variable} "\${prefix}/${CMAKE_INSTALL_${kind}DIR}")
    endif()
endforeach()
configure_file(plugin/package/ukode.pc.in ukode.pc @ONLY)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/ukode.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig COMPONENT development)
configure_file(plugin/package/ukode-formulas.pc.in ukode-formulas.pc @ONLY)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/ukode-formulas.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig
        COMPONENT formulas_development)

# the manual page and the completions say what --help says
add_custom_command(OUTPUT ukode.1 DEPENDS ukode_command plugin/package/manual.sh VERBATIM
                   COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/plugin/package/manual.sh ukode.1
                           ${CMAKE_CROSSCOMPILING_EMULATOR} $<TARGET_FILE:ukode_command>
                   COMMAND gzip -9nkf ukode.1)
add_custom_target(ukode_manual ALL DEPENDS ukode.1)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/ukode.1.gz DESTINATION ${CMAKE_INSTALL_MANDIR}/man1 COMPONENT command)
install(FILES plugin/package/ukode.bash DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions RENAME ukode
        COMPONENT command)
install(FILES plugin/package/_ukode DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/vendor-completions COMPONENT command)

# `cmake --build . --target uninstall`: what the last `cmake --install` put there
add_custom_target(uninstall VERBATIM COMMAND ${CMAKE_COMMAND} -D manifest=${CMAKE_CURRENT_BINARY_DIR}/install_manifest.txt
                  -P ${CMAKE_CURRENT_SOURCE_DIR}/plugin/package/uninstall.cmake)
