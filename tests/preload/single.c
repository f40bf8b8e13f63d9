/* SPDX-License-Identifier: BSD-3-Clause */
/* A program with an ODE of single precision of its own (single_ode.c), which it was linked with. */
#include <stdio.h>

void *dWorldCreate(void);
void *dBodyCreate(void *world);
void *dJointCreateHinge(void *world, void *group);
void dJointAttach(void *joint, void *body1, void *body2);
void dJointSetHingeAnchor(void *joint, float x, float y, float z);
void dJointSetHingeParam(void *joint, int parameter, float value);
float dJointGetTransmissionRatio(void *joint);
int dWorldStep(void *world, float stepsize);
void dWorldDestroy(void *world);

int main(void)
{
    void *const world = dWorldCreate(), *const body = dBodyCreate(world), *const hinge = dJointCreateHinge(world, NULL);
    int steps = 0;
    dJointAttach(hinge, body, NULL);
    dJointSetHingeAnchor(hinge, 1.5f, -2.25f, 0.125f);
    dJointSetHingeParam(hinge, 2, -0.375f);
    for (int k = 0; k < 3; k++) steps += dWorldStep(world, 0.01f);
    printf("%d steps, ratio %g\n", steps, (double)dJointGetTransmissionRatio(hinge));
    dWorldDestroy(world);
    return steps != 3;
}
