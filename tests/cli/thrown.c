/* SPDX-License-Identifier: BSD-3-Clause */
/* Two rods hinged almost in line, and a wall that pushes their end: they can follow only by leaping out of the line. */
#include <ode/ode.h>

int main(void)
{
    dMass mass;
    dBodyID rod[2];
    dInitODE2(0);
    const dWorldID world = dWorldCreate();
    dMassSetBoxTotal(&mass, 1, 1, 0.1, 0.1);
    for (int i = 0; i < 2; i++) {
        rod[i] = dBodyCreate(world);
        dBodySetMass(rod[i], &mass);
        dBodySetPosition(rod[i], i + 0.5, 0, 0);
        dBodySetLinearVel(rod[i], 0, 0.05, 0);
        const dJointID hinge = dJointCreateHinge(world, 0);
        dJointAttach(hinge, rod[i], i > 0 ? rod[0] : 0);
        dJointSetHingeAnchor(hinge, i, 0, 0);
        dJointSetHingeAxis(hinge, 0, 0, 1);
    }
    for (int i = 0; i < 20; i++) dWorldStep(world, 0.01);
    const dReal *x = dBodyGetPosition(rod[1]);
    const dContact wall = {.geom = {.pos = {x[0] + 0.5, x[1], 0}, .normal = {-1, 0, 0}, .depth = 0.01}};
    const dJointGroupID group = dJointGroupCreate(0);
    dJointAttach(dJointCreateContact(world, group, &wall), rod[1], 0);
    dWorldStep(world, 0.01);
    dJointGroupEmpty(group);
    dWorldStep(world, 0.01);
    dJointGroupDestroy(group);
    dWorldDestroy(world);
    dCloseODE();
    return 0;
}
