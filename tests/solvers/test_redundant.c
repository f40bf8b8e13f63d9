/* SPDX-License-Identifier: BSD-3-Clause */
/* Many dependent rows, on their way through a singular position: ladders of hinges (IFToMM A02), three rows too many a
 * window. The nearer to level the rockers are, the smaller are as many more singular values as there are windows. */
#include "solvers/base/status.h"
#include "solvers/check/gauss_check.h"
#include "solvers/equality/equality.h"
#include "tests/check.h"

#include <stdlib.h>
#include <string.h>

enum { MaxWindows = 40, MaxBodies = 2 * MaxWindows + 1, MaxBlocks = 3 * MaxWindows + 1, MaxRows = 5 * MaxBlocks };

typedef struct Ladder {
    ukProblem p;
    ukBlock block[MaxBlocks];
    int body[2 * MaxBlocks];
    double mass[MaxBodies], inertia[9 * MaxBodies], inverse[9 * MaxBodies], centre[MaxBodies][2], Q[6 * MaxBodies];
    double A[60 * MaxBlocks], b[MaxRows], qdd[6 * MaxBodies];
} Ladder;

static unsigned long long seed;

static double uniform(void)
{
    seed = seed * 6364136223846793005ULL + 1442695040888963407ULL;
    return 2 * (double)(seed >> 11) * 0x1p-53 - 1;
}

static int addRod(Ladder *w, double x, double y, double c, double s)
{
    const int i = w->p.bodies++;
    const double along = 1e-3, across = 1.0 / 12,
                 I[3] = {across * s * s + along * c * c, (along - across) * s * c, across * c * c + along * s * s};
    const double d = I[0] * I[2] - I[1] * I[1];
    w->mass[i] = 1;
    w->centre[i][0] = x, w->centre[i][1] = y;
    memcpy(w->inertia + 9 * i, (double[]){I[0], I[1], 0, I[1], I[2], 0, 0, 0, across}, 9 * sizeof(double));
    memcpy(w->inverse + 9 * i, (double[]){I[2] / d, -I[1] / d, 0, -I[1] / d, I[0] / d, 0, 0, 0, 1 / across},
           9 * sizeof(double));
    return i;
}

/* axis z, at (x, y); j -1: the world */
static void addHinge(Ladder *w, int i, int j, double x, double y)
{
    const int k = w->p.blocks++, at[2] = {i, j};
    double *A = w->A + 60 * k;
    w->block[k] = (ukBlock){.row = w->p.rows, .rows = 5, .slot = 2 * k, .slots = 2, .A = (size_t)(60 * k)};
    memset(A, 0, 60 * sizeof *A);
    for (int slot = 0; slot < 2; slot++) {
        const double sign = slot ? -1 : 1;
        w->body[2 * k + slot] = at[slot];
        if (at[slot] < 0) continue;
        const double rx = x - w->centre[at[slot]][0], ry = y - w->centre[at[slot]][1];
        double *J = A + 6 * slot;
        for (int r = 0; r < 5; r++) J[12 * r + r] = sign; /* three translations, turns about x and y */
        J[5] = -sign * ry, J[12 + 5] = sign * rx;
        J[24 + 3] = sign * ry, J[24 + 4] = -sign * rx;
    }
    w->p.rows += 5;
}

/* rockers at `angle` from level; the accelerations are chosen, and forces and b that they are the answer to */
static void build(Ladder *w, int windows, double angle)
{
    const double c = cos(angle), s = sin(angle);
    w->p = (ukProblem){.mass = w->mass,
                       .inertia = w->inertia,
                       .inverse_inertia = w->inverse,
                       .Q = w->Q,
                       .block = w->block,
                       .body = w->body,
                       .A = w->A,
                       .b = w->b};
    for (int i = 0, last = -1; i <= windows; i++) {
        const int rocker = addRod(w, i + c / 2, s / 2, c, s);
        addHinge(w, rocker, -1, i, 0);
        if (last >= 0) addHinge(w, last, rocker, i + c, s);
        if (i == windows) break;
        last = addRod(w, i + 0.5 + c, s, 1, 0);
        addHinge(w, rocker, last, i + c, s);
    }
    double lambda[MaxRows], load[6 * MaxBodies];
    for (int i = 0; i < 6 * w->p.bodies; i++) w->qdd[i] = uniform(), load[i] = 0;
    for (int i = 0; i < w->p.rows; i++) lambda[i] = 10 * uniform();
    ukProblemApply(&w->p, w->qdd, w->b);
    ukProblemApplyTransposed(&w->p, lambda, load);
    for (int i = 0; i < w->p.bodies; i++) {
        const double *I = w->inertia + 9 * i, *a = w->qdd + 6 * i;
        for (int k = 0; k < 3; k++) {
            w->Q[6 * i + k] = w->mass[i] * a[k] - load[6 * i + k];
            w->Q[6 * i + 3 + k] = I[3 * k] * a[3] + I[3 * k + 1] * a[4] + I[3 * k + 2] * a[5] - load[6 * i + 3 + k];
        }
    }
}

static double apart(const Ladder *w, const double *qdd)
{
    double most = 0;
    for (int i = 0; i < 6 * w->p.bodies; i++)
        if (!(fabs(qdd[i] - w->qdd[i]) <= most)) most = fabs(qdd[i] - w->qdd[i]);
    return most;
}

/* The singular values that come and go are 0.05 to 0.5 of the angle; the cut is 1e-9 of the largest, and the motion
 * alone lets go of them at ten times that. */
static void passage(ukEquality *equality, int windows)
{
    static Ladder w;
    static double qdd[6 * MaxBodies], lambda[MaxRows], first[6 * MaxBodies + MaxRows];
    const double angles[] = {0.7, 0.1, 1e-2, 3e-3, 1e-3, 3e-4, 1e-4, 3e-5, 0};
    double *work = malloc(12 * MaxBodies * sizeof *work);
    double worst = 0, motion = 0;
    for (unsigned k = 0; k < sizeof angles / sizeof *angles; k++) {
        ukSolution s = {.qdd = qdd, .lambda = lambda};
        ukResiduals c;
        ukMotionFactor motion_factor;
        seed = 100 * (unsigned)windows + k;
        build(&w, windows, angles[k]);
        CHECK(ukEqualitySolve(equality, &w.p, 1e-9, &s) == ukOk);
        ukGaussCheck(&w.p, &(ukGaussEvidence){.qdd = qdd, .lambda = lambda}, work, &c);
        CHECK(ukResidualsHold(&c, 1e-9));
        worst = fmax(worst, apart(&w, qdd));
        memcpy(first, qdd, sizeof qdd);
        memcpy(first + 6 * MaxBodies, lambda, sizeof lambda);
        CHECK(s.rank == 12 * windows + 5 - (angles[k] == 0 ? windows : 0));
        CHECK(ukEqualitySolveMotion(equality, &w.p, 1e-9, 100, &motion_factor, &s) == ukOk);
        motion = fmax(motion, apart(&w, qdd));
        CHECK(ukEqualitySolveAgain(equality, &motion_factor, &w.p, 1e-9, &s) ==
              ukOk); /* with the motion's factor, where it serves */
        CHECK(s.rank == 12 * windows + 5 - (angles[k] == 0 ? windows : 0));
        CHECK(memcmp(first, qdd, sizeof qdd) == 0 && memcmp(first + 6 * MaxBodies, lambda, sizeof lambda) == 0);
    }
    printf("%d windows: accelerations off by %.2g, as motion %.2g\n", windows, worst, motion);
    CHECK_NEAR(worst, 0, 1e-8);
    CHECK_NEAR(motion, 0, 1e-8);
    free(work);
}

int main(void)
{
    ukEquality *equality = ukEqualityCreate();
    const int windows[] = {1, 2, 5, 8, 10, 20, 40};
    for (unsigned k = 0; k < sizeof windows / sizeof *windows; k++) passage(equality, windows[k]);
    ukEqualityDestroy(equality);
    return ukTestEnd();
}
