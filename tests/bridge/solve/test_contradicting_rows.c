/* SPDX-License-Identifier: BSD-3-Clause */
/* Equality rows that contradict each other and that only CFM reconciles, beside bounded rows: the step satisfies the
 * rows as they are stated, A qdd + softness lambda = b, as it does without the bounded rows. The multipliers are about
 * b / softness, so that a multiplier is known to the residual over the softness. */
#include <stdlib.h>

#include <ukode/ukode.h>

#include "tests/check.h"
#include "tests/support/plain_world.h"
#include "tests/support/random_world.h"

static const double h = 0.01;

typedef struct Misfit {
    double row;   /* largest residual of a row between its bounds, over the largest b, rows of unit length in M^-1 */
    double share; /* the largest |softness lambda| so measured: how far the rows contradict each other */
    int bounded;  /* rows with a bound */
} Misfit;

/* The rows of the last step, in long double. */
static Misfit misfitOf(dWorldID w)
{
    ukEquations e;
    Misfit out = {0};
    double b = 0;
    if (!CHECK(ukWorldGetEquations(w, &e) == 0)) return out;
    for (int i = 0; i < e.m; i++) {
        const double *A = e.A + (size_t)i * (size_t)e.n;
        long double rest = (long double)e.softness[i] * e.lambda[i] - e.b[i], K = 0;
        for (int j = 0; j < e.n; j++) {
            rest += (long double)A[j] * e.qdd[j];
            K +=
                A[j] * A[j] / e.M[(size_t)j * (size_t)e.n + (size_t)j]; /* the scale of the row; M is nearly diagonal */
        }
        const double natural = e.lambda[i] - (double)(rest / (K + e.softness[i])), unit = 1 / sqrt((double)K);
        out.bounded += isfinite(e.lo[i]) || isfinite(e.hi[i]);
        b = fmax(b, unit * fabs(e.b[i]));
        if (!(natural > e.lo[i] && natural < e.hi[i])) continue;
        out.row = fmax(out.row, unit * fabs((double)rest));
        out.share = fmax(out.share, unit * fabs(e.softness[i] * e.lambda[i]));
    }
    out.row /= b, out.share /= b;
    return out;
}

static void checkRows(const Misfit *of)
{
    CHECK(of->bounded > 0);
    CHECK_NEAR(of->row, 0, 1e-8);
    CHECK_NEAR(of->row, 0, 1e-5 * of->share); /* the multipliers, to 1e-5 */
}

typedef enum Beside { Motor, Stop, Contact, BesideKinds } Beside;

/* A rod of 1 g on two ball joints, of which one was made 1 mm aside, so that they pull against each other along the
 * rod; a second body hangs on it by a joint with a bounded row. */
static void pulledRod(Beside beside, double cfm, double turn)
{
    const dWorldID w = newWorld(9.81);
    const dBodyID rod = ball(w, 0.001, 0, 0, 0), other = ball(w, 1, 0.3, 0.4, 0);
    dMatrix3 R;
    dRFromAxisAndAngle(R, 0.3, 1, 0.2, turn);
    const double along[3] = {R[0], R[4], R[8]};
    dWorldSetCFM(w, cfm);
    dWorldSetERP(w, 0.2);
    for (int k = 0; k < 2; k++) {
        const double at = k ? 0.2 : -0.2, aside = k ? 0.001 : 0;
        dBodySetPosition(rod, aside * along[0], aside * along[1], aside * along[2]);
        const dJointID j = dJointCreateBall(w, 0);
        dJointAttach(j, rod, 0);
        dJointSetBallAnchor(j, at * along[0], at * along[1], at * along[2]);
    }
    const dJointID hinge = dJointCreateHinge(w, 0);
    dJointAttach(hinge, rod, other);
    dJointSetHingeAnchor(hinge, 0.1, 0.2, 0);
    dJointSetHingeAxis(hinge, 0.1, 0.2, 1);
    if (beside == Motor) {
        dJointSetHingeParam(hinge, dParamVel, 1);
        dJointSetHingeParam(hinge, dParamFMax, 0.1);
    } else if (beside == Stop)
        dJointSetHingeParam(hinge, dParamHiStop, 0), dJointSetHingeParam(hinge, dParamLoStop, -1);
    else {
        dContact c = {.geom = {.normal = {0, 1, 0}, .pos = {0.3, 0.3, 0}, .depth = 0.001}};
        c.surface.mu = 0.5;
        dJointAttach(dJointCreateContact(w, 0, &c), other, 0);
    }
    ukReport r;
    CHECK(ukWorldStep(w, h) == 1 && ukWorldGetReport(w, &r) == 0 && r.ok == 1);
    const Misfit of = misfitOf(w);
    checkRows(&of);
    CHECK(of.share > 1e-3); /* they do contradict each other */
    dWorldDestroy(w);
}

static void rods(void)
{
    for (int beside = 0; beside < BesideKinds; beside++)
        for (int k = 0; k < 20; k++) pulledRod((Beside)beside, k % 2 ? 1e-10 : 1e-9, 0.3 * k);
}

/* Random worlds with displaced loops, stops, finite motors and contacts. */
static void randomLoops(void)
{
    int contradicting = 0;
    for (int seed = 1; seed <= ukTestRounds(1500); seed++) {
        const RandomWorldKind kind = {.types = randomEqualityTypes,
                                      .cfm_lo = 1e-10,
                                      .cfm_hi = 1e-9,
                                      .loops = 1,
                                      .stops = 1,
                                      .bounded_motors = 1,
                                      .contacts = 2};
        RandomWorld x;
        ukReport r;
        randomWorldBuild(&x, (uint64_t)seed, &kind);
        if (CHECK(ukWorldStep(x.world, h) == 1 && ukWorldGetReport(x.world, &r) == 0) && r.ok && r.rank < 0) {
            const Misfit of = misfitOf(x.world);
            if (of.bounded > 0 && of.share > 1e-3) checkRows(&of), contradicting++;
        }
        randomWorldDestroy(&x);
    }
    CHECK(contradicting > ukTestRounds(1500) / 30);
}

int main(void)
{
    dInitODE();
    rods();
    randomLoops();
    dCloseODE();
    return ukTestEnd();
}
