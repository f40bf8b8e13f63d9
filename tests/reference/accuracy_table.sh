#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The table of docs/accuracy.md, from the tests themselves, and with a second argument its picture:
#   tests/reference/accuracy_table.sh BUILD_DIRECTORY [docs/accuracy.svg]
# Times want a quiet machine. ODE's complaints about its LCP go to stderr, and are counted there.
set -u
programs=${1:?build directory}/tests/reference/test_
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
export OPENBLAS_NUM_THREADS=1
if [ $# -gt 1 ]; then
    "${programs}rk4_loops" curve 'four-bars, 1 ' >"$scratch/four_bar"
    "${programs}rk4_loops" curve Bricard >"$scratch/bricard"
    gnuplot -e "curves='$scratch'" "$(dirname "$0")/accuracy.gp" >"$2"
fi
for problem in rk4_pendulums rk4_rotation rk4_loops rk4_governor rk4_joints nonholonomic_particles nonholonomic_rolling \
    ring_friction; do
    "$programs$problem" table >>"$scratch/rows" 2>"$scratch/err" || echo "$problem: RK4 is beyond a tolerance" >&2
    echo "$problem: $(grep -c 'LCP internal error' "$scratch/err") complaints of dWorldStep's LCP" >&2
done
echo '| problem | quantity | tolerance | h [s] | RK4 | adaptive | RATTLE | Euler | dWorldStep | QuickStep | RK4 [µs] | adaptive [µs] | RATTLE [µs] | Euler [µs] | dWorldStep [µs] | QuickStep [µs] |'
echo '|---|---|---|---|---|---|---|---|---|---|---|---|---|---|---|---|'
grep '^|' "$scratch/rows"
