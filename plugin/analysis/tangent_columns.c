/* SPDX-License-Identifier: BSD-3-Clause */
#include "plugin/analysis/tangent_columns.h"

#include <float.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "bridge/analyze/tangent.h"
#include "bridge/base/log.h"
#include "bridge/base/vector.h"
#include "bridge/island/metric.h"
#include "solvers/base/arena.h"
#include "solvers/base/lapack.h"
#include "solvers/base/status.h"

/* Columns: xi, eta, inputs. */
typedef struct Columns {
    ukTrials *t;
    const ukCoordinates *c;
    ukTangent tangent;
    ukTangentColumns *out;
    int n, p, v, count;                        /* bodies' numbers; positions, velocities, all columns */
    double *dv, *r;                            /* (count x n) */
    double *rates;                             /* (count x rows) */
    double *coarse_dv, *coarse, *coarse_rates; /* the same of lower order, to estimate errors */
    double *asked;                             /* (count x rows): scratch */
    double *residual[2];                       /* (n + rows) */
    double *apart;                             /* (p or v x p, v or inputs): scratch */
    double *value[2], *slope[3];               /* (outputs) */
    bool *moves;                               /* (count) which have a dv */
    /* (n) a direction that is checked, and the change of r that the columns predict along it */
    double *dq_along, *dv_along, *r_along;
    double *rates_along; /* (rows): scratch */
} Columns;

int ukTangentColumnsPossible(const ukTrials *t, bool *possible)
{
    *possible = t->h == 0;
    for (int i = 0; i < t->outputs; i++) *possible &= t->out[i].signal.kind != ukSignalReaction;
    return *possible ? ukTangentPossible(&t->probe, possible) : ukOk;
}

static void carveColumns(Columns *k, ukArena *a)
{
    const size_t n = (size_t)k->n, rows = (size_t)k->c->rows, count = (size_t)k->count;
    const size_t most = (size_t)(k->p > k->v ? k->p : k->v);
    k->dv = ukArenaDoubles(a, count * n);
    k->r = ukArenaDoubles(a, count * n);
    k->coarse = ukArenaDoubles(a, count * n);
    k->rates = ukArenaDoubles(a, count * rows);
    k->coarse_dv = ukArenaDoubles(a, count * n);
    k->coarse_rates = ukArenaDoubles(a, count * rows);
    k->asked = ukArenaDoubles(a, count * rows);
    for (int i = 0; i < 2; i++) k->residual[i] = ukArenaDoubles(a, n + rows);
    k->apart = ukArenaDoubles(a, most * (most > (size_t)k->t->inputs ? most : (size_t)k->t->inputs));
    for (int i = 0; i < 2; i++) k->value[i] = ukArenaDoubles(a, (size_t)k->t->outputs);
    for (int i = 0; i < 3; i++) k->slope[i] = ukArenaDoubles(a, (size_t)k->t->outputs);
    k->dq_along = ukArenaDoubles(a, n);
    k->dv_along = ukArenaDoubles(a, n);
    k->r_along = ukArenaDoubles(a, n);
    k->rates_along = ukArenaDoubles(a, rows);
    k->moves = ukArenaBytes(a, count * sizeof *k->moves + 1);
}

/* ---- inputs ------------------------------------------------------------------------------------------------------ */

static void addWrench(const Columns *k, const ukSignalPlace *in, double *r)
{
    for (int side = 0; side < 2; side++)
        for (int body = 0; body < k->c->bodies; body++)
            for (int i = 0; in->on[side] == k->t->body[body] && i < 6; i++) r[6 * body + i] += in->wrench[side][i];
}

/* Computes the derivatives of r and A v - target with respect to a motor's velocity, in which both are linear. */
static int differentiateMotor(Columns *k, ukSignalPlace *in, int column)
{
    int status = ukOk;
    for (int side = 0; side < 2 && status == ukOk; side++) {
        ukSignalDrive(in, side ? 1 : -1);
        status = ukTangentResidual(&k->tangent, k->residual[side]);
    }
    ukSignalDrive(in, 0);
    for (int i = 0; status == ukOk && i < k->n + k->c->rows; i++) {
        const double slope = 0.5 * (k->residual[1][i] - k->residual[0][i]);
        if (i >= k->n)
            k->rates[column * k->c->rows + i - k->n] = k->coarse_rates[column * k->c->rows + i - k->n] = slope;
        else
            k->r[column * k->n + i] = k->coarse[column * k->n + i] = slope;
    }
    return status;
}

static int inputResiduals(Columns *k)
{
    int status = ukOk;
    for (int j = 0; j < k->t->inputs && status == ukOk; j++) {
        const int column = k->p + k->v + j;
        ukSignalPlace *const in = &k->t->in[j];
        if (in->signal.kind == ukSignalMotorVelocity) {
            status = differentiateMotor(k, in, column);
            continue;
        }
        addWrench(k, in, k->r + column * k->n);
        addWrench(k, in, k->coarse + column * k->n);
    }
    return status;
}

static bool isZero(const double *x, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (x[i] != 0) return false;
    return true;
}

/* ---- velocities -------------------------------------------------------------------------------------------------- */

/* Whether A dv = rates (rows): near the base state dependent rows of motors may prescribe different velocities. */
static bool isConsistent(const Columns *k, const double *rates, const double *dv)
{
    static const double rounding = 1e-10;
    double most = 0, off = 0;
    for (int row = 0; row < k->c->rows; row++) {
        const double rate = ukDotRows(k->c->A + (size_t)row * (size_t)k->n, dv, k->n);
        most = fmax(most, fabs(k->c->unit[row] * rates[row]));
        off = fmax(off, fabs(k->c->unit[row] * (rates[row] - rate)));
    }
    return off <= rounding * most;
}

/* The least dv of each of `count` columns that takes its rates (count x rows; overwritten) away: all at once, since an
 * orthogonal factor is applied to many columns at little more than the cost of one. */
static int cancelRates(const Columns *k, int count, double *rates, double *dv)
{
    const size_t rows = (size_t)k->c->rows, numbers = (size_t)count * rows;
    if (isZero(rates, numbers)) return ukOk;
    for (size_t i = 0; i < numbers; i++) k->asked[i] = rates[i] = -rates[i];
    int status = ukCoordinatesAnswer(k->c, &k->t->probe, count, rates, dv);
    if (k->c->rank == k->c->rows) return status; /* independent rows satisfy any rates */
    for (int j = 0; j < count && status == ukOk; j++)
        if (!isConsistent(k, k->asked + (size_t)j * rows, dv + (size_t)j * (size_t)k->n))
            status = ukTangentInconsistent;
    return status;
}

/* dv of xi and inputs from the rows' rates that they change; of eta N_v. */
static int answerRates(Columns *k)
{
    const size_t rows = (size_t)k->c->rows, n = (size_t)k->n;
    const int first[2] = {0, k->p + k->v}, count[2] = {k->p, k->t->inputs};
    int status = ukOk;
    for (int j = 0; j < k->count; j++)
        k->moves[j] = (j >= k->p && j < k->p + k->v) || !isZero(k->rates + (size_t)j * rows, rows);
    for (int i = 0; i < 2 && status == ukOk; i++) {
        const size_t row = (size_t)first[i] * rows, at = (size_t)first[i] * n;
        status = cancelRates(k, count[i], k->rates + row, k->dv + at);
        if (status == ukOk) status = cancelRates(k, count[i], k->coarse_rates + row, k->coarse_dv + at);
    }
    const size_t eta = (size_t)k->p * n, numbers = (size_t)k->v * n;
    memcpy(k->dv + eta, k->c->Nv, numbers * sizeof *k->dv);
    memcpy(k->coarse_dv + eta, k->c->Nv, numbers * sizeof *k->dv);
    return status;
}

/* ---- a check ----------------------------------------------------------------------------------------------------- */

/* 1 or -1 for each column, pseudorandom: a sum of columns with these signs has the error of some of them. */
static double signOf(int j)
{
    return ((uint32_t)j * 2654435761u >> 15) & 1 ? -1 : 1;
}

/* The largest entry of N (rows x n) x. */
static double largestEntry(const Columns *k, const double *N, int rows, const double *x)
{
    double most = 0;
    for (int i = 0; i < rows; i++) most = fmax(most, fabs(ukDotRows(N + (size_t)i * (size_t)k->n, x, k->n)));
    return most;
}

/* The sum of `count` columns, with random signs, against the difference of r along the sum of their motions, of all
 * bodies at once: the errors that it shows, mostly rounding, of velocities (what is asked of poses) to off[0], of
 * accelerations to off[1]. Where it cannot be evaluated there is no tangent. */
static int estimateColumnErrors(Columns *k, int first, int count, double off[2])
{
    static const double deviations = 4; /* one sum is one sample */
    const size_t n = (size_t)k->n;
    memset(k->dq_along, 0, n * sizeof *k->dq_along);
    memset(k->dv_along, 0, n * sizeof *k->dv_along);
    memset(k->r_along, 0, n * sizeof *k->r_along);
    for (int j = first; j < first + count; j++)
        for (size_t i = 0; i < n; i++) {
            if (j < k->p) k->dq_along[i] += signOf(j) * k->c->Nq[(size_t)j * n + i];
            k->dv_along[i] += signOf(j) * k->dv[(size_t)j * n + i];
            k->r_along[i] += signOf(j) * k->r[(size_t)j * n + i];
        }
    int status = count > 0 ? ukTangentAlong(&k->tangent, k->dq_along, k->dv_along) : ukOk;
    if (status == ukErrorMemory) return status;
    if (status != ukOk) return ukTangentInconsistent;
    status = ukTangentReturn(&k->tangent);
    if (status != ukOk || count == 0) return status;
    for (size_t i = 0; i < n; i++) k->r_along[i] -= k->tangent.slope[0][i];
    memcpy(k->rates_along, k->tangent.slope[0] + n, (size_t)k->c->rows * sizeof *k->rates_along);
    status = ukCoordinatesAnswer(k->c, &k->t->probe, 1, k->rates_along, k->dv_along); /* 0 but for errors */
    off[0] = fmax(off[0], deviations * largestEntry(k, k->c->MNq, k->p, k->dv_along));
    off[1] = fmax(off[1], deviations * largestEntry(k, k->c->Nv, k->v, k->r_along));
    return status;
}

/* ---- results ----------------------------------------------------------------------------------------------------- */

/* Converts deviations of the pose into ones from the motion, d(theta)/dt = w x theta, in r (p x n) of N_q, which is not
 * used afterwards. */
static void carryPoses(Columns *k)
{
    memset(k->coarse_dv, 0, (size_t)k->p * (size_t)k->n * sizeof *k->coarse_dv);
    for (int j = 0; j < k->p; j++)
        for (int body = 0; body < k->c->bodies; body++) {
            const size_t at = (size_t)j * (size_t)k->n + (size_t)(6 * body + 3);
            ukCross(k->c->state[body].v + 3, k->c->Nq + at, k->coarse_dv + at);
        }
}

/* Whether N_q and N_v are one basis: N_q' M N_v = 1. */
static bool isOneBasis(const Columns *k)
{
    return k->p == k->v && memcmp(k->c->Nq, k->c->Nv, (size_t)(k->p * k->n) * sizeof *k->c->Nq) == 0;
}

/* to (rows x count, one row every `stride` numbers) += N (rows x n) times `count` directions x (n each) */
static void addProducts(const Columns *k, const double *N, int rows, const double *x, int count, double *to, int stride)
{
    if (rows == 0 || count == 0 || isZero(x, (size_t)count * (size_t)k->n)) return;
    cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasTrans, rows, count, k->n, 1, N, k->n, x, k->n, 1, to, stride);
}

/* The largest entry of N times what x and coarse (overwritten) differ by. */
static double largestDifference(Columns *k, const double *N, int rows, const double *x, double *coarse, int count)
{
    const size_t numbers = (size_t)count * (size_t)k->n, entries = (size_t)rows * (size_t)count;
    double most = 0;
    for (size_t i = 0; i < numbers; i++) coarse[i] -= x[i];
    memset(k->apart, 0, entries * sizeof *k->apart);
    addProducts(k, N, rows, coarse, count, k->apart, count);
    for (size_t i = 0; i < entries; i++) most = fmax(most, fabs(k->apart[i]));
    return most;
}

/* Stores `count` columns of A, or of B, from column `first` of all on, and the error of their entries, which includes
 * the errors that the check has shown. */
static void storeStates(Columns *k, int first, int count, const double shown[2])
{
    const bool input = first >= k->p + k->v, eta = first == k->p && !input;
    const int columns = input ? k->t->inputs : k->p + k->v, at = input ? first - k->p - k->v : first;
    const size_t from = (size_t)first * (size_t)k->n;
    double *const to = (input ? k->out->B : k->out->A) + at, *const off = &k->out->off[0][input];
    double *const accelerations = to + (size_t)k->p * (size_t)columns;
    if (count == 0) return;
    if (eta && isOneBasis(k)) {
        for (int i = 0; i < k->p; i++) to[(size_t)i * (size_t)columns + (size_t)i] = 1;
    } else {
        addProducts(k, k->c->MNq, k->p, k->dv + from, count, to, columns);
        *off = fmax(*off, largestDifference(k, k->c->MNq, k->p, k->dv + from, k->coarse_dv + from, count) + shown[0]);
    }
    addProducts(k, k->c->Nv, k->v, k->r + from, count, accelerations, columns);
    *off = fmax(*off, largestDifference(k, k->c->Nv, k->v, k->r + from, k->coarse + from, count) + shown[1]);
    if (eta || input) return;
    carryPoses(k);
    addProducts(k, k->c->MNq, k->p, k->coarse_dv, k->p, to, columns);
}

/* Computes the slopes of the state outputs along column j, extrapolated as those of the state are
 * (plugin/analysis/linearize.h). */
static void storeOutputs(Columns *k, int j)
{
    static const double change = 2e-3; /* an angle, or part of the world's length */
    const bool input = j >= k->p + k->v;
    const int columns = input ? k->t->inputs : k->p + k->v, at = input ? j - k->p - k->v : j, n = k->n;
    const double *const dq = j < k->p ? k->c->Nq + j * n : NULL, *const dv = k->moves[j] ? k->dv + j * n : NULL;
    double *const to = input ? k->out->D : k->out->C, *const off = &k->out->off[1][input];
    double most = 0;
    for (int i = 0; i < n; i++) {
        const double part = i % 6 < 3 ? k->t->length : 1;
        if (dq) most = fmax(most, fabs(dq[i]) / part);
        if (dv) most = fmax(most, fabs(dv[i]) / part / k->t->rate);
    }
    const double x = most > 0 ? change / most : 1;
    for (int level = 0; level < 3; level++) {
        for (int side = 0; side < 2; side++)
            ukTrialOutputs(k->t, dq, dv, (side ? x : -x) / (1 << level), k->value[side]);
        for (int i = 0; i < k->t->outputs; i++)
            k->slope[level][i] =
                ukSignalDifference(&k->t->out[i], k->value[0][i], k->value[1][i]) / (2 * x / (1 << level));
    }
    for (int i = 0; i < k->t->outputs; i++) {
        const double coarse = (4 * k->slope[1][i] - k->slope[0][i]) / 3;
        const double fine = (4 * k->slope[2][i] - k->slope[1][i]) / 3;
        to[i * columns + at] = (16 * fine - coarse) / 15;
        *off = fmax(*off, fabs(to[i * columns + at] - fine) + 64 * DBL_EPSILON * fabs(k->value[0][i]) / x);
    }
}

static int fillTangentColumns(Columns *k)
{
    ukTangentProduct poses = {k->p, k->c->Nq, k->c->Nq, k->r, k->coarse, k->rates, k->coarse_rates};
    double shown[2] = {0};
    static const double none[2];
    int status = inputResiduals(k);
    if (status == ukOk) status = ukTangentPoses(&k->tangent, &poses);
    if (status == ukOk) status = answerRates(k);
    const ukTangentProduct velocities = {k->count, k->dv, k->coarse_dv, k->r, k->coarse, NULL, NULL};
    if (status == ukOk) status = ukTangentVelocities(&k->tangent, &velocities);
    if (status == ukOk) status = estimateColumnErrors(k, 0, k->p, shown);
    if (status == ukOk) status = estimateColumnErrors(k, k->p, k->v, shown);
    if (status != ukOk) return status;
    storeStates(k, 0, k->p, shown);
    storeStates(k, k->p, k->v, shown);
    storeStates(k, k->p + k->v, k->t->inputs, none);
    for (int j = 0; j < k->count && k->t->outputs > 0; j++) storeOutputs(k, j);
    if (k->t->outputs > 0) ukTrialOutputs(k->t, NULL, NULL, 0, k->value[0]); /* back to the base state */
    return status;
}

int ukTangentColumnsFill(ukTrials *t, ukTangentColumns *out)
{
    Columns k = {.t = t, .c = &t->c, .out = out, .n = t->c.n, .p = t->c.positions, .v = t->c.velocities};
    k.count = k.p + k.v + t->inputs;
    ukArena arena = ukArenaOver(NULL, 0);
    carveColumns(&k, &arena);
    void *const memory = ukArenaAllocate(&arena);
    if (!memory) return ukErrorSet(ukErrorMemory, "no memory for the tangent (bodies: %d)", t->c.bodies);
    carveColumns(&k, &arena);
    int status = ukTangentBegin(&k.tangent, &t->probe, &t->c, t->length, t->rate);
    if (status == ukOk) status = fillTangentColumns(&k);
    ukTangentEnd(&k.tangent);
    free(memory);
    return status;
}
