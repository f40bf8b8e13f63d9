#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Numbers of the benchmark in prose are those of its results. A page marks them:
#     <!-- median: chain 300 ukode -->174 µs<!-- -->        a time
#     <!-- mean: bike 1 ukode / dWorldStep -->1.14<!-- -->  a ratio of two
# and a number passes when the result, rounded to as many digits, is it.
# Usage: bench_numbers.sh SOURCE_DIRECTORY
set -u
cd "$1" || exit 2
results=tests/bench/results/debian12-2cores.csv
found=$(grep -ohE '<!-- (median|mean): [^>]*-->[^<]*<!-- -->' README.md docs/*.md | wc -l)
[ "$found" -ge 10 ] || { echo "bench_numbers: only $found numbers are marked"; exit 1; }
check() {
    grep -noE '<!-- (median|mean): [^>]*-->[^<]*<!-- -->' README.md docs/*.md /dev/null "$@" | awk -v results="$results" '
        BEGIN {
            while ((getline line <results) > 0) {
                split(line, f, ",")
                result["median " f[1] " " f[2] " " f[5]] = f[7]
                result["mean " f[1] " " f[2] " " f[5]] = f[8]
            }
        }
        { # FILE:LINE:<!-- KIND: SCENE N STEPPER [/ STEPPER] -->NUMBER [UNIT]<!-- -->
            where = $0; sub(/:<!--.*/, "", where)
            text = $0; sub(/.*-->/, "", text)
            rest = $0; sub(/<!-- -->$/, "", rest)
            number = rest; sub(/.*-->/, "", number)
            key = rest; sub(/^[^<]*<!-- /, "", key); sub(/ -->.*/, "", key)
            split(key, k, /[: ]+/)
            value = result[k[1] " " k[2] " " k[3] " " k[4]]
            if (k[5] == "/" && value != "") value /= result[k[1] " " k[2] " " k[3] " " k[6]]
            split(number, n, " ")
            if (n[2] == "ms") value /= 1000
            digits = n[1]; places = index(digits, ".") ? length(digits) - index(digits, ".") : 0
            if (value == "" || sprintf("%." places "f", value) != digits) {
                print "bench_numbers: " where ": " number ", the benchmark has " value " (" key ")"
                bad = 1
            }
        }
        END { exit bad }'
}
check || exit 1
# a number that differs in its last digit is noticed
work=$(mktemp)
trap 'rm -f "$work"' EXIT
echo '<!-- median: chain 300 ukode -->175 µs<!-- -->' >"$work"
! check "$work" >/dev/null || { echo "bench_numbers: a wrong number goes unnoticed"; exit 1; }
