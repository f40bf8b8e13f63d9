# SPDX-License-Identifier: BSD-3-Clause
"""Whether a planar game stays in its plane z = 0 to the last bit (position, velocity, spin and orientation of every body
after every step), and one of its bodies upright (within 60 degrees about z) as often as under ODE.
Usage: planar.py BODY NATIVE UKODE, the number of a body from 0 in its world, and two recordings of every step.
Exit status 1: something left the plane, or the body is upright in less than nine tenths of ODE's share."""
import math
import sqlite3
import sys

OUT = '''select number, body, position_z, velocity_z, spin_x, spin_y from body_step join step using (step)
         where position_z <> 0 or orientation_x <> 0 or orientation_y <> 0 or velocity_z <> 0 or spin_x <> 0 or spin_y <> 0
         or position_z + velocity_z + orientation_x + orientation_y + spin_x + spin_y is null order by step limit 1'''
TURNS = '''select step.step, orientation_w, orientation_z from step left join body_step on body_step.step = step.step
           and body = ? where world = ? order by step.step'''


def judge(name, place):
    file = sqlite3.connect(name)
    steps, time = file.execute('select count(*), total(h) from step').fetchone()
    out = file.execute(OUT).fetchone()
    upright = 0
    for (world,) in file.execute('select world from world'):
        bodies = file.execute('select body, created_step, ifnull(destroyed_step, 1 << 62) from body where world = ? '
                              'order by body', (world,)).fetchall()
        qw = qz = None  # a body that sleeps has no rows
        for step, w, z in file.execute(TURNS, (bodies[place][0], world)) if place < len(bodies) else ():
            qw, qz = (qw, qz) if w is None else (w, z)
            there = qw is not None and bodies[place][1] <= step < bodies[place][2]
            upright += there and abs(math.remainder(2 * math.atan2(qz, qw), 2 * math.pi)) < math.pi / 3
    share = upright / max(steps, 1)
    where = 'out of the plane: body %d in step %d: z %s, vz %s, spin %s %s' % (out[1], out[0], *out[2:]) if out else 'in the plane'
    print('    %s: %d steps, %.1f s, %s, upright in %.2f of the steps'
          % (name.split('.')[-2], steps, time, where, share))
    return steps > 0 and out is None, share


(_, native), (flat, ours) = judge(sys.argv[2], int(sys.argv[1])), judge(sys.argv[3], int(sys.argv[1]))
sys.exit(not flat or ours < 0.9 * native)
