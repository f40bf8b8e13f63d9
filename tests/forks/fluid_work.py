# SPDX-License-Identifier: BSD-3-Clause
"""The work of fluids in a recording of `webots STEPS water` (webots.c), whose only applied force is that of fluid.cpp: the
sum of force times displacement over the recorded states, computed here, against the ledger's applied work.
Usage: fluid_work.py RECORDING TOLERANCE     TOLERANCE: of the work, relative to the sum of its magnitudes"""
import math
import sqlite3
import sys

VOLUME, LEVEL, GRAVITY, CENTRE = 0.15, 4.0, -9.81, (0.02, 0, 0.05)
STATE = ('position_x, position_y, position_z, orientation_w, orientation_x, orientation_y, orientation_z, '
         'velocity_x, velocity_y, velocity_z, spin_x, spin_y, spin_z')


def cross(a, b):
    return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]


def dot(a, b):
    return sum(x * y for x, y in zip(a, b))


def rotated(q, x):
    """x + 2 w (u x x) + 2 u x (u x x) of the unit quaternion (w, u)"""
    once = cross(q[1:], x)
    twice = cross(q[1:], once)
    return [x[i] + 2 * (q[0] * once[i] + twice[i]) for i in range(3)]


def load(state):
    """force and torque about the centre of mass"""
    v, w = state[7:10], state[10:13]
    part = min(max(0.5 - 2 * (state[2] - LEVEL), 0), 1)
    drag = 20 * part * math.sqrt(dot(v, v))
    force = [-drag * v[i] - (1000 * VOLUME * part * GRAVITY if i == 2 else 0) for i in range(3)]
    return force, [t - part * s for t, s in zip(cross(rotated(state[3:7], CENTRE), force), w)]


database = sqlite3.connect(sys.argv[1])
states = [database.execute('select %s from body_start' % STATE).fetchone()]
states += database.execute('select %s from body_step order by step' % STATE).fetchall()
times = [0] + [t for t, in database.execute('select time from step order by step')]
told = [w for w, in database.execute("select work from ledger_step where cause = 'applied' order by step")]
assert len(states) == len(times) == len(told) + 1 and len(told) > 50, (len(states), len(times), len(told))
work = size = 0
for before, after, start, end, ledger in zip(states, states[1:], times, times[1:], told):
    force, torque = load(before)
    parts = [(end - start) * 0.5 * dot(f, [a + b for a, b in zip(before[k:k + 3], after[k:k + 3])])
             for f, k in ((force, 7), (torque, 10))]
    work += sum(parts)
    size += sum(map(abs, parts))
    if abs(ledger - work) > float(sys.argv[2]) * size:
        sys.exit('at %g s fluids have done %.15g J, the ledger says %.15g J' % (end, work, ledger))
print('%.15g J of %.6g J, ledger %.15g J: %.2g' % (work, size, told[-1], abs(told[-1] - work) / size))
