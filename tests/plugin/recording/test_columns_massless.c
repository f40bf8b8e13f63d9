/* SPDX-License-Identifier: BSD-3-Clause */
/* The recorded mass and inertia of a body that was declared massless are zero, whatever ODE has for it, and those of the
 * bodies beside it are ODE's. */
#include <stdio.h>
#include <unistd.h>

#include "plugin/formats/recording/sqlite.h"
#include "tests/check.h"
#include "tests/plugin/recording/columns.h"
#include "tests/support/plain_world.h"

int main(void)
{
    dInitODE2(0);
    snprintf(path, sizeof path, "columns_massless_%d.ukode", (int)getpid());
    if (!CHECK(ukSqliteReady())) return ukTestEnd();
    const dWorldID world = newWorld(9.81);
    const dBodyID arm = box(world, 3, 0.5, 0, 0), connector = ball(world, 1, 1, 0, 0);
    const dJointID hinge = dJointCreateHinge(world, NULL), fixed = dJointCreateFixed(world, NULL);
    dJointAttach(hinge, arm, NULL);
    dJointSetHingeAxis(hinge, 0, 1, 0);
    dJointAttach(fixed, arm, connector);
    dJointSetFixed(fixed);
    CHECK(ukBodySetMassless(connector, 1) == 0);
    begin(world, false);
    CHECK(ukWorldStep(world, 0.01) == 1);
    end(world);
    dMass m;
    dBodyGetMass(arm, &m);
    is("body", "mass", "body = 1", 3, 0);
    is("body", "inertia_yy", "body = 1", m.I[5], 0);
    static const char *const none[] = {"mass",       "inertia_xx", "inertia_yy", "inertia_zz",
                                       "inertia_xy", "inertia_xz", "inertia_yz"};
    for (int i = 0; i < 7; i++) is("body", none[i], "body = 2", 0, 0);
    dWorldDestroy(world);
    unlink(path);
    dCloseODE();
    return ukTestEnd();
}
