#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The matrix of docs/accuracy.md is what tests/matrix/test_matrix prints: the same joints, situations and cells that are
# empty, and digits that differ by two at most (other compilers round otherwise).
# Usage: matrix.sh BUILD_DIRECTORY SOURCE_DIRECTORY
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
"$1/tests/matrix/test_matrix" --table | grep '^|' >"$work/now"
sed -n '/<!-- matrix -->/,/<!-- end of matrix -->/{/^|/p}' "$2/docs/accuracy.md" >"$work/doc"

check() {
    sed 's/[0-9][0-9]*\(e[-+][0-9]*\)\{0,1\} |/# |/g; s|[0-9]*/[0-9]*/[0-9]*/#|#|g' "$1" >"$work/shape.doc"
    sed 's/[0-9][0-9]*\(e[-+][0-9]*\)\{0,1\} |/# |/g; s|[0-9]*/[0-9]*/[0-9]*/#|#|g' "$work/now" >"$work/shape.now"
    cmp -s "$work/shape.doc" "$work/shape.now" || { diff "$work/shape.doc" "$work/shape.now"; return 1; }
    # digits of each number: of 3e-14, 13; zero has as many as anything
    paste -d '\n' "$1" "$work/now" | awk -F '|' '
        function digits(x) { return x ~ /e/ ? (x + 0 > 0 ? int(-log(x + 0) / log(10) + 1e-9) : 16) : x + 0 }
        NR % 2 { for (i = 1; i <= NF; i++) was[i] = $i; next }
        { for (i = 2; i <= NF; i++) {
            n = split(was[i], x, "/"); m = split($i, y, "/")
            if ($i !~ /^ [0-9]/) continue
            for (k = 1; k <= n; k++) {
                d = digits(x[k]) - digits(y[k])
                if ((d > 2 || d < -2) && (digits(x[k]) < 13 || digits(y[k]) < 13)) {
                    print "matrix:" $2 "is" $i "in the present, the document has" was[i]; bad = 1
                }
            }
        } }
        END { exit bad }'
}
[ -s "$work/doc" ] || { echo "matrix: docs/accuracy.md has none"; exit 1; }
check "$work/doc" || { echo "matrix: replace it by the output of test_matrix --table"; exit 1; }
sed '/^| Hinge |/s/1[0-9]/3/g' "$work/doc" >"$work/wrong"
! check "$work/wrong" >"$work/output" || { echo "matrix: wrong digits go unnoticed"; exit 1; }
