# SPDX-License-Identifier: BSD-3-Clause
"""Why does my four-bar lose energy? The ledger says what took it.

A four-bar of hinges with dry friction in one of them swings for five seconds, under Euler with ODE's error correction
and under RK4 with projection. Table: what each cause did to the energy [J].
Usage: energy.py [PICTURE.svg]
"""
import sys

import picture
import ukode  # before ode
import ode

H = 0.01
CAUSES = ("nonideal", "stabilization", "gyroscopic", "integration", "residual")


def link(world, position):
    body, mass = ode.Body(world), ode.Mass()
    mass.setBoxTotal(1, 0.1, 0.1, 1)
    body.setMass(mass)
    body.setPosition(position)
    return body


def hinge(world, one, two, anchor):
    joint = ode.HingeJoint(world)
    joint.attach(one, two)
    joint.setAnchor(anchor)
    joint.setAxis((0, 1, 0))
    return joint


def swing(integrator, friction):
    """The ledger after each tenth of a second."""
    world = ode.World()
    world.setGravity((0, 0, -9.81))
    left, coupler, right = link(world, (0, 0, 0.5)), link(world, (0.5, 0, 1)), link(world, (1, 0, 0.5))
    joints = [hinge(world, left, ode.environment, (0, 0, 0)), hinge(world, left, coupler, (0, 0, 1)),
              hinge(world, coupler, right, (1, 0, 1)), hinge(world, right, ode.environment, (1, 0, 0))]
    w = ukode.World(world)
    w.integrator = integrator
    for body, v in ((left, 0.5), (coupler, 1), (right, 0.5)):
        body.setLinearVel((v, 0, 0))
    left.setAngularVel((0, 1, 0)), right.setAngularVel((0, 1, 0))
    w.joint(joints[1]).coulomb(friction, 0.02)
    w.reset_ledger()
    ledgers = []
    for step in range(500):
        w.step(H)
        if step % 10 == 9:
            ledgers.append(w.ledger)
    return ledgers


print("%-16s" % "" + "".join("%15s" % cause for cause in ("energy",) + CAUSES))
rows = []
for integrator, friction in (("euler", 0), ("rk4", 0), ("rk4", 0.3)):
    ledgers = swing(integrator, friction)
    last = ledgers[-1]
    lost = last.kinetic + last.potential - last.kinetic_start - last.potential_start
    print("%-6s mu %4.1f   " % (integrator, friction) + "%15.6f" % lost +
          "".join("%15.6f" % getattr(last, cause) for cause in CAUSES))
    rows.append([x.kinetic + x.potential - x.kinetic_start - x.potential_start for x in ledgers])
table = [(0.1 * (i + 1), *values) for i, values in enumerate(zip(*rows))]
picture.lines(sys.argv, table, "time [s]", "change of energy [J]",
              {"Euler": (1, 2), "RK4": (1, 3), "RK4, friction": (1, 4)})
