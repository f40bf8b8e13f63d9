#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The order of the house: includes and calls go downwards only, folder by folder and file by file, and no file reaches
# itself. A file is a header and its source together; it reaches what it includes, and what the symbols of its object
# file are defined in.
# Usage: rooms.sh SOURCE_DIRECTORY BUILD_DIRECTORY
#
# The folders and their order are those that the READMEs of plugin/, bridge/ and solvers/ list, highest first, one to a
# line that begins with a bar and the folder in backquotes. The tools are above the files of plugin/ itself; a file
# beside the folders of bridge/ is above them all. Calls between two files of one folder of tools are not looked at: a
# table of commands, findings or formats there names what includes it.
set -u
source=$1 build=$2/CMakeFiles objects=$2/CMakeFiles/ukode_objects.dir
cd "$source" || exit 2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# room ... of each folder, highest first
rooms() { sed -n 's/^| `\([a-z_/]*[a-z_]\)\/*` .*/\1/p' "$1/README.md" | sed "s|^|$1/|"; }

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

# what is wrong with the edges of file $1
judge() {
    awk '
        NR == FNR { rank[$1] = NR; next }
        function room(file) { sub("/[^/]*$", "", file); return file }
        function at(file) { return room(file) in rank ? rank[room(file)] : 0 }
        !at($1) || !at($2) { print "no room of that name in a README:", $1, $2; next }
        at($1) > at($2) { print "upwards:", $1, "->", $2 }' "$work/rooms" "$1"
    tsort "$1" 2>&1 >/dev/null | sed 's|^tsort: -: |circle: |; s|^tsort: |circle: |'
}

{ rooms plugin | grep /tools/; echo plugin; rooms plugin | grep -v /tools/; echo bridge; rooms bridge; rooms solvers; } >"$work/rooms"
# a tool's files by includes, its folders by calls as well
folders() { awk '{ a = $1; b = $2; sub("/[^/]*$", "", a); sub("/[^/]*$", "", b) } a != b && $1 ~ "/tools/"'; }
{ includes; calls; calls ukode_command | folders; calls ukode_replay | folders; } | awk '$1 != $2' | sort -u >"$work/edges"
[ "$(wc -l <"$work/edges")" -gt 300 ] || { echo "rooms: no edges found, is $2 a build?"; exit 1; }
failed=0

judge "$work/edges" >"$work/faults"
[ ! -s "$work/faults" ] || { cat "$work/faults"; failed=1; }

# the judge itself: an edge upwards, a circle inside a room
lowest=$(tail -1 "$work/rooms")
{ cat "$work/edges"; echo "$lowest/x plugin/y"; } >"$work/upwards"
judge "$work/upwards" | grep -q "^upwards: $lowest/x" || { echo "rooms: an edge upwards goes unnoticed"; failed=1; }
{ cat "$work/edges"; echo "$lowest/x $lowest/y"; echo "$lowest/y $lowest/x"; } >"$work/circle"
judge "$work/circle" | grep -q "^circle: $lowest/[xy]" || { echo "rooms: a circle goes unnoticed"; failed=1; }
exit $failed
