# SPDX-License-Identifier: BSD-3-Clause
"""A parameter study: how far does a sliding box get, for which friction?

One world a value of mu, stepped side by side under the isotropic cone; the closed form is v^2 / (2 mu g). Table: mu,
distance, closed form [m].
Usage: study.py [PICTURE.svg]
"""
import math
import sys

import picture
import ukode  # before ode
import ode

H, SPEED, GRAVITY = 0.002, 2.0, 9.81


def slide(mu):
    """How far a box of 1 kg gets that starts with SPEED, diagonally, until it rests [m]."""
    world, space, group = ode.World(), ode.SimpleSpace(), ode.JointGroup()
    world.setGravity((0, 0, -GRAVITY))
    floor, box = ode.GeomPlane(space, (0, 0, 1), 0), ode.GeomBox(space, (0.4, 0.4, 0.1))
    body, mass = ode.Body(world), ode.Mass()
    mass.setBoxTotal(1, 0.4, 0.4, 0.1)
    body.setMass(mass)
    box.setBody(body)
    body.setPosition((0, 0, 0.05))
    body.setLinearVel((SPEED * math.sqrt(0.5), SPEED * math.sqrt(0.5), 0))
    w = ukode.World(world)
    w.friction = "cone"
    while math.hypot(*body.getLinearVel()) > 1e-6 and w.time < 10:
        group.empty()
        for contact in ode.collide(box, floor):
            contact.setMode(ode.ContactApprox1)
            contact.setMu(mu)
            ode.ContactJoint(world, group, contact).attach(body, None)
        w.quick_step(H)
    x, y, _ = body.getPosition()
    return math.hypot(x, y)


rows = [(mu, slide(mu), SPEED**2 / (2 * mu * GRAVITY)) for mu in (0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.8, 1.0)]
print("   mu   distance   closed form")
for row in rows:
    print("%5.1f  %9.4f  %12.4f" % row)
picture.lines(sys.argv, rows, "mu", "distance [m]", {"ukode": (1, 2), "closed form": (1, 3)})
sys.exit(max(abs(a - b) for _, a, b in rows) > SPEED * H)
