#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# ukode sweep: what a study asks for is run, once, whatever becomes of a run or of the sweep. Skipped (77) without python3
# or the demos.
# Usage: run.sh BUILD_DIRECTORY
. "$(dirname "$0")/common.sh"

# ---- what is wrong with a study --------------------------------------------------------------------------------------
wrong() { # LINES WHAT
    printf '%b' "$1" >wrong.conf
    "$ukode" sweep wrong.conf -- "$walker" '{gait}' >/dev/null 2>err
    check "refused: $1" is $? 1
    check "and why: $2" says "$2"
    check "and nothing is made" [ ! -e wrong.db ]
}
wrong 'vary gait in\n' 'line 1: gait: no value'
wrong 'vary gait in trot\nvary Gait in x\n' "line 2: there are two of 'Gait'"
wrong 'vary steps in 1\n' "'steps' is the name of another column"
wrong 'vary gait from 1 to 2\n' "expected 'count'"
wrong 'vary gait from 0 to 2 count 3 log\n' 'log needs numbers above 0'
wrong 'vary gait halton 2 1\n' '2 is above 1'
wrong 'vary gait often 1 2\n' 'a variable is: vary NAME'
wrong 'time = never\n' "time: 'never' is not allowed"
wrong 'speed = 1\n' "'speed' is not one of: samples"
wrong 'vary a from 1 to 2 count 90000\nvary b from 1 to 2 count 90000\n' 'more than 100000000 runs'
wrong 'vary a in 1\n' 'there is no variable gait'
wrong 'vary gait in trot\nenv X = {y}\n' 'there is no variable y'
wrong 'vary gait in trot\nconfig hinges viscous 1\n' "'hinges' is not one of"
wrong 'vary gait in trot\nresult far = SELECT height FROM body\n' 'result far: no such column: height'
wrong 'vary gait in trot\nkeep ../x\n' "is not within a run's folder"
"$ukode" sweep nowhere.conf -- true 2>err
check "no study" says 'nowhere.conf: No such file'
printf 'vary gait in trot\n' >gone.conf
"$ukode" sweep gone.conf -- ./gone '{gait}' 2>err
check "no program ends it at once" is $? 1
check "and is named" says './gone cannot be run on .*No such file'

# ---- values ----------------------------------------------------------------------------------------------------------
cat >values.conf <<'E2'
# every kind of value
vary gait in trot "a bound"       # a list
vary x from 1 to 100 count 3 log
vary even halton 0 1
vary dice random 1 6 whole
vary bell normal 10 2
samples = 8
env SPEED = {x}/{gait}
config hinge viscous {even}
keep out.txt
E2
cat >show <<'E2'
#!/bin/sh
echo "$@ $SPEED" | tee out.txt
cat "$UKODE_CONFIG" >>out.txt
E2
chmod +x show
"$ukode" sweep values.conf -- ./show '{gait}' '{point}' '{{x}' '{ x }' 2>err
check "values" is $? 0
check "points" answers values.db 'SELECT count(*), count(DISTINCT point) FROM run' '48|48'
check "lists and grids" answers values.db "SELECT group_concat(x, ' ') FROM (SELECT DISTINCT x FROM run ORDER BY x)" '1 10 100'
check "halton, base 2" answers values.db 'SELECT group_concat(even) FROM (SELECT DISTINCT even FROM run ORDER BY point)' \
    '0.5,0.25,0.75,0.125,0.625,0.375,0.875,0.0625'
check "whole numbers" answers values.db 'SELECT min(dice) >= 1, max(dice) <= 6, min(dice = CAST(dice AS INT)), count(DISTINCT dice) > 2 FROM run' '1|1|1|1'
check "normal ones" answers values.db 'SELECT abs(avg(bell) - 10) < 3, count(DISTINCT bell) FROM run' '1|8'
check "where they go" answers values.db "SELECT content FROM file WHERE point = 4" "$(printf 'a bound 4 {x} { x } 1/a bound\n\nhinge viscous 0.5')"
check "nothing was stepped, it says" answers values.db 'SELECT DISTINCT why FROM run' 'nothing was stepped'
sed -i 's/samples = 8/samples = 9/' values.conf
"$ukode" sweep values.conf -- ./show '{gait}' '{point}' '{{x}' '{ x }' 2>err
check "more samples are added" says '54 of 54 runs are complete, 6 of them now'
sed -i 's/halton 0 1/halton 0 2/' values.conf
"$ukode" sweep values.conf -- ./show '{gait}' '{point}' '{{x}' '{ x }' 2>err
check "another study is refused" says 'is of another study, which has: vary even halton 0 1.*; this one has: vary even halton 0 2'
printf 'vary x in 1 99999999999999999999\n' >large.conf
"$ukode" sweep large.conf -- ./show '{x}' 1 2>err
check "a whole number beyond 64 bits" answers large.db 'SELECT max(x) = 1e20 FROM run' 1
"$ukode" run --save walker.state --save-every 0 -- "$walker" trot 1 0.1 >out 2>err
for change in --integrator=rk4 --native --restore=walker.state --threads=2; do # what changes results, and what does not
    cp large.db changed.db
    "$ukode" sweep large.conf -o changed.db $change -- ./show '{x}' 1 2>err
    if [ $change = --threads=2 ]; then check "$change" is $? 0; else
        check "a sweep is not continued with $change" says 'is of another study.*this one has: setting '
    fi
done

# ---- results, and runs that are alike --------------------------------------------------------------------------------
walk_study
"$ukode" sweep walk.conf -- "$walker" '{gait}' '{seed}' 0.5 2>err
check "walks" is $? 0
check "all of them" answers walk.db "SELECT count(*), sum(outcome = 'ok'), min(steps), max(fallbacks) FROM run" '32|32|50|0'
check "configured" answers walk.db 'SELECT sum(mass_was <> mass) FROM run' 0
check "different" answers walk.db 'SELECT count(DISTINCT hash), count(far) FROM run' '16|32'
check "repeatable" says 'the final states of all points are identical in all 2 repetitions, bit for bit'
check "hash of the end" is "$(printf 'body 1 mass 5\n' >mass.conf; "$ukode" run --hash --config mass.conf -- "$walker" trot 1 0.5 2>&1 >/dev/null | sed -n 's/.*hash of the final state //p')" \
    "$(ask walk.db 'SELECT hash FROM run WHERE point = 1 AND repetition = 1')"
printf 'vary h in 0.01 0.005\nconfig step = {h}\n' >step.conf
"$ukode" sweep step.conf -- "$walker" trot 1 0.5 2>err
check "the size of steps" answers step.db 'SELECT count(*), max(abs(simulated_seconds - steps * h)) < 1e-12, min(steps) FROM run' '2|1|50'
cat >dice <<'E2'
#!/bin/sh
seed=1 # another one each time
until mkdir "$2/thrown$seed" 2>/dev/null; do seed=$((seed + 1)); done
exec "$1" trot $seed 0.2
E2
chmod +x dice
printf 'vary gait in trot\nrepeat = 3\n' >dice.conf
"$ukode" sweep dice.conf -- ./dice "$walker" '{here}' 2>err
check "what is not repeatable" is $? 1
check "is named" says 'not reproducible: point 1: ./dice .*walker'

# ---- the report ------------------------------------------------------------------------------------------------------
"$ukode" report walk.db 2>err
check "a page" is $? 0
check "with the runs" [ "$(wc -c <walk.html)" -gt 20000 ]
python3 - walk.html >page.txt <<'E2'
import json, re, sys
page = open(sys.argv[1]).read()
data = json.loads(re.search(r'<script type="application/json" id="data">(.*?)</script>', page, re.S).group(1))
names = [c["name"] for c in data["columns"]]
print(len(data["rows"]), all(len(row) == len(names) for row in data["rows"]), {"gait", "far", "seconds"} <= set(names), data["alike"])
print(re.findall(r'(?:src|href)="http[^"]*', page), "<script>@" in page)
E2
check "complete, and offline" is "$(cat page.txt)" "$(printf '32 True True Reproducible: the final states of 16 points are identical in all repetitions, bit for bit.\n[] False')"
"$ukode" report walk.db --text >text 2>err
check "as text" grep -q '^ *32 ok' text
check "with results" grep -q '^far  *32 ' text

# ---- faults cost a run -----------------------------------------------------------------------------------------------
cat >faults.conf <<'E2'
vary fault in none abort status eat fill large orphan
time = 300
memory = 150M
disk = 8M
E2
cat >faulty <<'E2'
#!/bin/sh
case $1 in
hang) sleep 1000 ;;
stubborn) trap '' TERM; while :; do sleep 1; done ;;
abort) kill -ABRT $$ ;;
status) exit 7 ;;
eat) exec python3 -c 'x = [b"x" * (i + 1000000) for i in range(100000)]' ;;
fill) i=0; while i=$((i + 1)); do head -c 500000 /dev/urandom >f$i; done ;; # zeros may take no room
large) exec head -c 100000000 /dev/zero >f ;;
orphan)
    (setsid sh -c 'echo $$ >"$0"; exec sleep 1000' "$3/orphan" &)
    until [ -s "$3/orphan" ]; do sleep 0.01; done
    sleep 1000 & echo $! >"$3/left"
    "$2" trot 1 0.1
    ;;
*) exec "$2" trot 1 0.1 ;;
esac
E2
chmod +x faulty
"$ukode" sweep faults.conf --jobs 3 -- ./faulty '{fault}' "$walker" '{here}' 2>err
check "faults are no fault of the sweep" is $? 0
check "each is named" answers faults.db "SELECT group_concat(fault || ':' || outcome, ' ') FROM (SELECT * FROM run ORDER BY point)" \
    'none:ok abort:signal status:exit eat:memory fill:disk large:disk orphan:ok'
check "status" answers faults.db "SELECT exit_status FROM run WHERE fault = 'status'" 7
check "signal" answers faults.db "SELECT signal FROM run WHERE fault = 'abort'" 6
check "in words" says 'point 2: ./faulty abort'
check "what a run leaves is ended" soon ended "$(cat left)"
kill "$(cat orphan)"
check "nothing is left" nothing_left
printf 'vary fault in hang stubborn\ntime = 1\n' >slow.conf # which no machine is fast enough for
"$ukode" sweep slow.conf --jobs 2 -- ./faulty '{fault}' 2>err
check "those that do not end, too" answers slow.db "SELECT group_concat(fault || ':' || outcome, ' ') FROM (SELECT * FROM run ORDER BY point)" \
    'hang:time stubborn:time'
check "in words, too" says 'point 1: ./faulty hang'
check "nothing is left of them" nothing_left

# ---- limits when nobody looks in time: the sweep is stopped while the run is over them -----------------------------------
cat >unseen.conf <<'E2'
vary fault in eat spin fill reserve
time = 300
memory = 150M
disk = 8M
jobs = 1
E2
cat >unseen <<'E2'
#!/usr/bin/python3
import ctypes, mmap, os, resource, sys, time
fault, here = sys.argv[1:]
def note(text):
    with open(here + "/unseen.log", "a") as log: log.write(text + "\n")
if fault == "reserve":  # far more than there is, never to be touched, as a run time's heap
    reserve = ctypes.CDLL(None).mmap
    reserve.restype, reserve.argtypes = ctypes.c_ssize_t, [ctypes.c_void_p, ctypes.c_size_t] + 3 * [ctypes.c_int] + [ctypes.c_long]
    note("reserved" if reserve(None, 1 << 36, 0, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS, -1, 0) > 0 else "not reserved")
    sys.exit()
with open(here + "/unseen.pid.new", "w") as file: print(os.getpid(), file=file)
os.rename(here + "/unseen.pid.new", here + "/unseen.pid")
while os.path.exists(here + "/unseen.pid"): time.sleep(0.01)
if fault == "eat":
    had = [b"x" * 200000000]
    try:
        for gigabytes in range(500): had.append(mmap.mmap(-1, 1 << 30, flags=mmap.MAP_PRIVATE))
        note("all of it")
    except OSError: note("refused")
if fault == "spin":  # to its limit, which is lowered from minutes to seconds
    limit, hard = resource.getrlimit(resource.RLIMIT_CPU)
    note("%d s each" % (limit / os.sysconf("SC_NPROCESSORS_ONLN")))
    resource.setrlimit(resource.RLIMIT_CPU, (1 + int(time.process_time()), hard))
    while True: pass
if fault == "fill":
    for i in range(4):
        with open(str(i), "wb") as file: file.write(os.urandom(4000000))
E2
chmod +x unseen
: >unseen.log
"$ukode" sweep unseen.conf -- ./unseen '{fault}' '{here}' 2>err &
sweep=$!
for fault in eat spin fill; do
    while [ ! -e unseen.pid ] && ! ended $sweep; do sleep 0.01; done
    [ -e unseen.pid ] || break
    run=$(cat unseen.pid)
    kill -STOP $sweep
    until [ "$(state $sweep)" = T ]; do sleep 0.01; done
    rm unseen.pid
    until ended "$run"; do sleep 0.05; done
    kill -CONT $sweep
done
wait $sweep
check "unseen, each is named" answers unseen.db "SELECT group_concat(fault || ':' || outcome, ' ') FROM (SELECT * FROM run ORDER BY point)" \
    'eat:memory spin:time fill:disk reserve:ok'
check "nor gets what it wants" is "$(cat unseen.log)" "$(printf 'refused\n301 s each\nreserved')"
check "its memory is told" answers unseen.db "SELECT memory > 200e6 FROM run WHERE fault = 'eat'" 1

# ---- killed, it goes on ----------------------------------------------------------------------------------------------
cat >killed.conf <<'E2'
vary gait in trot pace bound pronk
vary seed from 1 to 10 count 10
E2
cat >counted <<'E2'
#!/bin/sh
exec 9<"$4/held" # and locked as long as this, or what it begins, lives
flock -s 9
! grep -qx "$2 $3" "$4/have" || echo "$2 $3" >>"$4/again"
while [ "$(wc -l <"$4/log")" -ge "$(cat "$4/held")" ]; do sleep 0.01; done
"$1" "$2" "$3" 0.3 && echo "$2 $3" >>"$4/log"
E2
chmod +x counted
kills=0
: >log
: >have
while [ $kills -lt 30 ]; do # killed when some more runs have ended; a few later they wait for it, however fast they are
    enough=$(($(wc -l <log) + 1 + 7 * kills % 5))
    echo $((enough + 3)) >held
    "$ukode" sweep killed.conf --jobs 3 -- ./counted "$walker" '{gait}' '{seed}' '{here}' 2>err &
    sweep=$!
    until ended $sweep || [ "$(wc -l <log)" -ge $enough ]; do sleep 0.01; done
    kill -KILL $sweep
    wait $sweep
    [ $? = 137 ] || break
    kills=$((kills + 1))
    flock held true # nothing of it runs any more
    ask killed.db "SELECT gait || ' ' || seed FROM run" >have
done 2>/dev/null
echo 1000 >held
"$ukode" sweep killed.conf -- ./counted "$walker" '{gait}' '{seed}' '{here}' 2>err
check "killed, it ends well" is $? 0
check "it was killed ($kills times)" [ $kills -ge 2 ]
check "with runs that it had" [ -s have ]
check "each run once" answers killed.db "SELECT count(*), count(DISTINCT gait || seed), sum(outcome = 'ok') FROM run" '40|40|40'
check "what was done is not repeated" [ ! -e again ]
check "nor is what there was no time to write, but for three at once and three that were over" \
    [ "$(wc -l <log)" -le $((40 + 6 * kills)) ]
check "nothing is left" nothing_left
# a second one at a time is refused
python3 -c '
import fcntl, subprocess, sys
with open("killed.db") as file:
    fcntl.flock(file, fcntl.LOCK_EX)
    sys.exit(subprocess.call(sys.argv[1:]))' "$ukode" sweep killed.conf -- ./counted "$walker" '{gait}' '{seed}' '{here}' 2>err
check "two at a time: refused" says 'is being written by another sweep'

# ---- what ends a sweep and its runs is no fault of the runs ------------------------------------------------------------
printf 'vary x in 1\n' >ended.conf
cat >sleeper <<'E2'
#!/bin/sh
[ ! -e "$1/once" ] || exit 0
touch "$1/once"
echo $$ >"$1/sleeper.pid"
exec sleep 1000
E2
chmod +x sleeper
hundredths() { read -r up rest </proc/uptime; echo "${up%.*}${up#*.}"; }
for signal in 15 9; do
    between=1000
    while [ $between -gt 80 ]; do # an end a second after that of its run would be another's
        rm -f once sleeper.pid ended.db
        "$ukode" sweep ended.conf -- ./sleeper '{here}' 2>err &
        sweep=$!
        until [ -s sleeper.pid ]; do sleep 0.05; done
        run=$(cat sleeper.pid) begun=$(hundredths)
        kill -$signal "$run"
        while [ -d "/proc/$run" ]; do sleep 0.01; done # until the sweep has seen it
        sleep 0.3 # longer than it idles: it has looked again
        kill -$signal $sweep
        between=$(($(hundredths) - begun))
        wait $sweep
        status=$?
    done
    check "signal $signal: it ends with that" is $status $((128 + signal))
    check "signal $signal: nothing is done" answers ended.db 'SELECT count(*) FROM run' 0
    "$ukode" sweep ended.conf -- ./sleeper '{here}' 2>err
    check "signal $signal: it is run again" answers ended.db 'SELECT outcome FROM run' ok
done 2>/dev/null
rm -f once sleeper.pid
"$ukode" sweep ended.conf -o alone.db -- ./sleeper '{here}' 2>err &
sweep=$!
while [ ! -s sleeper.pid ]; do sleep 0.05; done
kill -KILL "$(cat sleeper.pid)"
wait $sweep
check "a run alone is killed" answers alone.db 'SELECT outcome, signal FROM run' 'signal|9'

finish
