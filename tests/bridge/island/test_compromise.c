/* SPDX-License-Identifier: BSD-3-Clause */
/* What was solved can be checked by anyone: M, A, b, softness, qdd and lambda of ukWorldGetEquations satisfy their
 * equations, also where the step set ODE's default CFM aside or met position errors half-way; the report says how far
 * that is from what was stated, and 0 where it is the same. */
#include <math.h>
#include <stdlib.h>

#include <ukode/ukode.h>

#include "demos/scenes.h"
#include "tests/check.h"

/* largest |M qdd - M a - C - A' lambda| and |A qdd + softness lambda - b| of their own terms */
static double residual(const ukEquations *e)
{
    double worst = 0;
    for (int i = 0; i < e->n; i++) {
        double rest = -e->C[i], size = fabs(e->C[i]);
        for (int k = 0; k < e->n; k++) {
            rest += e->M[i * e->n + k] * (e->qdd[k] - e->a[k]);
            size += fabs(e->M[i * e->n + k]) * (fabs(e->qdd[k]) + fabs(e->a[k]));
        }
        for (int k = 0; k < e->m; k++) {
            rest -= e->A[k * e->n + i] * e->lambda[k];
            size += fabs(e->A[k * e->n + i] * e->lambda[k]);
        }
        worst = fmax(worst, size > 0 ? fabs(rest) / size : 0);
    }
    for (int k = 0; k < e->m; k++) {
        double rest = e->softness[k] * e->lambda[k] - e->b[k], size = fabs(rest) + fabs(e->b[k]);
        for (int i = 0; i < e->n; i++) {
            rest += e->A[k * e->n + i] * e->qdd[i];
            size += fabs(e->A[k * e->n + i]) * fabs(e->qdd[i]);
        }
        CHECK(e->lo[k] == -INFINITY && e->hi[k] == INFINITY);
        worst = fmax(worst, size > 0 ? fabs(rest) / size : 0);
    }
    return worst;
}

static void follow(const char *name, double cfm, int expect_aside)
{
    Scene *scene = sceneByName(name, 0);
    double worst = 0, compromise = 0;
    int aside = 0;
    if (cfm >= 0) dWorldSetCFM(scene->world, cfm);
    for (int i = 0; i < 200; i++) {
        ukEquations e;
        ukReport r;
        CHECK(sceneStep(scene, 0.01, ukWorldStep) == 1);
        CHECK(ukWorldGetReport(scene->world, &r) == 0 && r.ok);
        if (!CHECK(ukWorldGetEquations(scene->world, &e) == 0)) break;
        worst = fmax(worst, residual(&e));
        compromise = fmax(compromise, r.compromise);
        aside += r.cfm_islands;
        if (!expect_aside) CHECK(r.compromise == 0 && r.cfm_islands == 0);
        if (r.cfm_islands > 0) CHECK(r.compromise > 0);
    }
    printf(
        "%s, CFM %g (-1: default): residual of the equations told %.1e, compromise up to %.1e, CFM aside in %d of 200 "
        "steps\n",
        name, cfm, worst, compromise, aside);
    CHECK(worst < 1e-9);
    CHECK(compromise < 0.1);
    CHECK(expect_aside ? aside > 150 : aside == 0);
    sceneDestroy(scene);
}

int main(void)
{
    dInitODE2(0);
    follow("bricard", -1, 1);
    follow("bricard", 1e-5, 0);
    follow("four_bar", -1, 0);
    follow("door", -1, 0);
    dCloseODE();
    return ukTestEnd();
}
