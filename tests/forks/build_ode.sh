#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Compiles ODE's source, without its configure script and without triangle meshes, to position-independent objects.
# Usage: build_ode.sh TREE OBJECTS FLAGS... (with ONLY: a pattern of the files to compile, without their ending)
set -eu
tree=$1 objects=$2
shift 2
mkdir -p "$objects"
cat >"$objects/config.h" <<'H'
#ifndef ODE_CONFIG_H
#define ODE_CONFIG_H
#define HAVE_ALLOCA 1
#define HAVE_ALLOCA_H 1
#define HAVE_GETTIMEOFDAY 1
#define HAVE_INTTYPES_H 1
#define HAVE_MALLOC_H 1
#define HAVE_STDINT_H 1
#define HAVE_SYS_TIME_H 1
#define HAVE_SYS_TYPES_H 1
#define HAVE_UNISTD_H 1
#define HAVE_PTHREAD_CONDATTR_SETCLOCK 1
#define dBUILTIN_THREADING_IMPL_ENABLED 1
#define dOU_ENABLED 1
#define dATOMICS_ENABLED 1
#define dTLS_ENABLED 1
#include "typedefs.h"
#endif
H
{
    find "$tree/ode/src" -maxdepth 1 -name '*.cpp' ! -name '*trimesh*' ! -name 'gimpact*' ! -name '*libccd*'
    echo "$tree/ode/src/collision_trimesh_disabled.cpp"
    find "$tree/ode/src/joints" "$tree/ou/src/ou" -name '*.cpp'
} >"$objects/list"
if [ -n "${ONLY:-}" ]; then
    grep -E "/($ONLY)[.]cpp$" "$objects/list" >"$objects/only"
    mv "$objects/only" "$objects/list"
fi
# shellcheck disable=SC2016
xargs -P2 -I'{}' sh -c '
    file=$1 objects=$2 tree=$3
    shift 3
    exec ${CXX:-c++} -w -O1 -fPIC -I"$objects" -D_OU_NAMESPACE=odeou -D_OU_FEATURE_SET=_OU_FEATURE_SET_TLS \
        -D_OU_TARGET_OS=_OU_TARGET_OS_GENUNIX -I"$tree/include" -I"$tree/ode/src" -I"$tree/ou/include" "$@" \
        -c -o "$objects/$(basename "$file" .cpp).o" "$file"' - '{}' "$objects" "$tree" "$@" <"$objects/list"
