# SPDX-License-Identifier: BSD-3-Clause
"""Two pendulums in pyode, with contacts' joint group, quick steps, and objects left to the garbage collector."""
import ode

world = ode.World()
world.setGravity((0, 0, -9.81))


def body(x):
    b = ode.Body(world)
    m = ode.Mass()
    m.setBoxTotal(1, 0.4, 0.5, 0.6)
    b.setMass(m)
    b.setPosition((x, 0, 0))
    return b


a, b = body(0.5), body(1.5)
first, second = ode.HingeJoint(world), ode.BallJoint(world)
first.attach(a, ode.environment)
first.setAnchor((0, 0, 0))
first.setAxis((0, 1, 0))
second.attach(a, b)
second.setAnchor((1, 0, 0))
group = ode.JointGroup()
for i in range(50):
    extra = ode.FixedJoint(world, group)
    extra.attach(a, b)
    extra.setFixed()
    world.step(0.01)
    group.empty()
for i in range(50):
    world.step(0.01)
print("python", *("%.4f" % (x + 1e-9) for x in b.getPosition() + b.getAngularVel()))
