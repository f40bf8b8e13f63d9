#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Whole programs, replayed and verified: each is recorded with its inputs and certificates, replayed (every step must
# have the hash of the run) and verified (every step must hold); then recorded while ODE steps it, and replayed by ODE.
# A table of it: steps, simulated seconds, and how many of them are as they should be. ~: ODE stepped on threads of its own,
# with another result each time, of which there is no replay (docs/replay.md).
# Not part of the tests: it takes as long as the programs.
# Usage: tests/replay/programs.sh BUILD [PROGRAM | FOLDER]...      this project's demos without one; *.py are Python's
# Programs that read DS_FRAMES (ODE's demos, built without graphics) are given as many frames as make $SECONDS_EACH (60)
# simulated seconds. $LIMIT (600): wall time that a run may take. $SPARE=verify leaves the certificates out.
set -u
build=$(cd "$1" && pwd)
. "$(dirname "$0")/../support/demo_keys.sh"
shift
ukode=$build/ukode
each=${SECONDS_EACH:-60} limit=${LIMIT:-600} spare=${SPARE:-}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
file=$work/run.ukode
library=$work/libukode.so # LD_PRELOAD takes no path with a blank
ln -s "$build/libukode.so" "$library"
python=$(command -v /usr/bin/python3 || command -v python3)
passed=0 failed=0 skipped=0

# record COMMAND...: with the variables that are set; a program that ends badly by itself has a recording, too
record() {
    rm -f "$file"*
    timeout "$limit" env UKODE_RECORD="$file" UKODE_RECORD_INPUTS=1 UKODE_RECORD_EVERY_STEP=1 LD_PRELOAD="$library" \
        "$@" >"$work/out" 2>&1 </dev/null
}
ask() { sqlite3 "$file" "$1" 2>/dev/null; }

# frames COMMAND...: that make the simulated time
frames() {
    DS_FRAMES=20 record "$@"
    ask "SELECT cast(round(20 * $each / sum(h)) AS integer) FROM step"
}
# replayed: N/N of all worlds of the recording; a sign behind it where the replay failed
replayed() {
    timeout "$limit" "$ukode" replay "$file" >"$work/replay" 2>"$work/told"
    local status=$? counts
    counts=$(awk '/as recorded: / { same += $3; all += $5 } /cannot be compared/ { all += $1 } END { print same + 0 "/" all + 0 }' \
        "$work/replay")
    if [ "$status" = 0 ] && [ "${counts%/*}" = "${counts#*/}" ]; then echo "$counts"; else echo "$counts!"; fi
}
verified() {
    local status
    timeout "$limit" "$ukode" verify "$file" >"$work/verify" 2>>"$work/told"
    status=$?
    awk -v bad="$([ $status = 0 ] || echo '!')" '/ steps (hold$|were checked)/ { print $1 "/" $3 bad; told = 1 } END { if (!told) print "!" }' \
        "$work/verify"
}

# program NAME COMMAND...
program() {
    local name=$1 ours native='' steps time holds=-
    shift
    unset DS_FRAMES
    demo_keys "$name"
    if grep -qs DS_FRAMES "${@: -1}"; then
        DS_FRAMES=$(frames "$@")
        export DS_FRAMES
    fi
    if [ "$spare" = verify ]; then record "$@"; else UKODE_RECORD_CERTIFICATES=1 record "$@"; fi
    steps=$(ask 'SELECT count(*) FROM step') time=$(ask 'SELECT round(sum(h), 2) FROM step')
    if [ "${steps:-0}" = 0 ]; then
        skipped=$((skipped + 1))
        printf '%-20s it steps nothing\n' "$name"
        return
    fi
    ours=$(replayed)
    [ "$spare" = verify ] || holds=$(verified)
    UKODE_DISABLE=1 record "$@"
    native=$(replayed)
    grep -qs dThreadingAllocateThreadPool "${@: -1}" && native=${native/!/\~}
    printf '%-20s %7d %8s  %14s  %14s  %14s\n' "$name" "$steps" "$time" "$ours" "$native" "$holds"
    case $ours$native$holds in
    *!*)
        failed=$((failed + 1))
        grep -h 'first that differs\|^step\|^\.\.\. and\|the seal' "$work/replay" "$work/verify" 2>/dev/null | head -5
        head -3 "$work/told"
        ;;
    *) passed=$((passed + 1)) ;;
    esac
}
one() {
    if [ "${1%.py}" != "$1" ]; then
        program "$(basename "$1" .py)" "$python" "$1"
    elif [ -f "$1" ] && [ -x "$1" ]; then
        program "$(basename "$1")" "$1"
    fi
}

command -v sqlite3 >/dev/null || { echo 'programs: sqlite3 is not installed'; exit 77; }
printf '%-20s %7s %8s  %14s  %14s  %14s\n' program steps s replay 'native replay' verify
[ $# -gt 0 ] || set -- "$build"/demos "$build"/demos/papers
for given; do
    if [ -d "$given" ]; then
        for path in "$given"/*; do one "$path"; done
    else
        one "$given"
    fi
done
echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" = 0 ] && [ "$passed" -gt 0 ]
