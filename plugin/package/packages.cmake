# SPDX-License-Identifier: BSD-3-Clause
# `cpack -G DEB` in the build folder: libukode0, libukode-dev, libukode-formulas0, libukode-formulas-dev, ukode,
# python3-ukode and ukode-doc for Debian. What the library loads on demand (LAPACKE with a BLAS, SQLite), and ODE, of which a
# program brings a copy, is recommended, not required; the command depends on what recordings, reports and live pages need.
# It belongs to a build with CMAKE_INSTALL_PREFIX=/usr (docs/contributing.md).

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME ukode)
set(CPACK_PACKAGE_VENDOR "the ukode authors")
set(CPACK_PACKAGE_CONTACT "the ukode authors <ukode@users.noreply.github.com>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "${PROJECT_NAME} built using CMake") # CPack's own word for none: each has its own
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_COMPONENTS_ALL library development formulas formulas_development command python documentation)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS OFF) # of those that have binaries alone

# cross-built: dpkg's own answer would be the architecture of this machine
if(CMAKE_CROSSCOMPILING AND CMAKE_LIBRARY_ARCHITECTURE)
    execute_process(COMMAND dpkg-architecture -t${CMAKE_LIBRARY_ARCHITECTURE} -qDEB_HOST_ARCH
                    OUTPUT_VARIABLE CPACK_DEBIAN_PACKAGE_ARCHITECTURE OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
endif()

# package(COMPONENT NAME SECTION ARCHITECTURE DEPENDS RECOMMENDS SUMMARY DESCRIPTION)
macro(ukode_package component name section architecture depends recommends summary description)
    string(TOUPPER ${component} upper)
    set(CPACK_DEBIAN_${upper}_PACKAGE_NAME ${name})
    set(CPACK_DEBIAN_${upper}_PACKAGE_SECTION ${section})
    set(CPACK_DEBIAN_${upper}_PACKAGE_DEPENDS "${depends}")
    set(CPACK_DEBIAN_${upper}_PACKAGE_RECOMMENDS "${recommends}")
    set(CPACK_DEBIAN_${upper}_DESCRIPTION "${summary}\n${description}")
    if(NOT ${architecture} STREQUAL any)
        set(CPACK_DEBIAN_${upper}_PACKAGE_ARCHITECTURE ${architecture})
    else()
        set(CPACK_DEBIAN_${upper}_PACKAGE_SHLIBDEPS ON)
    endif()
    file(WRITE ${CMAKE_CURRENT_BINARY_DIR}/packages/${name}/changelog.Debian
         "ukode (${PROJECT_VERSION}) unstable; urgency=medium\n\n  * Version ${PROJECT_VERSION}: see docs/changelog.md.\n\n"
         " -- ${CPACK_PACKAGE_CONTACT}  Sun, 01 Nov 2026 00:00:00 +0000\n")
    execute_process(COMMAND gzip -9nkf ${CMAKE_CURRENT_BINARY_DIR}/packages/${name}/changelog.Debian)
    install(FILES ${CMAKE_CURRENT_BINARY_DIR}/packages/${name}/changelog.Debian.gz
            DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/${name} RENAME changelog.gz COMPONENT ${component} EXCLUDE_FROM_ALL)
    install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/${name} RENAME copyright COMPONENT ${component}
            EXCLUDE_FROM_ALL)
endmacro()

ukode_package(library libukode0 libs any "" "libode8, liblapacke, libblas3 | libblas.so.3, libsqlite3-0"
              "exact, certified steps for the Open Dynamics Engine - library"
              "ukode replaces the stepping of ODE by the explicit equations of\nconstrained motion of Udwadia and Kalaba, and certifies every step by\nGauss's principle. This is the shared library, which may be preloaded.")
# a trigger calls ldconfig
file(WRITE ${CMAKE_CURRENT_BINARY_DIR}/packages/shlibs "libukode 0 libukode0 (>= ${PROJECT_VERSION})\n")
file(WRITE ${CMAKE_CURRENT_BINARY_DIR}/packages/triggers "activate-noawait ldconfig\n")
set(CPACK_DEBIAN_LIBRARY_PACKAGE_CONTROL_EXTRA ${CMAKE_CURRENT_BINARY_DIR}/packages/shlibs
    ${CMAKE_CURRENT_BINARY_DIR}/packages/triggers)
ukode_package(formulas libukode-formulas0 libs any "" ""
              "formulas of constrained motion - library"
              "The formulas of Kalaba and Udwadia for constrained mechanical systems, as\ntheir papers state them: generalized inverses, the explicit equations of\nmotion, the extended principle of D'Alembert, Gauss's principle.")
file(WRITE ${CMAKE_CURRENT_BINARY_DIR}/packages/formulas/shlibs
     "libukode-formulas 0 libukode-formulas0 (>= ${PROJECT_VERSION})\n")
set(CPACK_DEBIAN_FORMULAS_PACKAGE_CONTROL_EXTRA ${CMAKE_CURRENT_BINARY_DIR}/packages/formulas/shlibs
    ${CMAKE_CURRENT_BINARY_DIR}/packages/triggers)
ukode_package(formulas_development libukode-formulas-dev libdevel any "libukode-formulas0 (= ${PROJECT_VERSION})" ""
              "formulas of constrained motion - header"
              "Header, pkg-config module and CMake package of libukode-formulas. ODE is\nnot needed.")
ukode_package(development libukode-dev libdevel any "libukode0 (= ${PROJECT_VERSION}), libode-dev" ""
              "exact, certified steps for the Open Dynamics Engine - header"
              "Header, pkg-config module and CMake package of ukode, which replaces\nthe stepping of ODE by exact equations of constrained motion.")
ukode_package(command ukode science any
              "libukode0 (= ${PROJECT_VERSION}), libsqlite3-0, libjs-three, libjs-dygraphs" "ukode-doc"
              "exact, certified steps for the Open Dynamics Engine - command"
              "The command ukode runs unmodified ODE programs with exact steps,\ncompares them with native runs, records, replays and verifies them,\nshows what is wrong with a model, and sweeps over parameters.")
set(CPACK_DEBIAN_COMMAND_PACKAGE_SUGGESTS "openmpi-bin") # `mpirun ukode sweep`
ukode_package(python python3-ukode python all "python3:any, libukode0 (>= ${PROJECT_VERSION})"
              "python3-numpy, python3-pyode, libukode-formulas0"
              "exact, certified steps for the Open Dynamics Engine - Python"
              "Reports, equations, diagnosis, constraints, forces and laws of ukode\nfor programs that drive ODE from Python.")
ukode_package(documentation ukode-doc doc all "" ""
              "exact, certified steps for the Open Dynamics Engine - pages"
              "Tutorial, theory, conventions, accuracy and performance of ukode, the\nreference of its functions, and examples in C and Python.")
# maintainer scripts: PACKAGE.SCRIPT
function(ukode_script component package script)
    set(folder ${CMAKE_CURRENT_BINARY_DIR}/packages/${package})
    configure_file(plugin/package/${package}.${script} ${folder}/${script} COPYONLY)
    string(TOUPPER CPACK_DEBIAN_${component}_PACKAGE_CONTROL_EXTRA variable)
    set(${variable} ${${variable}} ${folder}/${script} PARENT_SCOPE)
endfunction()
ukode_script(library libukode0 postinst)
ukode_script(library libukode0 postrm)
ukode_script(python python3-ukode postinst) # its compiled modules come and go with the package
ukode_script(python python3-ukode prerm)

# the pages: where pandoc and Doxygen are, as HTML, made by their target, and when they are packed
find_program(PANDOC pandoc)
find_program(DOXYGEN doxygen)
set(pages_output ${CMAKE_CURRENT_BINARY_DIR}/pages)
set(pages_strict NO)
configure_file(plugin/package/pages/Doxyfile.in packages/Doxyfile @ONLY)
if(PANDOC AND DOXYGEN)
    set(pages_command ${CMAKE_CURRENT_SOURCE_DIR}/plugin/package/pages/build.sh ${CMAKE_CURRENT_SOURCE_DIR}
                      ${CMAKE_CURRENT_BINARY_DIR}/packages/Doxyfile ${pages_output})
    add_custom_target(ukode_pages VERBATIM COMMAND ${pages_command})
    list(JOIN pages_command "]] [[" pages_words)
    install(CODE "execute_process(COMMAND [[${pages_words}]] RESULT_VARIABLE status)
        if(status)
            message(FATAL_ERROR \"the pages cannot be made\")
        endif()" COMPONENT documentation EXCLUDE_FROM_ALL)
    install(DIRECTORY ${pages_output}/ DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/ukode-doc/html COMPONENT documentation
            EXCLUDE_FROM_ALL)
else()
    install(DIRECTORY docs/ DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/ukode-doc/docs COMPONENT documentation EXCLUDE_FROM_ALL)
endif()
install(FILES plugin/package/examples.cmake DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/ukode-doc/examples RENAME CMakeLists.txt
        COMPONENT documentation EXCLUDE_FROM_ALL)
install(DIRECTORY demos DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/ukode-doc/examples COMPONENT documentation EXCLUDE_FROM_ALL
        PATTERN run EXCLUDE PATTERN __pycache__ EXCLUDE)

include(CPack)
