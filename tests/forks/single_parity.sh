#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The parity programs (tests/parity) that use public functions alone, compiled in single precision: a step of ukode against
# one of an ODE of single precision that it serves. They agree to 1e-4 of the motion (tests/parity/precision.h); certificates
# are those of the equations in double precision, made of float states. Called by run.sh in its folder, where
# single/libode.so.8 and libukode.so are. Usage: single_parity.sh TREE
set -eu
tree=$1
root=$(cd "$(dirname "$0")/../.." && pwd)
failed=0
parity() { # parity PROGRAM SOURCES [ARGUMENT]
    program=$1
    # shellcheck disable=SC2086
    (cd "$root" && ${CC:-cc} -std=c11 -O1 -D_GNU_SOURCE -Wall -Wextra -Wno-deprecated-declarations -DdIDESINGLE -I"$tree/include" \
        -I. -Iplugin/include -o "$OLDPWD/parity-$program" "tests/parity/test_$program.c" $2 "$OLDPWD/libukode.so" \
        "$OLDPWD/single/libode.so.8" -Wl,-rpath,"$OLDPWD:$OLDPWD/single" -lm) || { failed=1; return; }
    "./parity-$program" ${3:-} >out 2>&1 || { tail -20 out; echo "forks: single precision: $program"; failed=1; }
}
parity parity_equality "tests/parity/sweep.c tests/support/random_world.c" 120
parity parity_bounded "tests/parity/sweep.c tests/support/random_world.c" 40
parity parity_quick tests/support/random_world.c 12
parity solver_pairs tests/support/random_world.c 12
parity islands ""
exit $failed
