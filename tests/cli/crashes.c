/* SPDX-License-Identifier: BSD-3-Clause */
/* A pendulum that is let go of by a crash, after 17 steps. */
#include <ode/ode.h>
#include <signal.h>

int main(void)
{
    dMass mass;
    dInitODE2(0);
    const dWorldID world = dWorldCreate();
    const dBodyID body = dBodyCreate(world);
    const dJointID joint = dJointCreateHinge(world, NULL);
    dMassSetBox(&mass, 1, 0.1, 0.1, 1);
    dBodySetMass(body, &mass);
    dBodySetPosition(body, 0.5, 0, 0);
    dWorldSetGravity(world, 0, 0, -9.81);
    dJointAttach(joint, body, NULL);
    dJointSetHingeAnchor(joint, 0, 0, 0);
    dJointSetHingeAxis(joint, 0, 1, 0);
    for (int i = 0; i < 17; i++) dWorldStep(world, 0.01);
    raise(SIGSEGV);
    return 0;
}
