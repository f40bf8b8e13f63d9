# SPDX-License-Identifier: BSD-3-Clause
"""Modes of a car's suspension: bounce, pitch and roll of the body, hop of the wheels.

A chassis of 1200 kg, four wheels of 40 kg on vertical sliders, springs and dampers between them, tyres as springs to the
road. `modes` linearizes the world about its equilibrium. Table: frequency, damping, and which bodies move; the undamped
bounce and its hop are compared with their closed form, a chain of two masses.
Usage: suspension.py
"""
import math
import sys

import ukode  # before ode
import ode

CHASSIS, WHEEL, SPRING, TYRE, GRAVITY = 1200.0, 40.0, 25e3, 200e3, 9.81
CORNERS = [(x, y) for x in (-1.3, 1.3) for y in (-0.75, 0.75)]


def box(world, mass, size, position):
    body, m = ode.Body(world), ode.Mass()
    m.setBoxTotal(mass, *size)
    body.setMass(m)
    body.setPosition(position)
    return body


def car(damper):
    """A world with the car at rest, and what keeps its forces alive."""
    world = ode.World()
    world.setGravity((0, 0, -GRAVITY))
    w = ukode.World(world)
    chassis = box(world, CHASSIS, (4, 1.6, 1), (0, 0, 0.8))
    wheels = [box(world, WHEEL, (0.6, 0.2, 0.6), (x, y, 0.3)) for x, y in CORNERS]
    sliders = []
    for wheel in wheels:
        slider = ode.SliderJoint(world)
        slider.attach(chassis, wheel)
        slider.setAxis((0, 0, 1))
        sliders.append(slider)

    @w.force([chassis] + wheels)
    def suspension(c):
        """Spring and damper along each slider, tyre below each wheel; the loads at rest are in equilibrium."""
        forces = [[0.0] * 6 for _ in c.bodies]
        q, spin = c.bodies[0].orientation, c.bodies[0].spin
        for (x, y), wheel, force in zip(CORNERS, c.bodies[1:], forces[1:]):
            arm = rotate(q, (x, y, -0.5))
            place = [p + a for p, a in zip(c.bodies[0].position, arm)]
            velocity = [v + t for v, t in zip(c.bodies[0].velocity, cross(spin, arm))]
            push = CHASSIS * GRAVITY / 4 - SPRING * (place[2] - wheel.position[2]) - damper * (velocity[2] - wheel.velocity[2])
            turn = cross(arm, (0, 0, push))
            for i in range(3):
                forces[0][i] += (0, 0, push)[i]
                forces[0][3 + i] += turn[i]
            force[2] = -push + (CHASSIS / 4 + WHEEL) * GRAVITY - TYRE * (wheel.position[2] - 0.3)
        return forces

    return w, (chassis, wheels, sliders, suspension)


def cross(a, b):
    return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]


def rotate(q, v):
    t = [2 * x for x in cross(q[1:], v)]
    return [a + q[0] * b + c for a, b, c in zip(v, t, cross(q[1:], t))]


def name(shape):
    """By the largest motion of the chassis, and whether the wheels move more."""
    body = [abs(x) for x in shape[0]]
    wheels = max(abs(row[2]) for row in shape[1:])
    kind = max((body[2], "bounce"), (body[3] * 0.75, "roll"), (body[4] * 1.3, "pitch"))
    return "hop of the wheels" + (f" ({kind[1]})" if kind[0] > 1e-6 else " (warp)") if wheels > kind[0] else kind[1]


def main():
    w, _kept = car(damper=2000.0)
    modes, rigid = w.modes()
    print("damped: %d modes, %d motions of the whole car in the plane" % (len(modes), rigid))
    print("      Hz   damping  motion")
    for mode in modes:
        print("%8.4f  %8.4f  %s" % (mode.frequency / (2 * math.pi), mode.damping, name(mode.shape)))

    w, _kept = car(damper=0.0)
    found = sorted(mode.frequency for mode in w.modes()[0])
    a, b = 4 * SPRING / CHASSIS, (SPRING + TYRE) / WHEEL
    root = math.sqrt((a + b) ** 2 / 4 - a * TYRE / WHEEL)
    wrong = rigid != 3 or len(modes) != 7
    print("undamped bounce and hop, closed form and difference")
    for square in ((a + b) / 2 - root, (a + b) / 2 + root):
        expected = math.sqrt(square)
        difference = min(abs(x - expected) for x in found)
        wrong |= difference > 1e-7
        print("%8.4f Hz  %.1e rad/s" % (expected / (2 * math.pi), difference))
    return int(wrong)


if __name__ == "__main__":
    sys.exit(main())
