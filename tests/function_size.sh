#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# A function fits a screen: at most 60 lines and 8 parameters. It rests on the layout: a body begins and ends in column 1.
# Usage: function_size.sh SOURCE_DIRECTORY
set -u
cd "$1" || exit 2

judge() { # FILES...
    awk '
        FNR == 1 { head = ""; begun = 0 }
        /^[a-z_].*\(/ && !/;$/ { head = $0; next_line = FNR + 1 }
        head != "" && FNR == next_line && !/^\{/ && /^ / { head = head $0; next_line++ }
        /^\{$/ { begun = FNR }
        /^\}/ && begun {
            name = head
            sub(/\(.*/, "", name)
            lines = FNR - begun + 1
            if (lines > 60) print FILENAME ": " name ": " lines " lines"
            sub(/^[^(]*\(/, "", head)
            while (gsub(/\([^()]*\)/, "", head)) { } # parameters of parameters
            count = gsub(/,/, ",", head) + 1
            if (count > 8) print FILENAME ": " name ": " count " parameters"
            begun = 0
            head = ""
        }' "$@"
}

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
find bridge solvers plugin tests demos -name '*.[ch]' | sort >"$work/files"
judge $(cat "$work/files") >"$work/faults"

# the judge itself
{ echo 'int many(int a, int b, int c, int d, int e,'; echo '         void (*f)(int, int), int g, int h, int i)'; echo '{'
  yes '    a++;' | head -60; echo '}'; } >"$work/case.c"
[ "$(judge "$work/case.c" | grep -cE ': int many: (62 lines|9 parameters)$')" = 2 ] || { echo "function_size: goes unnoticed"; exit 1; }

[ ! -s "$work/faults" ] || { cat "$work/faults"; exit 1; }
