#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Recordings with certificates: verified by the command and by the program that docs/certificates.md shows, spoilt and
# refused, exported.
# Usage: verify.sh BUILD
set -u
build=$(cd "$1" && pwd)
ukode=$build/ukode
here=$(cd "$(dirname "$0")" && pwd)
for tool in sqlite3 python3; do
    command -v $tool >/dev/null || { echo "verify: skipped: no $tool here (Debian: $tool)"; exit 77; }
done
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 2
unset UKODE_SOLVER UKODE_FRICTION UKODE_CHECK UKODE_CONFIG UKODE_REPORT UKODE_VERBOSE UKODE_DISABLE UKODE_PIPE
failed=0
passed=0

# check WHAT COMMAND...: the command must succeed
check() {
    what=$1
    shift
    if "$@"; then passed=$((passed + 1)); else
        failed=$((failed + 1))
        echo "verify: failed: $what"
        echo "--- out"; cat out; echo "--- err"; cat err
    fi
}
run() { status=0; "$@" >out 2>err || status=$?; }
is() { [ "$1" = "$2" ]; }
prints() { grep -q -- "$1" out; }
says() { grep -q -- "$1" err; }

# record NAME CERTIFICATES DEMO
record() {
    run env UKODE_RECORD="$work/$1.ukode" UKODE_RECORD_CERTIFICATES="$2" "$ukode" run --quiet -- "$build/demos/$3"
    check "$3 is recorded" is "$status" 0
}

record door 1 door
run "$ukode" verify door.ukode
check "a recording holds" is "$status" 0
check "every step of it" prints '^200 of 200 steps are verified$'
check "with what it led to" prints 'velocities at the end  *[0-9.]*e-1[5-9]'
check "to a bound in the units of accelerations" prints 'm/s^2, .* rad/s^2; Gauss'
run "$ukode" report --text door.ukode
check "a report is made of it" is "$status" 0
run "$ukode" verify door.ukode
check "what the report leaves in the file changes nothing" is "$status" 0
for paper in ring_friction servo_arm; do # sticks and slides in RK4; a constraint of the user's
    record $paper 1 papers/$paper
    run "$ukode" verify $paper.ukode
    check "$paper holds" is "$status" 0
    check "$paper: its end is the integrator's" prints 'steps in the continuous form'
    check "$paper: of which nothing is claimed" is "$(grep -c 'poses at the end' out)" 0
done

run "$ukode" record --quiet --native --certificates -o native.ukode -- "$build/demos/door"
run "$ukode" verify native.ukode
check "a recording of ODE's own steps: the seals hold" \
    prints '^no step was checked, since none has equations; the seals hold$'
check "and no residual is claimed" is "$(grep -c 'largest residual\|distance from' out)" 0

# ---- what does not hold ----------------------------------------------------------------------------------------------
record plain '' four_bar
run "$ukode" verify plain.ukode
check "without certificates there is nothing to verify" is "$status" 1
check "and how to get them" says 'record with --certificates'
run "$ukode" verify nowhere.ukode
check "no such file" is "$status" 1
check "is named" says 'nowhere.ukode: No such file'
: >empty.ukode
run "$ukode" verify empty.ukode
check "an empty file is no recording" is "$status" 1
for wrong in '' '--frobnicate door.ukode' 'door.ukode door.ukode' '--tolerance 0 door.ukode' '--reasons'; do
    # shellcheck disable=SC2086
    run "$ukode" verify $wrong
    check "verify $wrong: a wrong command line" is "$status" 2
done
run "$ukode" verify --tolerance=1e-19 --reasons 3 door.ukode
check "a tolerance below rounding: it does not hold" is "$status" 1
check "three reasons" is "$(grep -c '^step ' out)" 3
check "and how many more" prints '^\.\.\. and [0-9]* more$'

spoilt() { # WHAT SQL: of a copy; then it must not hold
    cp door.ukode spoilt.ukode
    sqlite3 spoilt.ukode "$2"
    run "$ukode" verify spoilt.ukode
    check "$1: found" is "$status" 1
}
spoilt "a position moved by its last digit" \
    "UPDATE body_step SET position_x = position_x * (1 + 3e-16) + 1e-300 WHERE step = (SELECT max(step) FROM body_step)"
check "in its step" prints '^step 198: its seal is broken'
check "and nowhere else" prints '^199 of 200 steps are verified$'
spoilt "a mass" "UPDATE body SET mass = 2 * mass"
check "in its table" prints '^the seal of the table body is broken'
spoilt "a step left out" "DELETE FROM step WHERE step = 20"
spoilt "the last step left out" "DELETE FROM step WHERE step = 200"
spoilt "an island left out" "DELETE FROM equation WHERE step = 20"
cp door.ukode early.ukode # as of a process that ended before anything was written
sqlite3 early.ukode "DELETE FROM step; DELETE FROM run; DELETE FROM seal_table"
for command in verify replay 'report --text'; do
    # shellcheck disable=SC2086
    run "$ukode" $command early.ukode
    check "$command: nothing of what was recorded is there" is "$status" 1
    check "$command: the message names the cause" says 'early.ukode: it has no steps: its process was killed'
done

# ---- anyone ----------------------------------------------------------------------------------------------------------
sed -n '/^```python$/,/^```$/p' "$here/../../docs/certificates.md" | sed '1d;$d' >verifier.py
run python3 verifier.py door.ukode
check "the verifier of docs/certificates.md agrees" prints '^0 seals are broken; .* to [0-9.]*e-1[5-9] '
cp door.ukode weightless.ukode
sqlite3 weightless.ukode "UPDATE equation SET force = zeroblob(length(force)), prescribed = NULL, \
    acceleration = zeroblob(length(acceleration)), multiplier = zeroblob(length(multiplier))"
run python3 verifier.py weightless.ukode
check "it does not divide by zero where no force acts" prints '^[1-9][0-9]* seals are broken; .* to 0 of '

# ---- impacts at the start of a step ------------------------------------------------------------------------------------
for integrator in euler rk4 adaptive rattle; do
    run "$ukode" record --quiet --integrator $integrator --tolerance 1e-4 --certificates --every-step -o bounces.ukode -- \
        "$build/tests/cli/mixture" 24
    run "$ukode" verify bounces.ukode
    check "bounces under $integrator are verified" prints '^30 of 30 steps are verified$'
done

# ---- export ----------------------------------------------------------------------------------------------------------
run "$ukode" export door.ukode --csv=tables --gltf door.glb
check "a recording is exported" is "$status" 0
check "200 steps and a line of names" is "$(wc -l <tables/step.csv)" 201
check "lines end as RFC 4180 says" is "$(tr -cd '\r' <tables/step.csv | wc -c)" 201
check "a scene of its length" is "$(od -An -tu4 -j8 -N4 door.glb | tr -d ' ')" "$(wc -c <door.glb)"
for wrong in '' 'door.ukode' '--csv tables' 'door.ukode --csv' 'door.ukode --frob' 'door.ukode door.ukode --csv tables'; do
    # shellcheck disable=SC2086
    run "$ukode" export $wrong
    check "export $wrong: a wrong command line" is "$status" 2
done
run "$ukode" export door.ukode --gltf nowhere/door.glb
check "a file that cannot be written" is "$status" 1
check "is named" says 'nowhere/door.glb: No such file'
if [ -c /dev/full ]; then
    run "$ukode" export door.ukode --gltf /dev/full
    check "a full disk" is "$status" 1
fi

echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]
