/* SPDX-License-Identifier: BSD-3-Clause */
/* What the library says of a world, a body and a joint of the program's. Linked with -lode before -lukode, it has not
 * seen any of them. */
#include <ode/ode.h>
#include <stdio.h>
#include <ukode/ukode.h>

int main(void)
{
    ukReport report;
    dInitODE2(0);
    const dWorldID world = dWorldCreate();
    const dBodyID body = dBodyCreate(world);
    const dJointID joint = dJointCreateBall(world, NULL);
    printf("enable %d %s\n", ukWorldEnable(world), ukGetLastErrorMessage());
    printf("report %d %s\n", ukWorldGetReport(world, &report), ukGetLastErrorMessage());
    printf("body %d %s\n", ukBodySetName(body, "it"), ukGetLastErrorMessage());
    printf("joint %d %s\n", ukJointSetName(joint, "it"), ukGetLastErrorMessage());
    printf("null %d %s\n", ukWorldEnable(NULL), ukGetLastErrorMessage());
    dWorldDestroy(world);
    printf("destroyed %d %s\n", ukWorldEnable(world), ukGetLastErrorMessage());
    return 0;
}
