# SPDX-License-Identifier: BSD-3-Clause
"""A car on four Hinge2 wheels with suspension drives over a plane: it moves, stays upright, and sits on its springs."""
import ode

world = ode.World()
world.setGravity((0, -9.81, 0))
space = ode.Space()
floor = ode.GeomPlane(space, (0, 1, 0), 0)
contacts = ode.JointGroup()
chassis = ode.Body(world)
mass = ode.Mass()
mass.setBoxTotal(20, 1.4, 0.2, 0.8)
chassis.setMass(mass)
chassis.setPosition((0, 0.5, 0))
wheels, joints = [], []
for x in (-0.5, 0.5):
    for z in (-0.5, 0.5):
        wheel = ode.Body(world)
        mass.setSphereTotal(1, 0.25)
        wheel.setMass(mass)
        wheel.setPosition((x, 0.3, z))
        geom = ode.GeomSphere(space, 0.25)
        geom.setBody(wheel)
        joint = ode.Hinge2Joint(world)
        joint.attach(chassis, wheel)
        joint.setAnchor((x, 0.3, z))
        joint.setAxis2((0, 0, 1))
        joint.setAxis1((0, 1, 0))
        # PyODE's numbers are those of an older ODE: 0.16's own are used here (LoStop 0, HiStop 1, Vel 2, FMax 5, StopERP
        # 9, SuspensionERP 11, SuspensionCFM 12)
        joint.setParam(0, 0.0)
        joint.setParam(1, 0.0)
        joint.setParam(9, 0.8)
        joint.setParam(11, 0.4)
        joint.setParam(12, 0.002)
        joint.setParam(0x100 + 2, -6.0)
        joint.setParam(0x100 + 5, 30.0)
        wheels.append((wheel, geom))
        joints.append(joint)


def near(args, a, b):
    for contact in ode.collide(a, b):
        contact.setMu(0.8)
        contact.setMode(ode.ContactApprox1)
        ode.ContactJoint(world, contacts, contact).attach(a.getBody(), b.getBody())


for step in range(1000):
    space.collide(None, near)
    world.quickStep(0.005) if step % 2 else world.step(0.005)
    contacts.empty()

x, y, z = chassis.getPosition()
up = chassis.getRotation()[4]
print("after 5 s: driven %.2f m, sideways %.2g m, chassis at %.3f m, upright %.4f" % (x, z, y, up))
assert abs(x) > 3 and abs(z) < 0.5 and 0.3 < y < 0.6 and up > 0.98
