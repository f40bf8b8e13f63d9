/* SPDX-License-Identifier: BSD-3-Clause */
/* Two of a kind hold one motion, and the equal share of one exceeds what it can bear: it bears its bound, and the other
 * one the rest. Dry friction of two parallel guides, two motors of bounded force: a load below the sum of the bounds is
 * held, a larger one moves the body with the sum against it. Both directions and all attachments. */
#include <math.h>

#include <ukode/ukode.h>

#include "tests/check.h"
#include "tests/support/plain_world.h"

static const double g = 9.81, m = 2, h = 0.01;

typedef struct Held {
    dWorldID world;
    dBodyID body;
    dJointID rail[2];
    dJointFeedback feedback[2];
} Held;

/* two rails along x of which the bits of `swapped` say which are attached as (world, body) */
static void makeHeld(Held *s, ukIntegrator integrator, double gravity, int swapped)
{
    s->world = newWorld(gravity);
    s->body = box(s->world, m, 0, 0, 0);
    for (int k = 0; k < 2; k++) {
        const bool other = swapped >> k & 1;
        s->rail[k] = dJointCreateSlider(s->world, NULL);
        dJointAttach(s->rail[k], other ? NULL : s->body, other ? s->body : NULL);
        dJointSetSliderAxis(s->rail[k], 1, 0, 0);
        dJointSetFeedback(s->rail[k], &s->feedback[k]);
    }
    CHECK(ukWorldSetIntegrator(s->world, integrator) == 0 && ukWorldSetTolerance(s->world, 1e-9, 0) == 0);
}

/* Pushed with `load` along x; the two bear `first` and `second` at most. */
static void pushed(Held *s, double load, double first, double second, const char *what)
{
    const double bound[2] = {first, second}, rest = fmax(fabs(load) - first - second, 0);
    for (int i = 1; i <= 20; i++) {
        ukReport report;
        dBodyAddForce(s->body, load, 0, 0);
        if (!CHECK(ukWorldStep(s->world, h) == 1)) printf("%s\n", ukGetLastErrorMessage());
        CHECK(ukWorldGetReport(s->world, &report) == 0 && report.ok && report.discrete_islands == 0);
        CHECK(report.evaluations <= 60); /* what is held or slides throughout has no events within a step */
        const double v = copysign(rest / m * i * h, load);
        if (!CHECK_NEAR(dBodyGetLinearVel(s->body)[0], v, 1e-8)) printf("%s, load %g, step %d\n", what, load, i);
        double sum = 0;
        for (int k = 0; k < 2; k++) {
            sum += s->feedback[k].f1[0];
            CHECK(fabs(s->feedback[k].f1[0]) <= bound[k] * (1 + 1e-6));
        }
        CHECK_NEAR(sum, copysign(rest, load) - load, 1e-6);
    }
    dWorldDestroy(s->world);
}

/* each guide bears half of the weight */
static void guides(ukIntegrator integrator, int swapped, double part, double weak)
{
    const double strong = 0.5, whole = 0.5 * m * g * (weak + strong);
    Held s;
    makeHeld(&s, integrator, g, swapped);
    CHECK(ukJointSetCoulomb(s.rail[swapped & 1], weak, 0) == 0);
    CHECK(ukJointSetCoulomb(s.rail[!(swapped & 1)], strong, 0) == 0);
    const double bound[2] = {0.5 * m * g * weak, 0.5 * m * g * strong};
    pushed(&s, part * whole, bound[swapped & 1], bound[!(swapped & 1)], "guides");
}

static void motors(int swapped, double part, double weak)
{
    const double bound[2] = {weak, 20};
    Held s;
    makeHeld(&s, ukIntegratorAdaptive, 0, swapped);
    for (int k = 0; k < 2; k++) {
        dJointSetSliderParam(s.rail[k], dParamVel, 0);
        dJointSetSliderParam(s.rail[k], dParamFMax, bound[k]);
    }
    pushed(&s, part * (weak + 20), bound[0], bound[1], "motors");
}

int main(void)
{
    static const ukIntegrator integrators[] = {ukIntegratorRK4, ukIntegratorAdaptive, ukIntegratorRattle};
    static const double parts[] = {0.3, 0.7, 0.95, 1.5};
    dInitODE2(0);
    for (int swapped = 0; swapped < 4; swapped++)
        for (int i = 0; i < 8; i++) {
            const double part = (i & 1 ? -1 : 1) * parts[i / 2];
            for (int k = 0; k < 3; k++) guides(integrators[k], swapped, part, 0.1);
            motors(swapped, part, 5);
        }
    dCloseODE();
    return ukTestEnd();
}
