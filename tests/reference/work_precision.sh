#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The second picture of docs/accuracy.md: errors over what they cost, of every stepper.
#   tests/reference/work_precision.sh BUILD_DIRECTORY docs/work_precision.svg
# Times want a quiet machine; gnuplot comes with `.ci/dependencies plot`.
set -u
programs=${1:?build directory}/tests/reference/test_
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
export OPENBLAS_NUM_THREADS=1
work() { timeout 300 "$programs$2" work "$3" 2>/dev/null | grep -E '^([0-9.e+-]+ [0-9.e+-]+ [0-9]+)?$' >"$scratch/$1"; }
work 1 rk4_pendulums 'simple pendulum'
work 2 rk4_loops 'four-bars, 1 '
work 3 rk4_loops Bricard
work 4 rk4_loops Andrews
work 5 rk4_rotation 'heavy top'
work 6 rk4_governor governor
work 7 rk4_pendulums 'chain of 100'
gnuplot -e "curves='$scratch'" "$(dirname "$0")/work_precision.gp" >"$2"
