/* SPDX-License-Identifier: BSD-3-Clause */
/* A library of the names of ODE, of single precision, that says what it is called with: what a program brings that was
 * built with an ODE of its own. Only the functions that single.c calls; it knows nothing of <ode/ode.h>. */
#include <stdio.h>
#include <string.h>

static int objects[8], count;

static void *made(const char *what)
{
    printf("%s\n", what);
    return &objects[count++];
}

int dCheckConfiguration(const char *word)
{
    return strcmp(word, "ODE_single_precision") == 0;
}

void *dWorldCreate(void)
{
    return made("world");
}

void *dBodyCreate(void *world)
{
    return world == &objects[0] ? made("body") : NULL;
}

void *dJointCreateHinge(void *world, void *group)
{
    return world == &objects[0] && !group ? made("hinge") : NULL;
}

void dJointAttach(void *joint, void *body1, void *body2)
{
    printf("attached %d %d %d\n", joint == &objects[2], body1 == &objects[1], !body2);
}

void dJointSetHingeAnchor(void *joint, float x, float y, float z)
{
    printf("anchor %d: %g %g %g\n", joint == &objects[2], (double)x, (double)y, (double)z);
}

void dJointSetHingeParam(void *joint, int parameter, float value)
{
    printf("parameter %d: %d %g\n", joint == &objects[2], parameter, (double)value);
}

float dJointGetTransmissionRatio(void *joint)
{
    return joint == &objects[2] ? 2.5f : 0;
}

int dWorldStep(void *world, float stepsize)
{
    printf("step %d: %g\n", world == &objects[0], (double)stepsize);
    return 1;
}

void dWorldDestroy(void *world)
{
    printf("end %d\n", world == &objects[0]);
}
