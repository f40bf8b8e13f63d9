# SPDX-License-Identifier: BSD-3-Clause
"""A rod balanced on a cart, in plain PyODE: nothing of this program is of ukode. Its gains are `ukode linearize --lqr`'s.

    $ ukode linearize --lqr --discrete --inputs push:1.0 -o gains.json -- python3 balance.py 0.25
    $ python3 balance.py 0.25 gains.json

Without gains it begins upright, which is the state to hold; with gains, 0.3 rad from it. The exit status is 1 where the rod
falls.
Usage: balance.py STEP [GAINS]
"""
import json
import math
import sys

import ode


def build(angle):
    """A cart of 2 kg on a rail along x, and a rod of 1 kg and 1 m hinged to it, `angle` [rad] from upright."""
    world, mass = ode.World(), ode.Mass()
    world.setGravity((0, 0, -9.81))
    cart, rod = ode.Body(world), ode.Body(world)
    mass.setBoxTotal(2, 0.4, 0.2, 0.2)
    cart.setMass(mass)
    mass.setBoxTotal(1, 0.05, 0.05, 1)
    rod.setMass(mass)
    rod.setPosition((0.5 * math.sin(angle), 0, 0.5 * math.cos(angle)))
    rod.setQuaternion((math.cos(angle / 2), 0, math.sin(angle / 2), 0))
    rail, pivot = ode.SliderJoint(world), ode.HingeJoint(world)
    rail.attach(cart, ode.environment)
    rail.setAxis((1, 0, 0))
    pivot.attach(rod, cart)
    pivot.setAnchor((0, 0, 0))
    pivot.setAxis((0, 1, 0))
    return world, [cart, rod], [rail, pivot]


def turn(q, start):
    """The rotation vector from the orientation `start` to q."""
    w, x, y, z = q
    a, b, c, d = start[0], -start[1], -start[2], -start[3]
    v = (w * b + x * a + y * d - z * c, w * c - x * d + y * a + z * b, w * d + x * c - y * b + z * a)
    cosine, sine = w * a - x * b - y * c - z * d, math.sqrt(sum(u * u for u in v))
    angle = 2 * math.atan2(sine, abs(cosine)) * (1 if cosine >= 0 else -1)
    return [angle * u / sine if sine > 0 else 0.0 for u in v]


def control(lqr, bodies):
    """The force of the first input: force - position dq - velocity dv. The gains' bodies are in an order of their own, and
    named "body N" in the order of creation."""
    dq, dv = [], []
    for start in lqr["bodies"]:
        body = bodies[int(start["name"].split()[1]) - 1]
        dq += [x - x0 for x, x0 in zip(body.getPosition(), start["position"])]
        dq += turn(body.getQuaternion(), start["orientation"])
        dv += list(body.getLinearVel()) + list(body.getAngularVel())
    return lqr["force"][0] - sum(k * x for k, x in zip(lqr["position"][0], dq)) - sum(
        k * v for k, v in zip(lqr["velocity"][0], dv))


def angle_of(rod):
    """From upright [rad]."""
    return abs(2 * math.atan2(rod.getQuaternion()[2], rod.getQuaternion()[0]))


def main():
    step = float(sys.argv[1])
    lqr = None
    if len(sys.argv) > 2:
        with open(sys.argv[2], encoding="utf-8") as file:
            lqr = json.load(file)["lqr"]
    world, bodies, _joints = build(0.3 if lqr else 0.0)
    largest = angle_of(bodies[1])
    for _ in range(int(20 / step)):
        if lqr:
            bodies[0].addForce((control(lqr, bodies), 0, 0))
        world.step(step)
        largest = max(largest, angle_of(bodies[1]))
        if largest > 1.5:
            print("falls")
            return 1
    print("largest angle %.3f rad, %.1e rad at the end" % (largest, angle_of(bodies[1])))
    return 0


if __name__ == "__main__":
    sys.exit(main())
