# SPDX-License-Identifier: BSD-3-Clause
"""A two-link arm whose hand draws a circle: the motion is a constraint, and the motor torques are its answer.

The hand of a PyODE arm is told to be at c(t) = (1, 0, 0.8) + 0.3 (cos t, 0, sin t). Two rows of A qdd = b say so; ukode
returns the force that does it, which the motors of a real arm would have to give. Table: time, hand, distance from the
circle, force on the hand.
Usage: servo_arm.py [PICTURE.svg]
"""
import math
import sys

import picture
import ukode  # before ode
import ode

H = 0.01


def bar(world, start, end):
    """A rod of 1 kg from start to end, in the plane y = 0."""
    body, mass = ode.Body(world), ode.Mass()
    mass.setBoxTotal(1, 0.05, 0.05, 1)
    body.setMass(mass)
    body.setPosition([(a + b) / 2 for a, b in zip(start, end)])
    turn = math.atan2(end[0] - start[0], end[2] - start[2])
    body.setQuaternion((math.cos(turn / 2), 0, math.sin(turn / 2), 0))
    return body


def hinge(world, one, two, anchor):
    joint = ode.HingeJoint(world)
    joint.attach(one, two)
    joint.setAnchor(anchor)
    joint.setAxis((0, 1, 0))
    return joint


def target(t):
    """Place, velocity and acceleration of the hand."""
    c, s = 0.3 * math.cos(t), 0.3 * math.sin(t)
    return (1 + c, 0.8 + s), (-s, c), (-c, -s)


world = ode.World()
world.setGravity((0, 0, -9.81))
(x, z), (vx, vz), _ = target(0)
reach = math.hypot(x, z)
lift = math.acos(reach / 2)  # two links of 1 m
elbow = (math.cos(math.atan2(z, x) + lift), 0, math.sin(math.atan2(z, x) + lift))
upper, lower = bar(world, (0, 0, 0), elbow), bar(world, elbow, (x, 0, z))
joints = [hinge(world, upper, ode.environment, (0, 0, 0)), hinge(world, upper, lower, elbow)]
grip = lower.getPosRelPoint((x, 0, z))

w = ukode.World(world)
w.integrator = "rk4"


def hand(body):
    """From the centre of mass to the hand, and the hand's place and velocity."""
    q, p, v, spin = body.orientation, body.position, body.velocity, body.spin
    r = rotate(q, grip)
    return r, [a + b for a, b in zip(p, r)], [a + b for a, b in zip(v, cross(spin, r))]


def cross(a, b):
    return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]


def rotate(q, v):
    t = [2 * x for x in cross(q[1:], v)]
    return [a + q[0] * b + c for a, b, c in zip(v, t, cross(q[1:], t))]


@w.constraint([lower], rows=2)
def servo(c):
    """Acceleration of the hand = that of the circle, along x and z."""
    spin = c.bodies[0].spin
    r, _, _ = hand(c.bodies[0])
    away = cross(spin, cross(spin, r))
    wanted = target(c.time)[2]
    along_x = [1, 0, 0, 0, r[2], -r[1]]  # e' (v + spin x r), by the components of v and spin
    along_z = [0, 0, 1, r[1], -r[0], 0]
    return [along_x, along_z], [wanted[0] - away[0], wanted[1] - away[2]]


@servo.error
def error(c):
    """How far the hand is off its place and velocity."""
    _, place, velocity = hand(c.bodies[0])
    at, v, _ = target(c.time)
    return [place[0] - at[0], place[2] - at[1]], [velocity[0] - v[0], velocity[2] - v[1]]


w.project()  # starting velocities that fit the circle
rows = []
for step in range(629):
    w.step(H)
    place = lower.getRelPointPos(grip)
    at = target(w.time)[0]
    off = math.hypot(place[0] - at[0], place[2] - at[1])
    push = servo.force[0]
    rows.append((w.time, place[0], place[2], off, push[0], push[2]))
    assert w.report.ok
print("  time      x      z       off   force x   force z")
for row in rows[99::100]:
    print("%6.2f %6.3f %6.3f   %.1e  %8.3f  %8.3f" % row)
worst = max(row[3] for row in rows)
print("farthest from the circle: %.1e m" % worst)
picture.lines(sys.argv, rows[::8], "time [s]", "force on the hand [N]", {"along x": (1, 5), "along z": (1, 6)})
sys.exit(worst > 1e-6)
