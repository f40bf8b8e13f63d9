/* SPDX-License-Identifier: BSD-3-Clause */
#include "bridge/analyze/approach.h"

#include <float.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "bridge/base/log.h"
#include "bridge/base/progress.h"
#include "bridge/base/vector.h"
#include "bridge/world/frame.h"
#include "solvers/base/lapack.h"
#include "solvers/base/status.h"
#include "solvers/problem/tolerance.h"

int ukApproachBegin(ukApproach *a, ukPoses *poses)
{
    *a = (ukApproach){.poses = poses};
    if (!ukLapackReady()) return ukErrorSet(ukErrorLapack, "%s", ukErrorText(ukErrorLapack));
    const int status = ukErrorsBegin(&a->errors, poses);
    if (status != ukOk) return status;
    const size_t n = (size_t)poses->n, most = (size_t)a->errors.most, bodies = (size_t)poses->bodies;
    double *const memory = calloc(most * most + n * n + 3 * (most + n) + 1, sizeof *memory);
    a->begin = calloc(3 * bodies + 1, sizeof *a->begin);
    a->U = memory;
    if (!memory || !a->begin) return ukErrorSet(ukErrorMemory, "no memory for a search (bodies: %d)", poses->bodies);
    a->V = a->U + most * most;
    a->sigma = a->V + n * n;
    a->scratch = a->sigma + most + n;
    a->best = a->begin + bodies;
    a->last = a->best + bodies;
    double far = 0;
    for (int k = 0; k < poses->bodies; k++)
        for (int i = 0; i < 3; i++) far = fmax(far, fabs(ukPosesFrame(poses, k)->state.x[i]));
    a->enough = 64 * DBL_EPSILON * (1 + far / a->errors.length);
    return ukOk;
}

void ukApproachEnd(ukApproach *a)
{
    ukErrorsEnd(&a->errors);
    free(a->U);
    free(a->begin);
    *a = (ukApproach){0};
}

static int lesserOf(int a, int b)
{
    return a < b ? a : b;
}

int ukApproachDecompose(ukApproach *a)
{
    /* the tolerance of the rank follows from the largest error only if that is below `near`; else it is `rounding` */
    static const double rounding = 1e-12, near = 1e-4;
    ukErrors *const e = &a->errors;
    const int m = e->rows, n = a->poses->n, k = lesserOf(m, n);
    a->rank = 0;
    if (k == 0) return ukOk;
    a->decompositions++;
    if (!isfinite(e->square)) return ukErrorNotFinite;
    /* B stays for the predicted decrease */
    double *const copy = malloc((size_t)m * (size_t)n * sizeof *copy);
    if (!copy) return ukErrorMemory;
    memcpy(copy, e->B, (size_t)m * (size_t)n * sizeof *copy);
    const lapack_int info = LAPACKE_dgesdd(LAPACK_ROW_MAJOR, 'S', m, n, copy, n, a->sigma, a->U, k, a->V, n);
    free(copy);
    if (info != 0) return ukErrorSet(ukErrorLapack, "the singular value decomposition (rows: %d) does not converge", m);
    const double tolerance = e->largest < near ? ukRankFollowing(e->largest) : rounding;
    while (a->rank < k && a->sigma[a->rank] > tolerance * a->sigma[0]) a->rank++;
    return ukOk;
}

double ukApproachDamped(const ukPoses *poses, const ukDamped *d, double mu, double *dq)
{
    const int n = poses->n;
    double decrease = 0;
    memset(dq, 0, (size_t)n * sizeof *dq);
    for (int c = 0; c < d->rank; c++) {
        double along = 0;
        const double s = d->sigma[c];
        for (int i = 0; i < d->rows; i++) along += d->U[i * d->width + c] * d->r[i];
        const double y = -s / (s * s + mu) * along, left = along + s * y;
        cblas_daxpy(n, y, d->V + (size_t)c * (size_t)n, 1, dq, 1);
        decrease += along * along - left * left;
    }
    ukPosesScale(poses, true, dq);
    return decrease;
}

static double dampedStep(const ukApproach *a, double mu, double *dq)
{
    const ukErrors *const e = &a->errors;
    const ukDamped step = {a->U, a->V, a->sigma, e->r, e->rows, lesserOf(e->rows, a->poses->n), a->rank};
    return ukApproachDamped(a->poses, &step, mu, dq);
}

double ukApproachTurn(const double *dq, int bodies)
{
    double most = 0;
    for (int k = 0; k < bodies; k++) most = fmax(most, ukSize(dq + 6 * k + 3, 3));
    return most;
}

int ukApproachRefill(ukApproach *a)
{
    const int status = ukPosesAssemble(a->poses);
    if (status == ukOk) ukErrorsFill(&a->errors);
    return status;
}

/* The damping of a search: mu relative to sigma_1^2, and the factor by which a rejection raises it. */
typedef struct Damping {
    double tau, raise;
} Damping;

/* Takes one step that decreases |r|^2: the damping is raised until it does. *stalled: no such step was found. */
static int takeDecreasingStep(ukApproach *a, Damping *d, bool *stalled)
{
    enum { Tries = 40 };
    static const double accept = 1e-4, most = 1e12;
    ukErrors *const e = &a->errors;
    double *const dq = a->scratch + e->most;
    const double before = e->square;
    int status = ukApproachDecompose(a);
    if (status != ukOk) return status;
    *stalled = true;
    if (a->rank == 0) return ukOk;
    /* the assembly that follows overwrites M, by which steps are scaled: each trial begins at the same poses */
    ukPosesKeep(a->poses, a->last);
    for (int k = 0; k < Tries && d->tau < most; k++) {
        const double tau = fmin(d->tau, before), decrease = dampedStep(a, tau * a->sigma[0] * a->sigma[0], dq);
        if (!(decrease > 0)) break;
        ukPosesMove(a->poses, dq, 1 / fmax(1, ukApproachTurn(dq, a->poses->bodies))); /* rotations below one radian */
        status = ukApproachRefill(a);
        if (status != ukOk) return status;
        const double ratio = (before - e->square) / decrease;
        if (e->square < before && (ratio > accept || before < 1e-20)) {
            const double cube = (2 * ratio - 1) * (2 * ratio - 1) * (2 * ratio - 1);
            d->tau = fmax(1e-15, tau * fmax(1.0 / 3, 1 - cube));
            d->raise = 2;
            *stalled = false;
            return ukOk;
        }
        d->tau = tau * d->raise;
        d->raise *= 2;
        ukPosesReturn(a->poses, a->last);
        status = ukApproachRefill(a);
        if (status != ukOk) return status;
    }
    return ukOk;
}

/* Whether the joints are satisfied: the largest error is at most `slack` times rounding. */
static bool isMet(const ukApproach *a)
{
    static const double slack = 1e2;
    return a->errors.largest <= slack * a->enough;
}

/* tau: the damping at the first step */
static int approachJoints(ukApproach *a, double tau, bool *met)
{
    enum { Most = 300, Window = 25 };
    static const double slow = 0.98; /* |r|^2 must fall to this fraction in each window of iterations */
    Damping damping = {.tau = tau, .raise = 2};
    ukErrors *const e = &a->errors;
    bool stalled = false;
    ukErrorsRelease(e);
    int status = ukApproachRefill(a);
    double earlier = INFINITY;
    for (int iteration = 0; iteration < Most && status == ukOk && !stalled && e->largest > a->enough; iteration++) {
        const double before = e->largest;
        if (iteration % Window == 0) {
            if (e->square > slow * earlier) break;
            earlier = e->square;
        }
        status = takeDecreasingStep(a, &damping, &stalled);
        if (isMet(a) && e->largest > 0.5 * before) break;
    }
    *met = status == ukOk && isMet(a);
    return status;
}

int ukApproachJoints(ukApproach *a, bool *met)
{
    return approachJoints(a, 1e-3, met);
}

int ukApproachNearJoints(ukApproach *a, bool *met)
{
    return approachJoints(a, 1e-9, met);
}

/* ---- several starts ---------------------------------------------------------------------------------------------- */

/* the next of a fixed sequence, uniform in -1 ... 1 (splitmix64: Steele, Lea & Flood 2014) */
static double nextUniform(uint64_t *state)
{
    uint64_t z = (*state += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    z ^= z >> 31;
    return (double)(z >> 11) * 0x1p-52 - 1;
}

static const double pi = 3.14159265358979323846;

/* Turns every body about its centre by up to `angle`, and moves it along each axis by up to angle/pi times the world's
 * length. */
static void scatterBodies(ukApproach *a, double angle, uint64_t *random)
{
    double *const dq = a->scratch;
    for (int k = 0; k < a->poses->bodies; k++) {
        double axis[3];
        for (int i = 0; i < 3; i++) dq[i] = angle / pi * a->errors.length * nextUniform(random);
        do
            for (int i = 0; i < 3; i++) axis[i] = nextUniform(random);
        while (!(ukDot(axis, axis) <= 1 && ukDot(axis, axis) > 0.01));
        const double turn = angle * nextUniform(random) / sqrt(ukDot(axis, axis));
        for (int i = 0; i < 3; i++) dq[3 + i] = turn * axis[i];
        ukState *const state = &ukPosesFrame(a->poses, k)->state;
        for (int i = 0; i < 3; i++) state->x[i] += dq[i];
        ukRotateBy(state->q, dq + 3);
        ukStateOrient(state);
    }
}

int ukApproachScattered(ukApproach *a, uint64_t *random, bool *met)
{
    scatterBodies(a, pi, random);
    return ukApproachJoints(a, met);
}

int ukApproachFromMany(ukApproach *a, int most, bool *met, int *starts)
{
    double least = INFINITY;
    uint64_t random = 1;
    int status = ukOk;
    *met = false;
    ukPosesKeep(a->poses, a->begin);
    for (*starts = 0; *starts < most && status == ukOk && !*met;) {
        const int k = (*starts)++;
        ukProgressStore(ukProgressAssembling, k, most);
        /* starts alternate between the poses of the least error so far and the first poses */
        ukPosesReturn(a->poses, k % 2 == 1 ? a->best : a->begin);
        if (k > 0) scatterBodies(a, pi * fmin(1, k / 8.0), &random);
        status = ukApproachJoints(a, met);
        if (status != ukOk || !(a->errors.square < least)) continue;
        least = a->errors.square;
        ukPosesKeep(a->poses, a->best);
    }
    if (status != ukOk || !isfinite(least)) return status;
    ukPosesReturn(a->poses, a->best);
    return ukApproachRefill(a);
}
