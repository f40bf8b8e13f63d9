#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Makes the corpus of tests/fuzz/corpus anew: of the seeds of each kind and of what libFuzzer found (FOUND/KIND/, if given)
# the small files that cover most, at most sixteen a kind. Files named after what they once broke stay.
# Usage: corpus.sh BUILD [FOUND]     BUILD: of the preset fuzz
set -eu
fuzz=$(cd "$1" && pwd)/tests/fuzz/fuzz_files
found=${2:+$(cd "$2" && pwd)}
cd "$(dirname "$0")/corpus"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
for kind in recording inputs state sweep config study text; do
    rm -rf "$work/all" "$work/small" "$work/few"
    mkdir -p "$work/all" "$work/small" "$work/few" "$kind"
    rm -f "$kind"/small-* "$kind"/cover-*
    UKODE_FUZZ_KIND=$kind UKODE_FUZZ_SEEDS=$work/all "$fuzz" -runs=0 2>/dev/null
    [ -z "$found" ] || cp "$found/$kind"/[0-9a-f]* "$work/all"
    find "$work/all" -type f -size -500c -exec cp {} "$work/small" \;
    UKODE_FUZZ_KIND=$kind "$fuzz" -merge=1 "$work/few" "$work/small" 2>/dev/null
    count=$(find "$work/few" -type f | wc -l)
    find "$work/few" -type f | sort | awk -v every=$((count / 16 + 1)) 'NR % every == 0' >"$work/list"
    k=0
    while read -r file; do
        k=$((k + 1))
        cp "$file" "$kind/cover-$k"
    done <"$work/list"
done
du -sb --apparent-size -- *
