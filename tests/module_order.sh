#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The order of the modules: includes and calls go downwards only, from module to module and from file to file, and there
# is no cycle of files. A file is a header and its source together; it uses the headers that it includes, and the files
# in which the symbols of its object file are defined.
# Usage: module_order.sh SOURCE_DIRECTORY BUILD_DIRECTORY
#
# The modules (folders) and their order are those that the READMEs of plugin/, bridge/ and solvers/ list, highest first,
# one per line that begins with a bar and the folder in backquotes. The tools are above the files of plugin/ itself; a
# file beside the folders of bridge/ is above them all. Calls between two files of one folder of tools are not checked: a
# table of commands, findings or formats there names the files that include it.
set -u
source=$1 build=$2/CMakeFiles objects=$2/CMakeFiles/ukode_objects.dir
cd "$source" || exit 2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# the modules listed in the README of a folder, highest first
modules() { sed -n 's/^| `\([a-z_/]*[a-z_]\)\/*` .*/\1/p' "$1/README.md" | sed "s|^|$1/|"; }

# FROM TO, of includes
includes() {
    grep -nroE '^#include "(plugin|bridge|solvers)/[a-z0-9_/]+\.h"' plugin bridge solvers --include='*.[ch]' |
        sed -E 's|^([^:]*)\.[ch]:[0-9]+:#include "([^"]*)\.h"|\1 \2|'
}

# FROM TO, of symbols of the library, or of a program $1 besides
calls() {
    find "$objects" ${1:+"$build/$1.dir"} -name '*.c.o' | sort | xargs nm -A | sed "s|^$build/[^/]*\\.dir/||; s|\\.c\\.o:| |" |
        awk '
        here[$1] == "" { here[$1] = (getline line < ($1 ".c")) >= 0 ? "y" : "n"; close($1 ".c") }
        here[$1] == "n" { next } # of an earlier build
        NF == 4 && $3 ~ /^[TDBRCVW]$/ { home[$4] = $1 }
        NF == 3 && $2 == "U" { from[++n] = $1; to[n] = $3 }
        END { for (i = 1; i <= n; i++) if (to[i] in home) print from[i], home[to[i]] }'
}

# reports the edges of file $1 that go upwards, and cycles
check() {
    awk '
        NR == FNR { rank[$1] = NR; next }
        function module(file) { sub("/[^/]*$", "", file); return file }
        function at(file) { return module(file) in rank ? rank[module(file)] : 0 }
        !at($1) || !at($2) { print "no README lists the module of:", $1, $2; next }
        at($1) > at($2) { print "upwards:", $1, "->", $2 }' "$work/modules" "$1"
    tsort "$1" 2>&1 >/dev/null | sed 's|^tsort: -: |cycle: |; s|^tsort: |cycle: |'
}

{ modules plugin | grep /tools/; echo plugin; modules plugin | grep -v /tools/; echo bridge; modules bridge; modules solvers; } >"$work/modules"
# a tool's files by includes, its folders by calls as well
folders() { awk '{ a = $1; b = $2; sub("/[^/]*$", "", a); sub("/[^/]*$", "", b) } a != b && $1 ~ "/tools/"'; }
{ includes; calls; calls ukode_command | folders; calls ukode_replay | folders; } | awk '$1 != $2' | sort -u >"$work/edges"
[ "$(wc -l <"$work/edges")" -gt 300 ] || { echo "module_order: no edges found, is $2 a build?"; exit 1; }
failed=0

check "$work/edges" >"$work/faults"
[ ! -s "$work/faults" ] || { cat "$work/faults"; failed=1; }

# The files of plugin/ itself reach the formats through drive alone.
formats() { awk '$1 ~ "^plugin/[^/]*$" && $1 != "plugin/drive" && $2 ~ "^plugin/formats/" { print "not through plugin/drive:", $1, "->", $2 }' "$1"; }
formats "$work/edges" >"$work/faults"
[ ! -s "$work/faults" ] || { cat "$work/faults"; failed=1; }
{ cat "$work/edges"; echo "plugin/world plugin/formats/snapshot/keep"; } >"$work/direct"
formats "$work/direct" | grep -q world || { echo "module_order: a call past drive is not detected"; failed=1; }

# test of this check: a call upwards, a cycle within a module
lowest=$(tail -1 "$work/modules")
{ cat "$work/edges"; echo "$lowest/x plugin/y"; } >"$work/upwards"
check "$work/upwards" | grep -q "^upwards: $lowest/x" || { echo "module_order: a call upwards is not detected"; failed=1; }
{ cat "$work/edges"; echo "$lowest/x $lowest/y"; echo "$lowest/y $lowest/x"; } >"$work/cycle"
check "$work/cycle" | grep -q "^cycle: $lowest/[xy]" || { echo "module_order: a cycle is not detected"; failed=1; }
exit $failed
