# SPDX-License-Identifier: BSD-3-Clause
"""Twelve boxes fall on a plane and come to rest: contacts with bounce, as PyODE's tutorials have them."""
import ode

world = ode.World()
world.setGravity((0, -9.81, 0))
world.setERP(0.8)
world.setCFM(1e-5)
space = ode.Space()
floor = ode.GeomPlane(space, (0, 1, 0), 0)
contacts = ode.JointGroup()
boxes = []
for i in range(12):
    body = ode.Body(world)
    mass = ode.Mass()
    mass.setBox(1000, 0.4, 0.3, 0.5)
    body.setMass(mass)
    body.setPosition((0.3 * (i % 3), 0.5 + 0.4 * i, 0.2 * (i % 2)))
    geom = ode.GeomBox(space, (0.4, 0.3, 0.5))
    geom.setBody(body)
    boxes.append((body, geom))


def near(args, a, b):
    for contact in ode.collide(a, b):
        contact.setBounce(0.2)
        contact.setMu(5000)
        ode.ContactJoint(world, contacts, contact).attach(a.getBody(), b.getBody())


for step in range(1000):
    space.collide(None, near)
    world.step(0.01)
    contacts.empty()

fastest = max(sum(v * v for v in body.getLinearVel()) ** 0.5 for body, _ in boxes)
lowest = min(body.getPosition()[1] for body, _ in boxes)
print("after 10 s: fastest box %.2g m/s, lowest centre %.3f m" % (fastest, lowest))
assert fastest < 0.05 and lowest > 0.1
