# SPDX-License-Identifier: BSD-3-Clause
"""Models in PyODE that the tests step."""
import ukode  # before ode, as a program does
import ode

__all__ = ["four_bar", "heap", "ode", "pendulum", "ukode"]


def ball(world, position, radius=0.1):
    body, mass = ode.Body(world), ode.Mass()
    mass.setSphere(1000, radius)
    body.setMass(mass)
    body.setPosition(position)
    return body


def earth():
    world = ode.World()
    world.setGravity((0, 0, -9.81))
    return world


def hinge(world, one, two, anchor, axis=(0, 1, 0)):
    joint = ode.HingeJoint(world)
    joint.attach(one, two)
    joint.setAnchor(anchor)
    joint.setAxis(axis)
    return joint


def pendulum():
    """A world with a ball of 4.19 kg on a hinge at the origin, level, 1 m along x."""
    world = earth()
    body = ball(world, (1, 0, 0))
    return world, body, hinge(world, body, ode.environment, (0, 0, 0))


def four_bar():
    """A parallelogram of three bars: one hinge's rows out of plane are redundant."""
    world = earth()
    left, coupler, right = (ball(world, at) for at in ((0, 0, 0.5), (1, 0, 1), (2, 0, 0.5)))
    joints = [hinge(world, left, ode.environment, (0, 0, 0)), hinge(world, left, coupler, (0, 0, 1)),
              hinge(world, coupler, right, (2, 0, 1)), hinge(world, right, ode.environment, (2, 0, 0))]
    left.setLinearVel((0.5, 0, 0))
    return world, [left, coupler, right], joints


def heap(count=4):
    """A world with balls on a plane, and a function that makes the contacts of its step."""
    world, space, group = earth(), ode.SimpleSpace(), ode.JointGroup()
    plane = ode.GeomPlane(space, (0, 0, 1), 0)
    bodies = [ball(world, (0.15 * i, 0.02 * i, 0.11 + 0.19 * i)) for i in range(count)]
    geoms = [ode.GeomSphere(space, 0.1) for _ in bodies]
    for geom, body in zip(geoms, bodies):
        geom.setBody(body)

    def touch(_, one, two):
        for contact in ode.collide(one, two):
            contact.setMu(0.5)
            contact.setMode(ode.ContactApprox1)
            ode.ContactJoint(world, group, contact).attach(one.getBody(), two.getBody())

    def step(h, how):
        group.empty()
        space.collide(None, touch)
        how(h)

    return world, bodies, step, (plane, geoms, space, group)
