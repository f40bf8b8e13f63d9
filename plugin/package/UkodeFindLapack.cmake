# SPDX-License-Identifier: BSD-3-Clause
# ukode_find_lapack(): LAPACKE and any CBLAS that links, as the target ukode_lapack, for tests and the headers.
#
# Who has the functions differs: Debian's liblapacke beside a libblas with the CBLAS in it (the reference BLAS, OpenBLAS,
# BLIS: one alternative each), elsewhere a libcblas of its own, or OpenBLAS, FlexiBLAS or MKL with LAPACKE inside.
# -DLAPACKE_LIBRARY=, -DCBLAS_LIBRARY=, -DLAPACKE_INCLUDE_DIR=, -DCBLAS_INCLUDE_DIR= choose.
include(CheckCSourceCompiles)

function(ukode_lapack_links lapacke cblas result)
    set(CMAKE_REQUIRED_INCLUDES ${LAPACKE_INCLUDE_DIR} ${CBLAS_INCLUDE_DIR})
    set(CMAKE_REQUIRED_LIBRARIES ${lapacke} ${cblas} m)
    set(CMAKE_REQUIRED_QUIET TRUE)
    unset(ukode_lapack_linked CACHE)
    check_c_source_compiles("
        #include <cblas.h>
        #include <lapacke.h>
        int main(void)
        {
            double a[1] = {4}, b[1] = {2};
            lapack_int pivot[1];
            return LAPACKE_dgesv_work(LAPACK_COL_MAJOR, 1, 1, a, 1, pivot, b, 1) != 0 ||
                   !(cblas_ddot(1, b, 1, b, 1) > 0);
        }" ukode_lapack_linked)
    set(${result} ${ukode_lapack_linked} PARENT_SCOPE)
    unset(ukode_lapack_linked CACHE)
endfunction()

function(ukode_find_lapack)
    find_path(LAPACKE_INCLUDE_DIR lapacke.h PATH_SUFFIXES lapacke openblas flexiblas)
    find_path(CBLAS_INCLUDE_DIR cblas.h PATH_SUFFIXES openblas flexiblas ${CMAKE_LIBRARY_ARCHITECTURE})
    if(NOT LAPACKE_INCLUDE_DIR OR NOT CBLAS_INCLUDE_DIR)
        message(FATAL_ERROR "lapacke.h or cblas.h not found (Debian: liblapacke-dev, and libopenblas-dev or libblas-dev)")
    endif()
    set(lapacke_names lapacke openblas flexiblas mkl_rt)
    set(cblas_names openblas cblas blas blis flexiblas mkl_rt)
    foreach(kind LAPACKE CBLAS)
        string(TOLOWER ${kind} kind_names)
        set(${kind}_candidates ${${kind}_LIBRARY})
        foreach(name ${${kind_names}_names})
            if(NOT ${kind}_LIBRARY)
                find_library(UKODE_FOUND_${name} ${name})
                mark_as_advanced(UKODE_FOUND_${name})
                if(UKODE_FOUND_${name})
                    list(APPEND ${kind}_candidates ${UKODE_FOUND_${name}})
                endif()
            endif()
        endforeach()
    endforeach()
    foreach(lapacke ${LAPACKE_candidates})
        foreach(cblas ${CBLAS_candidates})
            ukode_lapack_links(${lapacke} ${cblas} links)
            if(links)
                set(LAPACKE_LIBRARY ${lapacke} CACHE FILEPATH "LAPACKE" FORCE)
                set(CBLAS_LIBRARY ${cblas} CACHE FILEPATH "A library with the CBLAS" FORCE)
                message(STATUS "LAPACKE and CBLAS: ${lapacke}, ${cblas}")
                add_library(ukode_lapack INTERFACE)
                target_include_directories(ukode_lapack SYSTEM INTERFACE ${LAPACKE_INCLUDE_DIR} ${CBLAS_INCLUDE_DIR})
                target_link_libraries(ukode_lapack INTERFACE ${lapacke} ${cblas})
                return()
            endif()
        endforeach()
    endforeach()
    message(FATAL_ERROR "no LAPACKE with a CBLAS that links (LAPACKE: ${LAPACKE_candidates}; CBLAS: ${CBLAS_candidates}; "
                        "Debian: liblapacke-dev, and libopenblas-dev or libblas-dev)")
endfunction()
