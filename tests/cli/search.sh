#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# ukode assemble, ukode equilibrium, ukode inverse: of programs and of recordings, as table, JSON and CSV; refusals.
# Usage: search.sh BUILD_DIRECTORY
set -u
build=$(cd "$1" && pwd)
ukode=$build/ukode
demos=$build/demos
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 2
failed=0
fail() { echo "search: $*"; failed=1; }
"$ukode" info -- true >/dev/null 2>info.txt
! grep -q 'no diagnosis' info.txt || { echo "search: skipped: no LAPACKE here"; exit 77; }

# a four-bar of 20 rows and rank 17: assembled anywhere; it hangs at rest
"$ukode" assemble --at 0.5 -- "$demos/four_bar" >table.txt 2>err.txt || { cat err.txt; fail "assemble"; }
grep -q '^assembled at 0.5 s: gap .*, 20 rows of rank 17, 1 motion left' table.txt || { cat table.txt; fail "its table"; }
# its coupler of 2 m goes round on cranks of 1 m: a target on that circle is met, one beyond it approached
"$ukode" assemble --json --target 2:1.6,0,-0.8 -- "$demos/four_bar" >near.json || fail "a target"
"$ukode" assemble --json --target 2:2,0,-2 -o far.json -- "$demos/four_bar" >/dev/null; [ $? = 3 ] || fail "the status of a target out of reach"
"$ukode" assemble --target 2:1.6,0,-0.8 -- "$demos/four_bar" | grep -q '^1 target reached' || fail "the table of targets"
python3 - <<'P' || fail "the targets"
import json, math
near, far = json.load(open("near.json")), json.load(open("far.json"))
assert near["met"] == far["met"] == 1 and near["targets_met"] == 1 and far["targets_met"] == 0
x = {b["name"]: b["position"] for b in far["bodies"]}["body 2"]
assert abs(far["target_error"] - (math.sqrt(5) - 1)) < 1e-7 and abs(math.hypot(x[0] - 1, x[2]) - 1) < 1e-9
P
"$ukode" assemble --target 9:0,0,0 -- "$demos/four_bar" >/dev/null 2>err.txt
[ $? = 1 ] && grep -q 'no such body' err.txt || { cat err.txt; fail "a target of no body"; }
"$ukode" assemble --target 2:0,0 -- "$demos/four_bar" >/dev/null 2>err.txt
[ $? = 1 ] && grep -q 'BODY:X,Y,Z' err.txt || { cat err.txt; fail "half a target"; }
"$ukode" equilibrium -- "$demos/four_bar" >table.txt 2>err.txt || { cat err.txt; fail "equilibrium"; }
grep -q '^equilibrium from the state at 0 s: stable, 1 motion,' table.txt || { cat table.txt; fail "its table"; }
grep -q 'arbitrary share' table.txt || fail "redundant hinges share arbitrarily"
# the state that is found can be saved, and restored: its frequency there is known (demos/scenes.h);
# other analyses save nothing, and say so
"$ukode" equilibrium --at 0.5 --save e.state -- "$demos/four_bar" >saved.txt 2>err.txt || { cat err.txt; fail "equilibrium --save"; }
[ -s e.state ] || fail "no state was saved"
"$ukode" modes --at 0.6 --restore e.state -- "$demos/four_bar" >modes.txt 2>err.txt || { cat err.txt; fail "modes of a saved equilibrium"; }
grep -q '^ *1  *3\.32182568 ' modes.txt && ! grep -q 'not an equilibrium' modes.txt || { cat modes.txt; fail "the frequency at a saved equilibrium"; }
"$ukode" modes --save m.state -- "$demos/four_bar" >saved.txt 2>err.txt
[ $? = 2 ] && grep -q 'does not save a state' err.txt && [ ! -e m.state ] || { cat err.txt; fail "modes --save"; }
if "$ukode" record --quiet --inputs -o e.ukode -- "$demos/four_bar" >record.txt 2>&1; then
    "$ukode" equilibrium --at 0.5 --save r.state e.ukode >replayed.txt 2>err.txt || { cat err.txt; fail "equilibrium --save of a recording"; }
    "$ukode" equilibrium --at 0.5 -- "$demos/four_bar" | cmp - replayed.txt || fail "a recording's equilibrium"
    [ -s r.state ] || fail "no state of a recording was saved"
    "$ukode" assemble --at 0.5 e.ukode >replayed.txt 2>err.txt || { cat err.txt; fail "assemble of a recording"; }
    "$ukode" assemble --at 0.5 -- "$demos/four_bar" | cmp - replayed.txt || fail "a recording's assembly"
    "$ukode" inverse --actuators force:1 --at 0.5 --until 0.52 -o r.csv e.ukode >/dev/null 2>err.txt || { cat err.txt; fail "inverse of a recording"; }
    "$ukode" inverse --actuators force:1 --at 0.5 --until 0.52 -o p.csv -- "$demos/four_bar" >/dev/null
    cmp p.csv r.csv || fail "a recording's forces"
else
    cat record.txt; fail "a recording"
fi
"$ukode" equilibrium --json -o e.json -- "$demos/four_bar" >e.txt || fail "equilibrium as JSON"
cmp -s e.json e.txt || fail "-o and --json differ"
python3 - e.json <<'P' || fail "the JSON of an equilibrium"
import json, sys
e = json.load(open(sys.argv[1]))
assert e["kind"] == "equilibrium" and e["found"] == 1 and e["stable"] == 1 and e["freedoms"] == 1
x = {b["name"]: b["position"] for b in e["bodies"]}
assert abs(x["body 2"][2] + 1) < 1e-9 and len(e["carried"]) == 4
P

# a motion without a motor needs none; the series has a row per step
"$ukode" inverse --actuators force:1 --at 0.5 --until 0.6 -o u.csv -- "$demos/four_bar" >table.txt 2>err.txt ||
    { cat err.txt; fail "inverse"; }
python3 - u.csv <<'P' || fail "the CSV of an inverse dynamics"
import csv, sys
rows = list(csv.reader(open(sys.argv[1])))
assert rows[0][0] == "time" and rows[0][-1] == "residual" and len(rows) == 12, rows
assert all(abs(float(r[1])) < 1e-9 and float(r[2]) < 1e-9 for r in rows[1:])
P
"$ukode" inverse --actuators force:1 --at 0.5 --until 0.6 --json -- "$demos/four_bar" >u.json || fail "inverse as JSON"
python3 -c 'import json; u = json.load(open("u.json")); assert u["kind"] == "inverse" and len(u["steps"]) == 11' ||
    fail "the JSON of an inverse dynamics"
# the motion of a table: cranks of 1 m and 1 kg, a coupler of 2 kg: the torque is
# (2 (I + 1/4) + 2) a - 3 g sin(pi/4 + q), with the angle q counted from the cranks' place at pi/4 from the vertical
python3 -c '
import math
print("time,position:1")
for k in range(60): print(f"{0.2 + 0.01 * k!r},{0.5 * math.sin(2 * (0.2 + 0.01 * k))!r}")' >motion.csv
"$ukode" inverse --actuators force:1 --motion motion.csv -o m.csv -- "$demos/four_bar" >/dev/null 2>err.txt || { cat err.txt; fail "a table of motion"; }
python3 - m.csv <<'P' || fail "the torques of a table of motion"
import csv, math, sys
rows = list(csv.reader(open(sys.argv[1])))[1:]
assert len(rows) == 60 and float(rows[0][0]) == 0.2 and float(rows[-1][0]) == 0.2 + 0.59
inertia = 2 * ((1 + .05 ** 2) / 12 + .25) + 2
for r in rows[3:-3]: # elsewhere derivatives are one-sided
    q = 0.5 * math.sin(2 * float(r[0]))
    assert abs(float(r[1]) - inertia * -4 * q + 3 * 9.81 * math.sin(math.pi / 4 + q)) < 1e-7 and float(r[2]) < 1e-9, r
P
echo 'name joint 1 a",=1+1,"' >names.conf # a name that would end its field
"$ukode" inverse --config names.conf --actuators joints -o n.csv -- "$demos/four_bar" >/dev/null || fail "names"
python3 -c 'import csv; r = list(csv.reader(open("n.csv"))); assert len(r[0]) == len(r[1]) and "=1+1" not in r[0], r[0]
assert any("a\",=1+1,\"" in name for name in r[0]), r[0]' || fail "a name with quotation marks in CSV"
if "$ukode" record --quiet --inputs -o run.ukode -- "$demos/four_bar" >record.txt 2>&1; then
    "$ukode" equilibrium --json run.ukode >recording.txt 2>err.txt || { cat err.txt; fail "equilibrium of a recording"; }
    cmp -s e.txt recording.txt || fail "a program and its recording have different equilibria"
else
    cat record.txt; fail "a recording"
fi

# what is not found has a status of its own: a body that falls; one that two anchors pull apart
cat >fall.c <<'C'
#include <ode/ode.h>
int main(int argc, char **argv)
{
    dInitODE();
    dWorldID w = dWorldCreate();
    dWorldSetGravity(w, 0, 0, -9.81);
    dBodyID b = dBodyCreate(w);
    for (int k = 0; k < 2 && argc > 1; k++) {
        dJointID j = dJointCreateBall(w, 0);
        dBodySetPosition(b, k, 0, 0);
        dJointAttach(j, b, 0);
        dJointSetBallAnchor(j, 0, 0, 0);
    }
    dBodySetPosition(b, 0, 0, 0);
    dWorldStep(w, 0.01);
    return argv[0] == 0;
}
C
${CC:-cc} -O1 -o fall fall.c $(pkg-config --cflags --libs ode) -lm || exit 2
"$ukode" equilibrium -- ./fall >table.txt 2>err.txt
[ $? = 3 ] && grep -q '^no equilibrium found' table.txt && [ ! -s err.txt ] || { cat err.txt table.txt; fail "no equilibrium"; }
"$ukode" equilibrium --json -o none.json -- ./fall >none.txt
[ $? = 3 ] && cmp -s none.json none.txt && grep -q '"found":0' none.json || fail "no equilibrium, as JSON"
"$ukode" assemble -- ./fall apart >table.txt 2>err.txt
[ $? = 3 ] && grep -q 'cannot all be satisfied' table.txt && [ ! -s err.txt ] || { cat err.txt table.txt; fail "no assembly"; }
"$ukode" assemble --json -- ./fall apart | grep -q '"met":0' || fail "no assembly, as JSON"

refused() { # WORDS STATUS arguments...
    words=$1 want=$2
    shift 2
    "$ukode" "$@" >/dev/null 2>err.txt
    [ $? = "$want" ] && grep -q "$words" err.txt || { cat err.txt; fail "refusal: $*"; }
}
refused "no such joint" 1 inverse --actuators force:9 -- "$demos/four_bar"
refused "the number of actuators is 1" 1 inverse --actuators force:1 --weights x -- "$demos/four_bar"
refused "not a force" 1 inverse --actuators motor:1 -- "$demos/four_bar"
printf 'time,position:1\n0,0\n0.1,x\n' >bad.csv
refused "line 3: not a number" 1 inverse --actuators force:1 --motion bad.csv -- "$demos/four_bar"
printf 'time,position:1\n0,0\n0,0\n' >bad.csv
refused "line 3: times do not ascend" 1 inverse --actuators force:1 --motion bad.csv -- "$demos/four_bar"
printf 'time,rate:1\n0,0\n' >bad.csv
refused "not a position" 1 inverse --actuators force:1 --motion bad.csv -- "$demos/four_bar"
printf 'time,position:1,position:3\n0,0,0\n0.1,0,1\n0.2,0,0\n' >bad.csv
refused "do not admit the positions at 0.1 s" 1 inverse --actuators force:1 --motion bad.csv -- "$demos/four_bar"
refused "No such file" 2 inverse --actuators force:1 --motion missing.csv -- "$demos/four_bar"
refused "a time in seconds" 2 inverse --until never -- "$demos/four_bar"
refused "took no step" 1 equilibrium --at 1e6 -- "$demos/four_bar"
exit $failed
