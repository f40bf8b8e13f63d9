#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Compares the output of two runs of scene.c or single.c. Usage: near.sh A B [float]
# Poses and velocities agree to 1e-8, reactions and angles to 1e-6: the stop of the chain is a contact of two equations. In
# single precision (float), to 2e-4 and 5e-3: native steps round reactions to 2e-3 in 40 steps.
set -eu
motion=1e-8 load=1e-6
[ "${3:-double}" = double ] || motion=2e-4 load=5e-3
awk -v motion=$motion -v load=$load 'NR == FNR { line[FNR] = $0; n = FNR; next }
    {
        count = split($0, x, /[ ,]+/)
        if (split(line[FNR], y, /[ ,]+/) != count) bad = 1
        for (i = 1; i <= count; i++) {
            d = x[i] - y[i]
            if (d < 0) d = -d
            if (x[i] ~ /[0-9]/ && d > (/^angle/ || i == count ? load * (1 + (y[i] < 0 ? -y[i] : y[i])) : motion)) bad = 1
            if (x[i] !~ /[0-9]/ && x[i] != y[i]) bad = 1
        }
    }
    END { exit bad || FNR != n || n == 0 }' "$1" "$2"
