#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Each column of a sweep's database against what the run itself measured, or what its recording says: time of processors
# with the system's share, memory in bytes, sums and largest residuals, hosts and dates; values of variables against
# their ranges. Skipped (77) without python3 or the demos.
# Usage: columns.sh BUILD_DIRECTORY
. "$(dirname "$0")/common.sh"

# ---- what a run takes ------------------------------------------------------------------------------------------------
cat >busy <<'E2'
#!/usr/bin/python3
import os, resource, sys
kept = bytearray(b"x" * (60 << 20))  # touched
with open("/dev/zero", "rb", buffering=0) as zero:
    while os.times().system < 0.4: zero.read(1 << 20)
while os.times().user < 0.2: pass
used = resource.getrusage(resource.RUSAGE_SELF)
print(used.ru_utime, used.ru_stime, used.ru_maxrss * 1024)
E2
chmod +x busy
printf 'vary x in 1\n' >busy.conf
printf 'vary x in 1\nmemory = 1G\n' >limited.conf
for study in busy limited; do
    date -u +%Y-%m-%dT%H:%M:%SZ >before
    "$ukode" sweep $study.conf -- ./busy '{x}' 2>err
    check "$study: it runs" is $? 0
    ask $study.db 'SELECT output, cpu_seconds, memory, seconds, host, started FROM run' | tr '\n|' '  ' >row
    check "$study: time of processors, memory, wall time, host and date" python3 - "$(cat row)" "$(hostname)" "$(cat before)" <<'E2'
import sys
user, system, resident, cpu, memory, wall, host, started = sys.argv[1].split()
own = float(user) + float(system)
print(sys.argv[1])
assert own - 0.01 <= float(cpu) <= own + 0.3
assert 0.5 * float(resident) <= float(memory) <= 1.5 * float(resident) + 3e7 and float(memory) >= 60e6
assert float(cpu) * 0.9 <= float(wall) < 300
assert host == sys.argv[2] and started >= sys.argv[3]
E2
done

# a run that ends before its memory is measured has what the kernel counted
printf 'vary x in 1 2 3\n' >quick.conf
"$ukode" sweep quick.conf -- true 2>err
check "seconds in total are the sum of the runs'" python3 - quick.db err <<'E2'
import re, sqlite3, sys
total = sqlite3.connect(sys.argv[1]).execute("SELECT sum(seconds) FROM run").fetchone()[0]
told = float(re.search(r"; ([0-9.e+-]+) s in total", open(sys.argv[2]).read())[1])
print(told, total)
assert total > 0 and abs(told - total) <= 1e-3 * total
E2
check "roles of the columns" answers quick.db "SELECT group_concat(name || ' ' || role, ', ') FROM (SELECT * FROM run_column \
    WHERE role IN ('key', 'variable') OR name IN ('outcome', 'seconds') ORDER BY rowid)" \
    "point key, repetition key, x variable, outcome outcome, seconds outcome"
check "memory of runs that end at once" answers quick.db 'SELECT min(memory) > 100000 AND max(memory) < 1e8 FROM run' 1

# ---- what its recording says -----------------------------------------------------------------------------------------
cat >sums.conf <<'E2'
vary check in warn:1e-9 warn:1e-30 fallback:1e-30
env UKODE_CHECK = {check}
result n = SELECT count(*) FROM step
result ours = SELECT sum(ukode) FROM step
result simulated = SELECT sum(h) FROM step
result left = SELECT sum(fallback) FROM step
result bad = SELECT sum(ok = 0) FROM step
result f = SELECT max(feasibility) FROM step
result s = SELECT max(stationarity) FROM step
result c = SELECT max(complementarity) FROM step
result p = SELECT max(position_error) FROM step
E2
"$ukode" sweep sums.conf -- "$walker" trot 1 0.3 2>err
check "sums" is $? 0
check "steps" answers sums.db 'SELECT group_concat(steps = ours, "") FROM run' 111
check "simulated time" answers sums.db 'SELECT group_concat(abs(simulated_seconds - simulated) < 1e-9, "") FROM run' 111
check "fallbacks" answers sums.db 'SELECT group_concat(fallbacks = left, "") || (max(fallbacks) > 0) FROM run' 1111
check "not certified" answers sums.db 'SELECT not_certified = coalesce(bad, 0) FROM run WHERE point < 3' "$(printf '1\n1')"
check "of which there are some" answers sums.db "SELECT not_certified > 0 FROM run WHERE \"check\" = 'warn:1e-30'" 1
check "residuals" answers sums.db \
    'SELECT group_concat((abs(feasibility - f) <= 1e-3 * f) + (abs(stationarity - s) <= 1e-3 * s) + (abs(complementarity - c) <= 1e-3 * c) + (abs(position_error - p) <= 1e-3 * p), "") FROM run WHERE point < 3' 44
check "residuals of three kinds" answers sums.db \
    'SELECT (feasibility <> stationarity) + (stationarity <> complementarity) + (position_error > 0) FROM run WHERE point = 1' 3
check "each column has its meaning" answers sums.db \
    "SELECT count(*) FROM run_column WHERE meaning IS NOT NULL AND (name, unit) IN (VALUES ('seconds', 's'), ('cpu_seconds', 's'), ('memory', 'byte'), ('position_error', 'm or rad'))" 4
cat >fails.conf <<'E2'
vary x in 1
env UKODE_CHECK = stop:1e-30
result refused = SELECT count(*) FROM event WHERE kind = 'refused'
E2
"$ukode" sweep fails.conf -- "$walker" trot 1 0.1 2>err
check "steps that nobody took" answers fails.db 'SELECT failed_steps = refused AND failed_steps > 0 AND steps = 0 FROM run' 1

# ---- values ----------------------------------------------------------------------------------------------------------
cat >grids.conf <<'E2'
vary line from 2 to 10 count 5
vary decades from 0.01 to 100 count 3 log
vary rounded from 1 to 4 count 3 whole
E2
"$ukode" sweep grids.conf -- true 2>err
check "a grid" answers grids.db "SELECT group_concat(line, ' ') FROM (SELECT DISTINCT line FROM run ORDER BY line)" '2 4 6 8 10'
check "decades" answers grids.db "SELECT group_concat(decades, ' ') FROM (SELECT DISTINCT decades FROM run ORDER BY 1)" '0.01 1 100'
check "whole numbers of a grid" answers grids.db "SELECT group_concat(rounded, ' ') FROM (SELECT DISTINCT rounded FROM run ORDER BY 1)" '1 2 4'
cat >ranges.conf <<'E2'
vary even halton 10 20
vary other halton 1 100 log
vary third halton 0 9 whole
vary dice random -1 1
vary bell normal 3 0.5
samples = 16
seed = 5
E2
"$ukode" sweep ranges.conf -- true 2>err
ask ranges.db 'SELECT even, other, third, dice, bell FROM run ORDER BY point' >drawn
check "samples" is "$(wc -l <drawn)" 16
check "where they lie" python3 - drawn <<'E2'
import statistics, sys
rows = [[float(x) for x in line.split("|")] for line in open(sys.argv[1])]
even, other, third, dice, bell = zip(*rows)
def halton(n, base):  # digits permuted d -> base - d
    x, place = 0, 1
    while n:
        n, digit = divmod(n, base)
        place /= base
        x += place * ((base - digit) % base)
    return x
for n in range(1, 17):
    assert abs(even[n - 1] - (10 + 10 * halton(n, 2))) < 1e-9
    assert abs(other[n - 1] / 100 ** halton(n, 3) - 1) < 1e-9
    assert third[n - 1] == int(10 * halton(n, 5))
assert -1 < min(dice) < -0.3 and 0.3 < max(dice) < 1 and abs(statistics.mean(dice)) < 0.5
assert abs(statistics.mean(bell) - 3) < 0.5 and 0.2 < statistics.stdev(bell) < 0.9
E2
sed 's/seed = 5/seed = 6/; s/samples = 16/samples = 3/' ranges.conf >another.conf
"$ukode" sweep another.conf -- true 2>err
ask another.db 'SELECT even, other, third, dice, bell FROM run ORDER BY point' >again
check "another seed, other draws" [ "$(cut -d'|' -f4 drawn | head -1)" != "$(cut -d'|' -f4 again | head -1)" ]
check "the same even ones" is "$(cut -d'|' -f1-3 again | cksum)" "$(cut -d'|' -f1-3 drawn | head -3 | cksum)"
finish
