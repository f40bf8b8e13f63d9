#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# ukode modes and ukode linearize: of programs and of recordings, as table, JSON, CSV and MAT; refusals. Skipped (77)
# without LAPACKE or Node.
# Usage: analyze.sh BUILD_DIRECTORY
set -u
build=$(cd "$1" && pwd)
ukode=$build/ukode
demos=$build/demos
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 2
failed=0
fail() { echo "analyze: $*"; failed=1; }
"$ukode" info -- true >/dev/null 2>info.txt
! grep -q 'no diagnosis' info.txt || { echo "analyze: skipped: no LAPACKE here"; exit 77; }
command -v node >/dev/null || { echo "analyze: skipped: no node here (Debian: nodejs)"; exit 77; }

# a four-bar of 20 rows and rank 17 swings; its program and its recording have the same modes
"$ukode" modes --at 0.5 -- "$demos/four_bar" >program.txt 2>err.txt || { cat err.txt; fail "modes of a program"; }
grep -q '^modes about the state at 0.5 s: 1, and 0 motions' program.txt || { cat program.txt; fail "the table"; }
[ ! -s err.txt ] || { cat err.txt; fail "modes has something to say"; }
"$ukode" modes --at 0.5 --json -o modes.json -- "$demos/four_bar" >modes.txt || fail "modes as JSON"
cmp -s modes.json modes.txt || fail "-o and --json differ"
python3 - modes.json <<'P' || fail "the JSON of modes"
import json, sys
a = json.load(open(sys.argv[1]))
mode = a["modes"][0]
assert a["kind"] == "modes" and a["zero"] == 0 and len(a["modes"]) == 1 and len(a["bodies"]) == 3 and len(a["joints"]) == 4
assert mode["frequency"] > 1 and abs(mode["growth"]) < 1e-8 and len(mode["shape"]) == 18
assert abs(max(abs(x) for x in mode["shape"]) - 1) < 1e-9
P
if "$ukode" record --quiet --inputs -o run.ukode -- "$demos/four_bar" >record.txt 2>&1; then
    "$ukode" modes --at 0.5 run.ukode >recording.txt 2>err.txt || { cat err.txt; fail "modes of a recording"; }
    cmp program.txt recording.txt || fail "a program and its recording have different modes"
    "$ukode" modes --at 1e6 run.ukode >/dev/null 2>err.txt
    [ $? = 1 ] && grep -q 'took no step' err.txt || { cat err.txt; fail "a time past the end"; }
    "$ukode" record --quiet -o plain.ukode -- "$demos/four_bar" >record.txt 2>&1
    "$ukode" modes --at 0.5 plain.ukode >/dev/null 2>err.txt
    [ $? = 1 ] && grep -q 'inputs' err.txt || { cat err.txt; fail "a recording without inputs"; }
else
    cat record.txt; fail "a recording"
fi

# the page: the answer is within it, and its script runs on it (Node has no canvas: the drawing context is absent)
"$ukode" modes --at 0.5 -o modes.html -- "$demos/four_bar" >/dev/null || fail "the page"
grep -q 'default-src .none' modes.html || fail "the page's policy"
! grep -q '@[a-z.]*@' modes.html || fail "the page has places that were not filled"
cat >page.js <<'N'
const fs = require('fs'), page = fs.readFileSync('modes.html', 'utf8'), elements = {};
const data = page.match(/<script type="application\/json" id="data">([^]*?)<\/script>/)[1];
const script = page.match(/<script nonce="[0-9a-f]+">([^]*?)<\/script>/)[1];
function node(id) {
    return {id, textContent: id === 'data' ? data : '', children: [], dataset: {}, classList: {toggle() {}}, clientWidth: 400, clientHeight: 300,
            valueAsNumber: 0.5, listeners: {}, addEventListener(name, f) { this.listeners[name] = f; }, setAttribute(k, v) { this[k] = v; },
            appendChild(c) { this.children.push(c); return c; }, replaceChildren() { this.children = []; }, querySelectorAll() { return this.children.filter((c) => c.id === 'circle'); },
            getContext() { return null; }};
}
global.document = {getElementById: (id) => elements[id] || (elements[id] = node(id)), createElement: node, createElementNS: (_, n) => node(n)};
global.window = {};
let frames = 0;
global.requestAnimationFrame = (f) => { if (frames++ < 3) f(100 * frames); };
const modes = new Function(script + '; return Modes;')();
const assert = require('assert');
assert(frames > 3 && elements.list.children.length === 1 && elements.poles.querySelectorAll().length === 2);
assert.match(elements.about.textContent, /1 mode, and 0 motions/);
assert(modes.displacement(0).some((x) => Math.abs(x) > 1e-3) && modes.displacement(0).every(Number.isFinite));
assert.match(elements.list.children[0].children[5].textContent, /hinge joint/);
// of a complex mode Re((shape + i shape_imag) exp(i phase)), the phase growing with time: here cos and sin of it
const cycle = JSON.parse(data), turning = (x, y) => cycle.answer.bodies.flatMap(() => [x, y, 0, 0, 0, 0]);
Object.assign(cycle.answer.modes[0], {shape: turning(1, 0), shape_imag: turning(0, -1)});
delete elements.data;
elements.data = Object.assign(node('data'), {textContent: JSON.stringify(cycle)});
for (const [id, value] of [['amplitude', 1], ['speed', 0.5]]) (elements[id] || (elements[id] = node(id))).valueAsNumber = value;
let tick;
global.requestAnimationFrame = (f) => { tick = f; };
const circling = new Function(script + '; return Modes;')(), seen = [circling.displacement(0)];
for (let k = 1; k < 5; k++) {
    tick(100 * k);
    seen.push(circling.displacement(0));
}
for (let k = 1; k < 5; k++) {
    const [a, b] = [seen[k - 1], seen[k]], sine = (a[0] * b[1] - a[1] * b[0]) / (Math.hypot(a[0], a[1]) * Math.hypot(b[0], b[1]));
    assert(Math.abs(sine - Math.sin(2 * Math.PI * 0.5 * 0.1)) < 1e-9, String(sine));
}
assert(Math.abs(seen[0][1]) < 1e-12 && seen[0][0] > 0);
N
node page.js || fail "the script of the page"

# a root locus: the modes of a sweep's runs, as a table, as CSV, and on the page
cat >study.conf <<'S'
vary damping in 0 2 8
config joint 1 viscous {damping}
keep modes.json
S
if "$ukode" sweep study.conf -- "$ukode" modes --json --at 0.5 -o modes.json -- "$demos/four_bar" >sweep.txt 2>&1; then
    "$ukode" modes -o locus.csv study.db >locus.txt 2>err.txt || { cat err.txt; fail "a root locus"; }
    "$ukode" modes -o locus.html study.db >/dev/null || fail "the page of a root locus"
    python3 - <<'P' || { cat locus.txt locus.csv; fail "the poles of a root locus"; }
import csv, json
rows = list(csv.DictReader(open("locus.csv")))
alone = json.load(open("modes.json"))["modes"][0]
assert [(r["point"], r["damping"], r["mode"]) for r in rows][:2] == [("1", "0", "1"), ("2", "2", "1")]
assert float(rows[0]["frequency"]) == alone["frequency"] and abs(float(rows[0]["growth"])) < 1e-8
growth = [float(r["growth"]) for r in rows if r["mode"] == "1"]
assert len(growth) == 3 and growth[0] > growth[1], growth
# x'' + c x' + k x = 0: the sum of both roots is -c, in proportion to the damping
sums = [sum(float(r["growth"]) * (2 if float(r["frequency"]) > 0 else 1) for r in rows if r["point"] == p) for p in "123"]
assert abs(sums[2] / sums[1] - 4) < 1e-6, sums
assert open("locus.txt").read().count("\n") == 4
P
    sed -e 's/modes.html/locus.html/' -e '/^assert/,$d' page.js >locus.js
    cat >>locus.js <<'N'
assert(elements.locus.hidden === false && elements.run.max === 2 && elements.variable.children.length === 1);
modes.chooseRun(2);
assert.match(elements.values.textContent, /point 3: damping = 8/);
assert(modes.place(0, 0) === 0 && modes.place(1, 0) === 0.25 && modes.place(2, 0) === 1);
assert(elements.poles.children.filter((c) => 'data-run' in c).length >= 5 && elements.list.children.length >= 1);
N
    node locus.js || fail "the script of a root locus"
    python3 - <<'P'
import sqlite3
study = sqlite3.connect("study.db")
study.execute("""UPDATE file SET content = replace(CAST(content AS TEXT), '"kind"', '"x":"</script>","kind"')""")
study.commit()
P
    "$ukode" modes -o locus.html study.db >/dev/null 2>err.txt
    [ $? = 1 ] && grep -q 'no run of this sweep' err.txt || { cat err.txt; fail "an answer that would end the script"; }
else
    cat sweep.txt; fail "a sweep of modes"
fi

# matrices
"$ukode" linearize --at 0.1 --inputs joints --outputs position:1,rate:1,reaction:1.2,place:2.0 -o l.json -- "$demos/slider_crank" >l.txt ||
    fail "linearize"
grep -q 'output 3: reaction of hinge joint 1, axis 2' l.txt || { cat l.txt; fail "the names of signals"; }
"$ukode" linearize --at 0.1 --inputs joints --outputs reaction:1.2 -o l.csv -- "$demos/slider_crank" >/dev/null || fail "a CSV file"
"$ukode" linearize --at 0.1 --inputs joints --outputs reaction:1.2 -o l.mat -- "$demos/slider_crank" >/dev/null || fail "a MAT file"
"$ukode" linearize --at 0.1 --step 1e-4 --integrator rk4 -o c.json -- "$demos/slider_crank" >/dev/null || fail "--step"
"$ukode" linearize --at 0.1 --inputs joints --discrete --step 1e-4 --integrator rk4 -o d.json -- "$demos/slider_crank" >/dev/null || fail "--discrete"
python3 - <<'P' || fail "the files of linearize"
import csv, json, struct
a, c, d = json.load(open("l.json")), json.load(open("c.json")), json.load(open("d.json"))
assert a["positions"] == a["velocities"] == 1 and a["rank"] == 17 and a["redundant"] == 3 and a["error"] < 1e-7
assert len(a["B"][0]) == 4 and len(a["C"]) == 4 and a["discrete"] == 0 and d["discrete"] == 1 and d["stepsize"] > 0
h = d["stepsize"]  # I + h A, up to h^2
assert abs((d["A"][1][0]) / h / c["A"][1][0] - 1) < 0.01 and abs(d["A"][0][1] / h - 1) < 0.01
rows = {(r["matrix"], int(r["row"]), int(r["column"])): float(r["value"]) for r in csv.DictReader(open("l.csv"))}
data, at, mat = open("l.mat", "rb").read(), 0, {}
while at < len(data):
    kind, m, n, imaginary, length = struct.unpack_from("<5i", data, at)
    assert kind == 0 and imaginary == 0
    name = data[at + 20:at + 20 + length - 1].decode()
    mat[name] = struct.unpack_from(f"<{m * n}d", data, at + 20 + length)
    for j in range(n):
        for i in range(m):
            assert rows[name, i + 1, j + 1] == mat[name][j * m + i], name
    at += 20 + length + 8 * m * n
assert set(mat) == {"A", "B", "C", "D", "f", "Nq", "Nv"} and rows["A", 2, 1] == a["A"][1][0]
P

# the tutorial's walker: its modes while it stands, a gain that holds it, the torques of its recorded gait
"$ukode" modes --at 2 --inputs joints -- "$demos/walker" stand >stand.txt 2>err.txt || { cat err.txt; fail "modes of a standing walker"; }
grep -q 'at 2 s: 6, and 0 motions' stand.txt && grep -q '8 stick' stand.txt && [ "$(grep -c unstable stand.txt)" = 3 ] ||
    { cat stand.txt; fail "the modes of a standing walker"; }
"$ukode" modes --at 2 -- "$demos/walker" stand | grep -q 'at 2 s: 0, and 3 motions' || fail "servos that hold a walker"
"$ukode" linearize --lqr --at 2 --inputs joints -o gains.json -- "$demos/walker" stand >lqr.txt 2>err.txt || { cat err.txt; fail "a gain"; }
grep -q 'regulator: the slowest mode decays' lqr.txt || { cat lqr.txt; fail "the table of a regulator"; }
"$ukode" linearize --lqr --effort 2 --at 2 --inputs joints -o gains.csv -- "$demos/walker" stand >/dev/null || fail "gains as CSV"
if "$ukode" record --quiet --inputs -o walk.ukode -- "$demos/walker" trot 0 1.2 >record.txt 2>&1; then
    "$ukode" inverse --actuators joints --at 1 --until 1.1 -o torques.csv walk.ukode >inverse.txt 2>err.txt || { cat err.txt; fail "torques"; }
    "$ukode" modes --at 1 --inputs joints walk.ukode >walk.txt 2>err.txt || { cat err.txt; fail "modes of a recorded walk"; }
    "$ukode" modes --at 1 --inputs joints -- "$demos/walker" trot 0 1.2 | cmp - walk.txt || fail "a walk and its recording differ"
    python3 - <<'P' || fail "the torques of a gait"
import csv
rows = list(csv.reader(open("torques.csv")))[1:]
assert len(rows) == 11 and all(len(r) == 10 for r in rows)
assert sorted(float(r[-1]) for r in rows)[5] < 1e-2, "half of the steps have no impact: their torques make the motion"
assert max(abs(float(x)) for r in rows for x in r[1:9]) < 200
P
else
    cat record.txt; fail "a recording"
fi
python3 - <<'P' || fail "the gains of a walker"
import csv, json
a = json.load(open("gains.json"))
r = a["lqr"]
assert a["positions"] == a["velocities"] == 3 and max(r["real"]) < -1 and r["unbalanced"] < 1e-6
assert len(r["K"]) == len(r["position"]) == 8 and len(r["bodies"]) * 6 == len(r["velocity"][0]) == 54
names = {row["matrix"] for row in csv.DictReader(open("gains.csv"))}
assert names == {"A", "B", "f", "Nq", "Nv", "K", "Kposition", "Kvelocity", "force"}
P

# the slowest mode of the closed loop that the table prints, by the eigenvalues of A - B K; a complex pair of a step has its size
for form in "" --discrete; do
    # shellcheck disable=SC2086
    "$ukode" linearize --lqr $form --effort 100 --at 2 --inputs joints -o loop.json -- "$demos/four_bar" >loop.txt 2>err.txt ||
        { cat err.txt; fail "a regulator $form"; }
    python3 - <<'P' || { cat loop.txt; fail "the slowest mode $form"; }
import json, re
r = json.load(open("loop.json"))
told = float(re.search("slowest mode decays (?:to|at a rate of) ([-+.e0-9]+)", open("loop.txt").read()).group(1))
pairs = list(zip(r["lqr"]["real"], r["lqr"]["imag"]))
assert len(pairs) == 2
A, B, K = r["A"], r["B"], r["lqr"]["K"]
L = [[A[i][k] - sum(B[i][j] * K[j][k] for j in range(len(K))) for k in range(2)] for i in range(2)]
half, area = (L[0][0] + L[1][1]) / 2, L[0][0] * L[1][1] - L[0][1] * L[1][0]
root = (half * half - area) ** 0.5  # complex where it is negative
modes = [half + root, half - root]
for (x, y) in pairs: assert min(abs(complex(x, y) - m) for m in modes) < 1e-5 * abs(complex(x, y)), (pairs, modes)
slowest = max(map(abs, modes)) if r["discrete"] else -max(complex(m).real for m in modes)
assert abs(told - slowest) < 1e-5 * slowest, (told, slowest)
assert not r["discrete"] or abs(slowest - max(complex(m).real for m in modes)) > 1e-4
P
done

# refusals: exit status, the reason on stderr
refused() { # STATUS WORDS ARGUMENTS...
    status=$1 words=$2
    shift 2
    "$ukode" "$@" >out.txt 2>err.txt
    got=$?
    [ $got = "$status" ] && grep -q "$words" err.txt || { cat out.txt err.txt; fail "status $got, not $status ('$words'): $*"; }
}
# the step of a walker with feet on the ground; matrices that no terminal shows are written, not printed; progress in whole lines
"$ukode" linearize --progress --at 1 --discrete --inputs motors -o walker.csv -- "$demos/walker" >walker.txt 2>err.txt || fail "linearize a step with contacts"
grep -q '^ukode: [0-9.]* s of 1 s simulated ([0-9]* s)$\|^ukode: linearizing: [0-9]* % ([0-9]* s)$' err.txt || { cat err.txt; fail "no progress"; }
grep -q '^A (108 x 108): written by -o' walker.txt && [ "$(wc -l <walker.txt)" -lt 40 ] || { head -40 walker.txt; fail "the table of a large world"; }
[ "$(grep -c '^A,' walker.csv)" = 11664 ] || fail "the matrix of a large world"

refused 1 'no such joint' linearize --inputs force:9 -- "$demos/four_bar"
refused 1 'no such axis' linearize --outputs reaction:1.9 -- "$demos/four_bar"
printf 'name joint 1 crank.1\n' >names.conf
"$ukode" linearize --config names.conf --inputs force:crank.1 --outputs reaction:crank.1.2 -- "$demos/four_bar" >out.txt 2>err.txt &&
    grep -q '^input 1: force of crank.1, axis 0' out.txt && grep -q 'reaction of crank.1, axis 2' out.txt ||
    { cat out.txt err.txt; fail "a joint whose name ends like an axis"; }
refused 1 'no input of that name' linearize --inputs torque:1 -- "$demos/four_bar"
refused 1 'an output' linearize --inputs rate:1 -- "$demos/four_bar"
refused 1 'nothing moves' linearize --lqr --inputs push:1.1 --at 2 -- "$demos/walker" stand
refused 1 'needs inputs' linearize --lqr --at 2 -- "$demos/walker" stand
"$ukode" modes --method differences --at 0.5 -- "$demos/four_bar" | grep -q '^ *1  *1\.9081788' || fail "modes by differences"
refused 2 'needs tangent or differences' modes --method guess -- "$demos/four_bar"
refused 2 'needs a number > 0' linearize --lqr --effort none -- "$demos/walker" stand
refused 1 'took no step' modes --at 1e6 -- "$demos/pendulum"
refused 2 'needs a time in seconds' modes --at soon -- "$demos/pendulum"
refused 2 'needs the number of a world' modes --world 0 -- "$demos/pendulum"
refused 1 'before it ended with status 3' modes -- sh -c 'exit 3'
refused 127 'No such file' modes -- ./missing
refused 1 'No such file' modes ./missing
[ "$(wc -l <err.txt)" = 1 ] || { cat err.txt; fail "a missing recording has two reasons"; }
refused 1 'nowhere' modes -o nowhere/at/all -- "$demos/four_bar"
"$ukode" linearize --json --inputs force:9 -- "$demos/four_bar" 2>/dev/null | python3 -c '
import json, sys
a = json.load(sys.stdin)
assert a["kind"] == "refusal" and a["status"] < 0 and "no such joint" in a["error"]' || fail "a refusal as JSON"
# the second world of a recording, which a replay builds alone; and the time limit
if [ -x "$build/tests/cli/mixture" ]; then
    "$ukode" record --quiet -o two.ukode --inputs -- "$build/tests/cli/mixture" 9 2>err.txt || { cat err.txt; fail "two worlds"; }
    "$ukode" linearize --world 2 --inputs joints two.ukode >table.txt 2>err.txt || { cat err.txt; fail "the second world"; }
    grep -q 'continuous: 2 positions, 2 velocities' table.txt || { cat table.txt; fail "its table"; }
    refused 1 'no world 3' modes --world 3 two.ukode
    refused 1 'within 0.002 s (--seconds S sets another limit)\|within 0.002 s (--at' modes --seconds 0.002 two.ukode
fi
exit $failed
