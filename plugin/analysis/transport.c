/* SPDX-License-Identifier: BSD-3-Clause */
#include "plugin/analysis/transport.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bridge/analyze/tangent.h"
#include "bridge/base/log.h"
#include "bridge/base/vector.h"
#include "bridge/island/metric.h"
#include "solvers/base/arena.h"
#include "solvers/base/lapack.h"
#include "solvers/base/status.h"

enum { Levels = 3 };

typedef struct Transport {
    ukTrials *t;
    const ukCoordinates *c;
    int n, p, v, rows;
    double *rates, *mu, *dv;      /* (p x rows), (p x rows), (p x n) of unit xi */
    double *slope[Levels], *side; /* (rows x n) of A along the motion */
    double *term[2];              /* (p x n; at least n): M' dv - A'' mu; the same of lower order */
    double *r, *coarse, *unused;  /* (p x n), (p x n), (p x rows) of the tangent, not used */
} Transport;

static void carveTransport(Transport *k, ukArena *a)
{
    const size_t n = (size_t)k->n, p = (size_t)k->p, rows = (size_t)k->rows;
    k->rates = ukArenaDoubles(a, p * rows);
    k->mu = ukArenaDoubles(a, p * rows);
    k->unused = ukArenaDoubles(a, p * rows);
    k->dv = ukArenaDoubles(a, p * n);
    k->r = ukArenaDoubles(a, p * n);
    k->coarse = ukArenaDoubles(a, p * n);
    for (int i = 0; i < 2; i++) k->term[i] = ukArenaDoubles(a, (p + 1) * n);
    for (int i = 0; i < Levels; i++) k->slope[i] = ukArenaDoubles(a, rows * n);
    k->side = ukArenaDoubles(a, rows * n);
}

/* dv and mu of unit xi: dv = -A_M^+ d(A v - target)/dq N_q */
static int answerPoses(Transport *k)
{
    const size_t count = (size_t)k->p * (size_t)k->rows;
    const ukTangentProduct poses = {k->p, k->c->Nq, k->c->Nq, k->r, k->coarse, k->rates, k->unused};
    ukTangent tangent;
    int status = ukTangentBegin(&tangent, &k->t->probe, k->c, k->t->length, k->t->rate);
    if (status == ukOk) status = ukTangentPoses(&tangent, &poses);
    ukTangentEnd(&tangent);
    if (status != ukOk) return status;
    for (size_t i = 0; i < count; i++) k->rates[i] = k->unused[i] = -k->rates[i];
    status = ukCoordinatesMultipliers(k->c, k->p, k->unused, k->mu);
    return status == ukOk ? ukCoordinatesAnswer(k->c, &k->t->probe, k->p, k->rates, k->dv) : status;
}

/* A where the bodies have moved for a time x along the motion. */
static int rowsAfter(const Transport *k, double x, double *A)
{
    for (int body = 0; body < k->c->bodies; body++) {
        ukState *const s = &ukProbeFrame(&k->t->probe, body)->state;
        double turn[3];
        *s = k->c->state[body];
        for (int i = 0; i < 3; i++) {
            s->x[i] += x * s->v[i];
            turn[i] = x * s->v[3 + i];
        }
        ukRotateBy(s->q, turn);
        ukStateOrient(s);
    }
    const int status = ukProbeAssemble(&k->t->probe);
    if (status == ukOk) ukCoordinatesRows(k->c, &k->t->probe, A);
    return status;
}

/* The rate of A to slope[0], of lower order to slope[1]; `speed` [1/s] of the motion. Ends at the base state. */
static int differentiateRows(Transport *k, double speed)
{
    static const double largest = 0.02; /* an angle, or part of the world's length */
    const size_t size = (size_t)k->rows * (size_t)k->n;
    int status = ukOk;
    for (int level = 0; level < Levels && status == ukOk; level++) {
        const double x = largest / speed / (1 << level);
        status = rowsAfter(k, -x, k->side);
        if (status == ukOk) status = rowsAfter(k, x, k->slope[level]);
        for (size_t i = 0; i < size; i++) k->slope[level][i] = (k->slope[level][i] - k->side[i]) / (2 * x);
    }
    for (size_t i = 0; i < size; i++) {
        const double coarse = (4 * k->slope[1][i] - k->slope[0][i]) / 3;
        const double fine = (4 * k->slope[2][i] - k->slope[1][i]) / 3;
        k->slope[0][i] = (16 * fine - coarse) / 15;
        k->slope[1][i] = fine;
    }
    const int back = rowsAfter(k, 0, k->side);
    return status == ukOk ? back : status;
}

/* term = M' dv - A'' mu, of the rate of A in slope[which] */
static void fillTerm(const Transport *k, int which)
{
    double *const term = k->term[which];
    for (int j = 0; j < k->p; j++)
        for (int body = 0; body < k->c->bodies; body++) {
            const double *const M = k->c->M + 36 * body, *const w = k->c->state[body].v + 3;
            const double *const x = k->dv + (size_t)j * (size_t)k->n + 6 * body + 3;
            double turned[3], Ix[3], Iturned[3], wIx[3], *const to = term + (size_t)j * (size_t)k->n + 6 * body;
            ukCross(w, x, turned);
            for (int i = 0; i < 3; i++) {
                Ix[i] = ukDot(M + 6 * (3 + i) + 3, x);
                Iturned[i] = ukDot(M + 6 * (3 + i) + 3, turned);
            }
            ukCross(w, Ix, wIx);
            for (int i = 0; i < 3; i++) to[i] = 0, to[3 + i] = wIx[i] - Iturned[i];
        }
    if (k->p > 0 && k->rows > 0)
        cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, k->p, k->n, k->rows, -1, k->mu, k->rows, k->slope[which],
                    k->n, 1, term, k->n);
}

static void addTerm(const Transport *k, double *A, double *error)
{
    for (int i = 0; i < k->v; i++)
        for (int j = 0; j < k->p; j++) {
            const double *const N = k->c->Nv + (size_t)i * (size_t)k->n;
            const double x = ukDotRows(N, k->term[0] + (size_t)j * (size_t)k->n, k->n);
            A[(k->p + i) * (k->p + k->v) + j] += x;
            *error = fmax(*error, fabs(x - ukDotRows(N, k->term[1] + (size_t)j * (size_t)k->n, k->n)));
        }
}

/* ---- steady rotations of the whole world ------------------------------------------------------------------------- */

/* y (n) = Omega x each vector of x */
static void turnVectors(const Transport *k, const double *omega, const double *x, double *y)
{
    for (int i = 0; i < k->n; i += 3) ukCross(omega, x + i, y + i);
}

/* Whether all bodies turn as one with the angular velocity of the first, about an axis along gravity, and go on to: f
 * is that of such a motion. *omega: theirs. */
static bool turnsSteadily(Transport *k, const double *f, double *omega)
{
    static const double rounding = 1e-7;
    const ukState *const first = &k->c->state[0];
    double size = 0, gravity[3], across[3], *const v = k->term[0], *const turned = k->term[1];
    dVector3 g;
    memcpy(omega, first->v + 3, 3 * sizeof *omega);
    const double rate = sqrt(ukDot(omega, omega));
    dWorldGetGravity(k->t->world->handle, g);
    for (int i = 0; i < 3; i++) gravity[i] = g[i];
    ukCross(omega, gravity, across);
    if (rate == 0 || ukDot(across, across) > rounding * rounding * rate * rate * ukDot(gravity, gravity)) return false;
    for (int body = 0; body < k->c->bodies; body++) {
        const ukState *const s = &k->c->state[body];
        double from[3], along[3];
        for (int i = 0; i < 3; i++) from[i] = s->x[i] - first->x[i];
        ukCross(omega, from, along);
        for (int i = 0; i < 3; i++) {
            if (fabs(s->v[i] - first->v[i] - along[i]) > rounding * rate * k->t->length) return false;
            if (fabs(s->v[3 + i] - omega[i]) > rounding * rate) return false;
        }
        memcpy(v + 6 * body, s->v, 6 * sizeof *v);
    }
    turnVectors(k, omega, v, turned);
    for (int i = 0; i < k->n; i++) size = fmax(size, fabs(turned[i]) * sqrt(k->c->M[36 * (i / 6) + 7 * (i % 6)]));
    for (int i = 0; i < k->v; i++)
        if (fabs(f[k->p + i] - ukDotRows(k->c->MNv + (size_t)i * (size_t)k->n, turned, k->n)) > rounding * size)
            return false;
    return true;
}

/* Whether rows or inertia change along the motion: mu and the rate of A were found. */
static bool turnsAway(const Transport *k)
{
    static const double rounding = 1e-9;
    double rate = 0, size = 0;
    for (int i = 0; i < k->rows; i++)
        for (int j = 0; j < k->n; j++) {
            size = fmax(size, fabs(k->side[i * k->n + j]));
            rate = fmax(rate, fabs(k->slope[0][i * k->n + j]));
        }
    bool away = rate > rounding * size * k->t->rate;
    for (int body = 0; body < k->c->bodies; body++) {
        const double *const M = k->c->M + 36 * body, *const w = k->c->state[body].v + 3;
        for (int i = 0; i < 3; i++) { /* (w x) I - I (w x), of the unit vector i */
            double unit[3] = {0}, turned[3], column[3], wI[3];
            unit[i] = 1;
            ukCross(w, unit, turned);
            for (int j = 0; j < 3; j++) column[j] = M[6 * (3 + j) + 3 + i];
            ukCross(w, column, wI);
            for (int j = 0; j < 3; j++)
                away |= fabs(wI[j] - ukDot(M + 6 * (3 + j) + 3, turned)) > rounding * M[7 * (3 + j)] * k->t->rate;
        }
    }
    return away;
}

/* A -= N' M (Omega x) N of count vectors, in the block that begins at `at` */
static void subtractTurn(const Transport *k, const double *omega, int at, double *A)
{
    const int count = at == 0 ? k->p : k->v;
    const double *const N = at == 0 ? k->c->Nq : k->c->Nv, *const MN = at == 0 ? k->c->MNq : k->c->MNv;
    for (int j = 0; j < count; j++) {
        turnVectors(k, omega, N + (size_t)j * (size_t)k->n, k->term[0]);
        for (int i = 0; i < count; i++)
            A[(at + i) * (k->p + k->v) + at + j] -= ukDotRows(MN + (size_t)i * (size_t)k->n, k->term[0], k->n);
    }
}

/* ---- the whole --------------------------------------------------------------------------------------------------- */

int ukTransportAdd(ukTrials *t, const double *f, double *A, double *error)
{
    const ukCoordinates *const c = &t->c;
    Transport k = {.t = t, .c = c, .n = c->n, .p = c->positions, .v = c->velocities, .rows = c->rows};
    double speed = 0;
    *error = 0;
    for (int body = 0; body < c->bodies; body++)
        for (int i = 0; i < 6; i++) speed = fmax(speed, fabs(c->state[body].v[i]) / (i < 3 ? t->length : 1));
    if (speed == 0) return ukOk;
    ukArena arena = ukArenaOver(NULL, 0);
    carveTransport(&k, &arena);
    void *const memory = ukArenaAllocate(&arena);
    if (!memory) return ukErrorSet(ukErrorMemory, "no memory for the motion of the rows (bodies: %d)", c->bodies);
    carveTransport(&k, &arena);
    int status = answerPoses(&k);
    if (status == ukOk) status = differentiateRows(&k, speed);
    for (int which = 0; which < 2 && status == ukOk; which++) fillTerm(&k, which);
    if (status == ukOk) addTerm(&k, A, error);
    double omega[3];
    if (status == ukOk && turnsAway(&k) && turnsSteadily(&k, f, omega)) {
        subtractTurn(&k, omega, 0, A);
        subtractTurn(&k, omega, k.p, A);
    }
    free(memory);
    return status;
}
