# SPDX-License-Identifier: BSD-3-Clause
"""tests/cli/acceptance.py: compares the mean accelerations of mujoco.c with those of a recording's first step.
Usage: acceptance.py RECORDING WORLD ACCELERATIONS LOOPS NAME"""
import sqlite3
import sys

recording, world, path, loops, name = sys.argv[1:]
database = sqlite3.connect(recording)
h = database.execute("select h from step where world = ? order by step limit 1", (world,)).fetchone()[0]
columns = "velocity_x, velocity_y, velocity_z, spin_x, spin_y, spin_z"
keys = {}
for key, given in database.execute("select body, name from body where world = ?", (world,)): keys[given] = keys["body_%d" % key] = key
worst, compared = 0, 0
for line in open(path):
    body, *theirs = line.rstrip("\n").split("\t")
    start, end = (database.execute("select %s from body_%s where body = ? order by step limit 1" % (columns, table), (keys[body],)).fetchone()
                  for table in ("start", "step"))
    ours = [(y - x) / h for x, y in zip(start, end)]
    compared += 1
    size = max([1] + [abs(x) for x in ours])
    worst = max([worst] + [abs(x - float(y)) / size for x, y in zip(ours, theirs)])
bodies = database.execute("select count(*) from body where world = ?", (world,)).fetchone()[0]
if compared != bodies: sys.exit("%s world %s: %d of %d bodies" % (name, world, compared, bodies))
print("%-14s world %s: %.1e%s" % (name, world, worst, ", equality constraints: %s" % loops if int(loops) else ""))
sys.exit(int(loops) == 0 and not worst < 1e-6)
