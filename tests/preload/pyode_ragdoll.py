# SPDX-License-Identifier: BSD-3-Clause
"""A torso with limbs on ball joints and hinges with stops falls on a plane and comes to rest."""
import ode

world = ode.World()
world.setGravity((0, -10, 0))
world.setERP(0.1)
world.setCFM(1e-4)
space = ode.Space()
floor = ode.GeomPlane(space, (0, 1, 0), 0)
contacts = ode.JointGroup()
bodies, joints = [], []


def limb(x, y, z, size):
    body = ode.Body(world)
    mass = ode.Mass()
    mass.setBox(500, *size)
    body.setMass(mass)
    body.setPosition((x, y, z))
    geom = ode.GeomBox(space, size)
    geom.setBody(body)
    bodies.append((body, geom))
    return body


torso = limb(0, 2, 0, (0.4, 0.6, 0.2))
for side in (-1, 1):
    for height in (0.3, -0.3):
        upper = limb(side * 0.4, 2 + height, 0, (0.36, 0.1, 0.1))
        lower = limb(side * 0.8, 2 + height, 0, (0.36, 0.1, 0.1))
        shoulder = ode.BallJoint(world)
        shoulder.attach(torso, upper)
        shoulder.setAnchor((side * 0.21, 2 + height, 0))
        elbow = ode.HingeJoint(world)
        elbow.attach(upper, lower)
        elbow.setAnchor((side * 0.6, 2 + height, 0))
        elbow.setAxis((0, 0, 1))
        elbow.setParam(ode.ParamLoStop, -1.0)
        elbow.setParam(ode.ParamHiStop, 1.0)
        joints += [shoulder, elbow]


def near(args, a, b):
    if a is not floor and b is not floor:
        return
    for contact in ode.collide(a, b):
        contact.setBounce(0.1)
        contact.setMu(500)
        ode.ContactJoint(world, contacts, contact).attach(a.getBody(), b.getBody())


for step in range(2000):
    space.collide(None, near)
    world.step(0.005)
    contacts.empty()

fastest = max(sum(v * v for v in body.getLinearVel()) ** 0.5 for body, _ in bodies)
gap = max(sum((p - q) ** 2 for p, q in zip(j.getAnchor(), j.getAnchor2())) ** 0.5 for j in joints)
print("after 10 s: fastest limb %.2g m/s, largest joint gap %.2g m" % (fastest, gap))
assert fastest < 0.1 and gap < 1e-3
