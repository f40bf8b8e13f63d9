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
# calls of ODE reach the library's functions, as those of any program: not the table of bridge/ode/names.h
flags="-std=c11 -O0 -D_GNU_SOURCE -Wall -Wextra -Wno-deprecated-declarations -DUKODE_BRIDGE_ODE_NAMES_H -DdIDESINGLE"
compile() { # compile SOURCE OBJECT
    # shellcheck disable=SC2086
    ${CC:-cc} $flags -I"$tree/include" -I"$root" -I"$root/plugin/include" -c -o "$2" "$root/tests/$1"
}
parity() { # parity PROGRAM OBJECTS [ARGUMENT]
    # shellcheck disable=SC2086
    compile "parity/test_$1.c" program.o && ${CC:-cc} -o "parity-$1" program.o $2 "$PWD/libukode.so" single/libode.so.8 \
        -Wl,-rpath,"$PWD:$PWD/single" -lm || { failed=1; return; }
    "./parity-$1" ${3:-} >out 2>&1 || { tail -20 out; echo "forks: single precision: $1"; failed=1; }
}
compile parity/sweep.c sweep.o
compile support/random_world.c random_world.o
parity parity_equality "sweep.o random_world.o" 120
parity parity_bounded "sweep.o random_world.o" 40
parity parity_quick random_world.o 12
parity solver_pairs random_world.o 12
parity islands ""

# the rows of each joint type: setters in any order, all ways of attachment; in steps
cc_double() { # sources without calls of ODE, on doubles
    # shellcheck disable=SC2086
    ${CC:-cc} ${flags%-DdIDESINGLE} -DdIDEDOUBLE -I"$tree/include" -I"$root" -I"$root/plugin/include" -c -o "$2" "$root/$1"
}
compile parity/joint_world.c joint_world.o
compile forks/joint_single.c joint_single.o
cc_double bridge/base/vector.c vector.o
# (not of Transmission, whose running values ODE cannot take back; those of single.c are compared over many steps. rows_exact
# and rows_bias examine rows that the library computes in double precision in either case)
for rows in joints hinge2 motors slides contact; do
    parity rows_$rows "joint_world.o joint_single.o random_world.o vector.o"
done
parity wrench_worlds "random_world.o vector.o"
exit $failed
