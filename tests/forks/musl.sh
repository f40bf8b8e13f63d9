#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The sources that use the C library's threads, dynamic linker and system calls, checked against musl's headers (musl-gcc).
# Usage: musl.sh TREE (ODE's source)
set -eu
tree=$1
cd "$(dirname "$0")/../.."
command -v musl-gcc >/dev/null || { echo "forks: musl: skipped: no musl-gcc"; exit 0; }
# shellcheck disable=SC2046
musl-gcc -fsyntax-only -std=c11 -D_GNU_SOURCE -Wall -Wextra -Wno-deprecated-declarations -DdIDEDOUBLE -I. -Iplugin/include \
    -I"$tree/include" $(grep -lE '<(pthread|dlfcn|link|elf|sched|signal|sys/[a-z]*)[.]h>' bridge/*/*.c solvers/*/*.c plugin/*.c | grep -v lapack) ||
    { echo "forks: musl: the sources do not compile"; exit 1; }
