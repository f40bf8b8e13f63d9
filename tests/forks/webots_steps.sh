#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Steps of an imitation of Webots' fork (webots.sh) by a program that steps as Webots does (webots.c): as the fork steps
# them, under every integrator, recorded, verified and replayed. Called by run.sh in its folder, where webots-world, the same
# without a path of its libraries (webots-bin) and with ukWorldStep (webots-own), scene-webots, scene-plain, webots/libode.so and
# libukode.so are. Usage: webots_steps.sh BUILD
set -eu
build=$1
failed=0
fail() { echo "forks: webots: $*"; failed=1; }

near() { # near A B DIFFERENCE: numbers differ by so much at most, relative to one plus their size; words do not
    awk -v most="$3" 'NR == FNR { line[FNR] = $0; n = FNR; next }
        {
            count = split($0, x, /[ ,]+/)
            if (split(line[FNR], y, /[ ,]+/) != count) bad = 1
            for (i = 1; i <= count; i++) {
                d = x[i] - y[i]
                if ((d < 0 ? -d : d) > most * (1 + (y[i] < 0 ? -y[i] : y[i]))) bad = 1
                if (x[i] !~ /[0-9]/ && x[i] != y[i]) bad = 1
            }
        }
        END { exit bad || FNR != n || n == 0 }' "$1" "$2"
}
run() { # run ARGUMENTS...: native.out; out and err under ukode
    ./webots-world "$@" >native.out 2>native.err || fail "$*: fails without ukode"
    "$build/ukode" run -- ./webots-world "$@" >out 2>err || { cat err; fail "$*: fails under ukode"; }
}
all() { # all STEPS WHAT
    grep -q "^ukode: $1 steps, .* 0 fallbacks to ODE's own step; 0 not certified" err || { cat err; fail "$2: not $1 steps"; }
}

# ---- the motion of the fork ----------------------------------------------------------------------------------------------
run 100
all 100 "car, arm, motor and water"
near native.out out 1e-10 || { diff native.out out; fail "the motion differs"; }
mv out first.out
LD_LIBRARY_PATH=$PWD/webots "$build/ukode" run -- ./webots-bin 100 >out 2>err || { cat err; fail "started by LD_LIBRARY_PATH: fails"; }
cmp first.out out || fail "started by LD_LIBRARY_PATH: the bits differ"
./webots-own 100 >out 2>err || { cat err; fail "ukWorldStep: fails"; }
cmp first.out out || fail "ukWorldStep: the bits differ from those of dWorldStep"
# a body in water by turns of dWorldStep and dWorldQuickStep, which adds no forces of fluids
run 100 float
all 100 "QuickStep in water"
near native.out out 1e-10 || { diff native.out out; fail "QuickStep in water: the motion differs"; }
./webots-world 100 plain >native.out
cmp -s native.out first.out && fail "the suspension axes have no effect"
./scene-webots 100 >native.out
"$build/ukode" run -- ./scene-webots 100 >out 2>err
near native.out out 1e-6 || { diff native.out out; fail "default suspensions: the motion differs"; }
all 100 "default suspensions"
run 100 axis2
near native.out out 1e-10 || { diff native.out out; fail "stops of a hinge2's axis 2: the motion differs"; }

# ---- failed steps, other steps, resets -------------------------------------------------------------------------------------
"$build/ukode" run -- ./webots-world 100 fail >out 2>err
cmp first.out out || fail "a failed step leaves forces of fluids"
grep -q "2 of 102 steps failed" err || { cat err; fail "two steps have not failed"; }
./webots-world 100 >native.out 2>native.err
"$build/ukode" run --check fallback:1e-30 -- ./webots-world 100 >out 2>err
cmp native.out out || fail "steps that are left to ODE: the bits differ"
grep -q " 100 of 100 steps were left to ODE's own stepper" err || { cat err; fail "steps are not left to ODE"; }
"$build/ukode" run -- ./webots-world 50 again >out 2>err
all 100 "a reset"
head -n "$(($(wc -l <out) / 2))" out >half.out
tail -n "$(($(wc -l <out) / 2))" out | cmp half.out - || fail "the bits after a reset are others"
run 100 threads 2
cmp native.out out || fail "threads: the bits differ"
[ "$(grep -c "webots/libode.so steps groups of bodies in several threads" err)" = 1 ] || { cat err; fail "threads: the cause is not named"; }

# ---- saved states ------------------------------------------------------------------------------------------------------------
"$build/ukode" run --save-every 0.1 --save scene.state -- ./scene-webots 50 >out 2>err || { cat err; fail "saving a state"; }
"$build/ukode" run --restore scene.state -- ./scene-webots 50 >out 2>err || { cat err; fail "restoring a state"; }
grep -q "suspensions" err && { cat err; fail "a state of the fork is not restored"; }
"$build/ukode" run --restore scene.state -- ./scene-plain 50 >out 2>err || :
grep -q "saved with another copy of ODE: its joints have other suspensions" err ||
    { cat err; fail "a state with suspensions is restored without"; }

# ---- integrators, recordings -----------------------------------------------------------------------------------------------
for options in "--integrator adaptive" "--integrator euler" "--joints exact" "--integrator rk4" "--integrator rattle"; do
    # shellcheck disable=SC2086
    "$build/ukode" record $options -o steps.ukode --inputs --certificates -- ./webots-world 60 >out 2>err ||
        { cat err; fail "$options: recording"; }
    all 60 "$options"
    "$build/ukode" replay steps.ukode >out 2>&1 && grep -q "60 of 60 steps have the states of the recording" out ||
        { tail -4 out; fail "$options: the replay differs"; }
done
# the ledger: under Euler the work of each step is h F (v + v+) / 2, elsewhere that is the trapezoidal rule
for case in "euler 1e-12" "rk4 1e-5" "adaptive 1e-5" "rattle 1e-12"; do
    "$build/ukode" record --integrator "${case% *}" --every-step -o water.ukode -- ./webots-world 100 water >out 2>err ||
        { cat err; fail "water: $case: recording"; }
    all 100 "water: $case"
    python3 "$(dirname "$0")/fluid_work.py" water.ukode "${case#* }" >out 2>&1 || { cat out; fail "water: $case: the ledger"; }
done
"$build/ukode" record -o steps.ukode --inputs --certificates -- ./webots-world 60 >out 2>err
"$build/ukode" verify --all steps.ukode >out 2>&1 || { tail -4 out; fail "the recording is not verified"; }
"$build/ukode" replay --native steps.ukode >out 2>&1 || { tail -3 out; fail "replay --native fails"; }
awk '$1 == "body" && $3 > most { most = $3 } END { exit !(most > 1e-3) }' out ||
    { cat out; fail "replay --native: libode.so.8 has suspensions and fluids"; }
exit $failed
