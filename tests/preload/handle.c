/* SPDX-License-Identifier: BSD-3-Clause */
/* A program that gets ODE's functions by dlsym on a handle. Its own calls pass the library by; ODE's internal calls do
 * not (dWorldDestroy calls dBodyDestroy, ...), with objects that were never seen. */
#include <dlfcn.h>
#include <ode/ode.h>
#include <stdio.h>
#include <string.h>

static void *libode;

static void get(void *function, const char *name)
{
    void *symbol = dlsym(libode, name);
    if (!symbol) printf("no %s\n", name);
    memcpy(function, &symbol, sizeof symbol);
}

#define GET(name)                                                                                                      \
    __typeof__(name) *name##_;                                                                                         \
    get(&name##_, #name)

int main(void)
{
    libode = dlopen("libode.so.8", RTLD_NOW | RTLD_LOCAL);
    if (!libode) return 1;
    GET(dInitODE);
    GET(dCloseODE);
    GET(dWorldCreate);
    GET(dWorldDestroy);
    GET(dWorldSetGravity);
    GET(dWorldStep);
    GET(dWorldQuickStep);
    GET(dBodyCreate);
    GET(dBodySetPosition);
    GET(dBodyGetPosition);
    GET(dBodySetDynamic);
    GET(dBodySetAutoDisableDefaults);
    GET(dJointCreateDHinge);
    GET(dJointAttach);
    GET(dJointSetDHingeAnchor1);
    GET(dJointSetDHingeAxis);
    GET(dJointGroupCreate);
    GET(dJointGroupDestroy);
    dInitODE_();
    const dWorldID world = dWorldCreate_();
    dWorldSetGravity_(world, 0, 0, -9.81);
    const dBodyID body = dBodyCreate_(world);
    dBodySetPosition_(body, 1, 0, 0);
    dBodySetDynamic_(body);
    dBodySetAutoDisableDefaults_(body);
    const dJointGroupID group = dJointGroupCreate_(0);
    const dJointID joint = dJointCreateDHinge_(world, group);
    dJointAttach_(joint, body, 0);
    dJointSetDHingeAnchor1_(joint, 0, 0, 0);
    dJointSetDHingeAxis_(joint, 0, 1, 0);
    for (int i = 0; i < 20; i++)
        if (!dWorldStep_(world, 0.01) || !dWorldQuickStep_(world, 0.01)) printf("a step failed\n");
    printf("by handle %.4f\n", dBodyGetPosition_(body)[2]);
    dJointGroupDestroy_(group);
    dWorldDestroy_(world);
    dCloseODE_();
    return 0;
}
