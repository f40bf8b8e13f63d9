#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Recordings of inputs, replayed: every step has the hash of the run, with ukode and with ODE's own stepper; and under
# other settings.
# Usage: run.sh BUILD
set -u
build=$(cd "$1" && pwd)
ukode=$build/ukode
for tool in sqlite3 python3; do
    command -v $tool >/dev/null || { echo "replay: skipped: no $tool here (Debian: $tool)"; exit 77; }
done
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
here=$(cd "$(dirname "$0")" && pwd)
cd "$work" || exit 2
unset UKODE_SOLVER UKODE_FRICTION UKODE_CHECK UKODE_CONFIG UKODE_RECORD UKODE_DISABLE UKODE_INTEGRATOR
library=$work/libukode.so # LD_PRELOAD takes no path with a blank
ln -s "$build/libukode.so" "$library"
failed=0
passed=0

# check WHAT COMMAND...: the command must succeed
check() {
    what=$1
    shift
    if "$@"; then passed=$((passed + 1)); else
        failed=$((failed + 1))
        echo "replay: failed: $what"
        echo "--- out"; cat out; echo "--- err"; cat err
    fi
}
run() { status=0; "$@" >out 2>err || status=$?; }
is() { [ "$1" = "$2" ]; }
says() { grep -q -- "$1" err; }
prints() { grep -q -- "$1" out; }
# record FILE PROGRAM...: with the variables that are set
record() {
    file=$1
    shift
    rm -f "$file"
    UKODE_RECORD=$work/$file UKODE_RECORD_INPUTS=1 UKODE_RECORD_EVERY_STEP=1 LD_PRELOAD=$library "$@" >/dev/null 2>err
}

for program in scene worlds; do
    # shellcheck disable=SC2046
    ${CC:-cc} -std=c11 -D_GNU_SOURCE -O1 -Wall -Wextra $(pkg-config --cflags ode) -o $program "$here/$program.c" \
        $(pkg-config --libs ode) -lm || exit 2
done
scene=./scene
all='as recorded: 150 of 150 steps have the states of the recording$'

record worlds.ukode ./worlds 1001
run "$ukode" replay worlds.ukode
check "more than a thousand worlds" is "$(grep -c '^world' out)" 1001
run "$ukode" replay --world 1001 worlds.ukode
check "the last of them" prints '^world 1001: 2 steps'

record ours.ukode $scene 150
run "$ukode" replay ours.ukode
check "a recording is replayed" is "$status" 0
check "with the states of every step" prints "$all"
run "$ukode" replay --native ours.ukode
check "under ODE's own stepper: as recorded beside it" prints "$all"
check "with the differences" prints "with ODE's own stepper"
run "$ukode" replay --integrator rk4 --friction cone --from 0.5 --to 1 ours.ukode
check "under other settings, from a time on" is "$status" 0
check "which are named" prints 'friction cone, integrator rk4'
check "to a time" prints '50 steps, 0.5 s'
run "$ukode" replay --threads 2 ours.ukode
check "threads change nothing" prints 'differ by up to 0 J'

# ---- the live line: on a terminal, and nowhere else ------------------------------------------------------------------
if python3 -c 'import pty' 2>/dev/null; then
    line='ukode: [0-9.]* s simulated, [0-9.e+-]* x real time, 0 steps not certified'
    run python3 "$here/terminal.py" "$ukode" record -o long.ukode --inputs --rate 1 -- $scene 6000
    check "a run on a terminal" is "$status" 0
    check "a live line while it is recorded" says "$line"
    run python3 "$here/terminal.py" "$ukode" replay long.ukode
    check "a replay on a terminal" is "$status" 0
    check "a live line while it is replayed" says "$line"
    run python3 "$here/terminal.py" "$ukode" replay --bench 1 --native long.ukode
    check "natively nothing is certified, nor told not to be" says "$line"
    check "the line is wiped away" is "$(tail -c 4 err | od -An -c | tr -d ' \n')" '\r033[K'
    run "$ukode" replay long.ukode
    check "none elsewhere" [ ! -s err ]
else
    echo "replay: no python3 here, the live line was not tried"
fi
# 50 N on 1 kg for 4 s in steps of 0.01 s, or of a quarter of that, under the same force: both end with 20000 J;
# x = a h^2 n (n + 1) / 2 of semi-implicit Euler is a t h (1 - 1/4) / 2 = 0.75 m less in the shorter ones
record rocket.ukode "$build/tests/report/model" rocket
for settings in "" --native; do
    run "$ukode" replay $settings --substeps 4 rocket.ukode
    check "substeps $settings: under the step's force" prints 'energy at the end: 20000 J, as recorded 20000 J'
    check "substeps $settings: of a shorter step" prints 'body 1 .* 0.75 at 4 s'
done
run "$ukode" replay --native --substeps 4 rocket.ukode
check "substeps are named" prints "with ODE's own stepper, 4 substeps:"
run "$ukode" replay --substeps 1 rocket.ukode
check "one substep is the step" prints ' 400 of 400 steps have the states of the recording$'
for many in 0 2.5 10001 x; do
    run "$ukode" replay --substeps $many rocket.ukode
    check "no $many substeps" says '--substeps needs a number from 1 to 10000'
done
run "$ukode" replay --bench 2 ours.ukode
check "a recording is a benchmark" prints 'best of 2'

UKODE_INTEGRATOR=rk4 record rk4.ukode $scene 150
run "$ukode" replay rk4.ukode
check "a run with Runge and Kutta is replayed with it" prints "$all"
UKODE_DISABLE=1 record native.ukode $scene 150
run "$ukode" replay native.ukode
check "what ODE stepped is replayed by ODE" is "$status" 0
check "with the states of every step, too" prints "$all"
run "$ukode" replay --solver sparse native.ukode
check "and by ukode where that is asked for" prints 'with solver sparse'
UKODE_SAVE=$work/state UKODE_SAVE_EVERY=0.1 LD_PRELOAD=$library $scene 15 >out 2>err
UKODE_RESTORE=$work/state record restored.ukode $scene 60
run "$ukode" replay restored.ukode
check "a run that begins with a saved state is replayed" is "$status" 0
check "from that state on, which takes the place of the first step" prints ' 59 of 59 steps have the states of the recording$'
for demo in four_bar slider_crank; do
    record $demo.ukode "$build/demos/$demo"
    run "$ukode" replay $demo.ukode
    check "$demo is replayed" is "$status" 0
    rm -f $demo.ukode
done

sqlite3 ours.ukode 'UPDATE step SET hash = zeroblob(16) WHERE number = 70'
run "$ukode" replay ours.ukode
check "a hash that differs is an exit status" is "$status" 1
check "not attributed to states that are equal" prints 'is step 70: the hash; the recorded states are equal'
sqlite3 ours.ukode 'UPDATE body_step SET velocity_x = velocity_x + 1e-15 WHERE step = 70'
run "$ukode" replay ours.ukode
check "a state that differs is an exit status" is "$status" 1
check "and named" prints 'the first that differs is step 70: velocity of body '
sqlite3 ours.ukode 'DELETE FROM body_step WHERE step = 70'
run "$ukode" replay ours.ukode
check "a step without states is compared by its hash" is "$status" 1
check "of which the energy is printed" prints 'is step 70: energy .*; the recording has no states of this step'
sqlite3 ours.ukode 'UPDATE input SET data = zeroblob(40) WHERE step = 50'
run "$ukode" replay ours.ukode
check "inputs that cannot be read are refused" is "$status" 1
check "with a word" says 'cannot be read'
run python3 "$here/killed.py" "$build" $scene 3
check "killed, the recording is there, with what must be in it" is "$status" 0
rm -f plain.ukode
UKODE_RECORD=$work/plain.ukode LD_PRELOAD=$library $scene 5 >out 2>err
run "$ukode" replay plain.ukode
check "a recording without inputs is refused" is "$status" 1
check "and says what it lacks" says 'it has no inputs'
run "$ukode" replay "$here/scene.c"
check "what is no recording is refused" is "$status" 1
run "$ukode" replay --step 0.001 ours.ukode
check "steps that are not the recording's are refused" is "$status" 2
check "with a word" says 'takes the step sizes of its recording'
rm -f stepped.ukode
UKODE_STEP=0.002 record stepped.ukode $scene 150
run "$ukode" replay stepped.ukode
check "steps of another size are recorded as taken" prints "$all"
run "$ukode" replay --from x ours.ukode
check "a wrong time is refused" is "$status" 2
run "$ukode" replay
check "no recording, no replay" is "$status" 2

echo "replay: $passed passed, $failed failed"
[ "$failed" = 0 ]
