/* SPDX-License-Identifier: BSD-3-Clause */
/* Two boxes on the ground: nothing but islands with contacts. */
#include <ode/ode.h>

static void rest(dWorldID world, dJointGroupID contacts, dBodyID lower, dBodyID upper)
{
    dContact c = {.geom = {.normal = {0, 0, 1}}, .surface = {.mu = 0.5}};
    for (int i = 0; i < 4; i++) {
        c.geom.pos[0] = i & 1 ? 0.5 : -0.5;
        c.geom.pos[1] = i & 2 ? 0.5 : -0.5;
        c.geom.pos[2] = 0;
        dJointAttach(dJointCreateContact(world, contacts, &c), lower, 0);
        c.geom.pos[2] = 1;
        dJointAttach(dJointCreateContact(world, contacts, &c), upper, lower);
    }
}

int main(void)
{
    dMass mass;
    dInitODE2(0);
    const dWorldID world = dWorldCreate();
    const dJointGroupID contacts = dJointGroupCreate(0);
    dWorldSetGravity(world, 0, 0, -9.81);
    dMassSetBoxTotal(&mass, 1, 1, 1, 1);
    const dBodyID lower = dBodyCreate(world), upper = dBodyCreate(world);
    dBodySetMass(lower, &mass);
    dBodySetMass(upper, &mass);
    dBodySetPosition(lower, 0, 0, 0.5);
    dBodySetPosition(upper, 0, 0, 1.5);
    for (int i = 0; i < 100; i++) {
        rest(world, contacts, lower, upper);
        dWorldStep(world, 0.01);
        dJointGroupEmpty(contacts);
    }
    dWorldDestroy(world);
    dCloseODE();
    return 0;
}
