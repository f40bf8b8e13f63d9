/* SPDX-License-Identifier: BSD-3-Clause */
/* What a report counts as active rows: those that hold, with multipliers strictly within the bounds in force. Counted
 * here by hand for scenes in which it is known what bears, slides and lifts off, and from the equations of the step. */
#include <math.h>
#include <stdio.h>

#include <ukode/ukode.h>

#include "tests/check.h"
#include "tests/support/plain_world.h"

static const double h = 0.01;

static void touch(dWorldID w, dBodyID b, double nx, double nz, double mu)
{
    const dReal *x = dBodyGetPosition(b);
    const dContact c = {.surface = {.mode = dContactApprox1, .mu = mu},
                        .geom = {.pos = {x[0] - 0.1 * nx, 0, x[2] - 0.1 * nz}, .normal = {nx, 0, nz}}};
    dJointAttach(dJointCreateContact(w, NULL, &c), b, NULL);
}

static void expect(dWorldID w, const char *what, int active)
{
    ukReport r;
    ukEquations e;
    int within = 0;
    CHECK(ukWorldStep(w, h) == 1 && ukWorldGetReport(w, &r) == 0 && ukWorldGetEquations(w, &e) == 0);
    for (int i = 0; i < e.m; i++) within += e.lambda[i] > e.lo[i] && e.lambda[i] < e.hi[i];
    if (!CHECK(r.active_rows == active && within == active))
        printf("%s: %d active, %d within their bounds, expected %d\n", what, r.active_rows, within, active);
    dWorldDestroy(w);
}

int main(void)
{
    dInitODE2(0);
    dWorldID w = newWorld(9.81);
    dBodyID b = ball(w, 1, 0, 0, 0);
    touch(w, b, 0, 1, 0);
    expect(w, "a ball rests on a plane", 1);

    w = newWorld(9.81), b = ball(w, 1, 0, 0, 0);
    touch(w, b, 0, 1, 0);
    touch(w, b, 1, 0, 0);
    expect(w, "and touches a wall, which bears nothing", 1);

    w = newWorld(9.81), b = ball(w, 1, 0, 0, 0);
    touch(w, b, 0, 1, 0);
    dBodySetLinearVel(b, 0, 0, 1);
    expect(w, "it lifts off", 0);

    w = newWorld(9.81), b = ball(w, 1, 0, 0, 0);
    touch(w, b, 0, 1, 0.5);
    dBodySetLinearVel(b, 1, 0, 0);
    expect(w, "it slides along x: held are the normal and y", 2);

    w = newWorld(9.81), b = ball(w, 1, 0, 0, 0);
    touch(w, b, 0, 1, dInfinity);
    dBodySetLinearVel(b, 1, 0.5, 0);
    expect(w, "it rolls", 3);

    w = newWorld(9.81);
    for (int i = 0; i < 10; i++) { /* apart from one another: every second one rises */
        b = ball(w, 1, i, 0, 0);
        touch(w, b, 0, 1, 0);
        touch(w, b, 1, 0, 0);
        touch(w, b, -1, 0, 0);
        if (i % 2) dBodySetLinearVel(b, 0, 0, 1);
    }
    expect(w, "ten balls", 5);

    w = newWorld(9.81), b = ball(w, 1, 0, 0, 0);
    const dJointID slider = dJointCreateSlider(w, NULL);
    dJointAttach(slider, b, NULL);
    dJointSetSliderAxis(slider, 0, 0, 1);
    touch(w, b, 0, 1, 0);
    expect(w, "a slider's five rows and a contact", 6);
    dCloseODE();
    return ukTestEnd();
}
