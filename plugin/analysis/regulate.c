/* SPDX-License-Identifier: BSD-3-Clause */
#include "plugin/analysis/regulate.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bridge/base/log.h"
#include "bridge/base/vector.h"
#include "bridge/island/stepper.h"
#include "bridge/world/frame.h"
#include "bridge/world/registry.h"
#include "plugin/analysis/linearize.h"
#include "plugin/analysis/riccati.h"
#include "solvers/base/arena.h"
#include "solvers/base/lapack.h"
#include "solvers/base/status.h"

/* A regulator under way; matrices are row-major. */
typedef struct Regulate {
    const ukRegulateTask *task;
    ukLinearization l;
    ukRegulator out;
    int n, m;                                              /* states, inputs */
    double rate, cost;                                     /* [1/s]; the weight of u^2 */
    double *force, *position, *velocity, *K, *real, *imag; /* of the result */
    dBodyID *body;
    double *G, *Q, *X; /* (n x n) */
    double *BX, *R;    /* (m x n), (m x m) */
    double *least;     /* (max(n, m) + m x n) scratch of the least squares */
} Regulate;

static void carveRegulate(Regulate *r, ukArena *a)
{
    const size_t n = (size_t)r->n, m = (size_t)r->m, columns = 6 * (size_t)r->l.bodies;
    r->force = ukArenaDoubles(a, m);
    r->position = ukArenaDoubles(a, m * columns);
    r->velocity = ukArenaDoubles(a, m * columns);
    r->K = ukArenaDoubles(a, m * n);
    r->real = ukArenaDoubles(a, n);
    r->imag = ukArenaDoubles(a, n);
    r->body = ukArenaBytes(a, ((size_t)r->l.bodies + 1) * sizeof *r->body);
    r->G = ukArenaDoubles(a, n * n);
    r->Q = ukArenaDoubles(a, n * n);
    r->X = ukArenaDoubles(a, n * n);
    r->BX = ukArenaDoubles(a, m * n);
    r->R = ukArenaDoubles(a, m * m);
    r->least = ukArenaDoubles(a, (m + 2) * (n + m));
}

static int reserveRegulate(Regulate *r, ukWorld *world)
{
    ukArena arena = ukArenaOver(NULL, 0);
    carveRegulate(r, &arena);
    void *const memory = ukArenaAllocate(&arena);
    if (!memory) return ukErrorSet(ukErrorMemory, "no memory for a regulator (states: %d)", r->n);
    free(world->stepper->analysis[ukAnalysisRegulator]);
    world->stepper->analysis[ukAnalysisRegulator] = memory;
    carveRegulate(r, &arena);
    return ukOk;
}

/* ---- gains ------------------------------------------------------------------------------------------------------- */

/* Sets Q and G = B B' / cost. */
static void setWeights(Regulate *r)
{
    const int n = r->n, m = r->m;
    const double unit = r->task->h > 0 ? r->task->h : 1, *const B = r->l.B;
    double square = 0;
    for (int i = 0; i < n * m; i++) square += B[i] * B[i] / (unit * unit);
    r->cost = r->task->effort * square / m / (r->rate * r->rate);
    for (int i = 0; i < n; i++) {
        r->Q[i * n + i] = i < r->l.positions ? r->rate * r->rate : 1;
        for (int j = 0; j < n; j++) r->G[i * n + j] = cblas_ddot(m, B + i * m, 1, B + j * m, 1) / r->cost;
    }
}

/* Computes K = R^-1 B' X, or (R + B' X B)^-1 B' X A. */
static int findGains(Regulate *r)
{
    const int n = r->n, m = r->m;
    const bool discrete = r->task->h > 0;
    lapack_int *const pivot = malloc(((size_t)m + 1) * sizeof *pivot);
    if (!pivot) return ukErrorSet(ukErrorMemory, "no memory for a regulator (inputs: %d)", m);
    cblas_dgemm(CblasRowMajor, CblasTrans, CblasNoTrans, m, n, n, 1, r->l.B, m, r->X, n, 0, r->BX, n);
    for (int i = 0; i < m; i++) r->R[i * m + i] = r->cost;
    if (discrete) {
        cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, m, m, n, 1, r->BX, n, r->l.B, m, 1, r->R, m);
        cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, m, n, n, 1, r->BX, n, r->l.A, n, 0, r->K, n);
    } else {
        memcpy(r->K, r->BX, (size_t)(m * n) * sizeof *r->K);
    }
    /* R is symmetric: in columns, the rows of K are right-hand sides of its transpose */
    for (int i = 0; i < m; i++)
        for (int j = 0; j < n; j++) r->BX[j * m + i] = r->K[i * n + j];
    const int failed = LAPACKE_dgesv_work(LAPACK_COL_MAJOR, m, n, r->R, m, pivot, r->BX, m);
    free(pivot);
    for (int i = 0; i < m; i++)
        for (int j = 0; j < n; j++) r->K[i * n + j] = r->BX[j * m + i];
    if (failed == 0) return ukOk;
    return ukErrorSet(ukErrorNotConverged, "the gains of the regulator are not determined");
}

/* Computes the eigenvalues of A - B K; refuses those that are not stable. */
static int closeLoop(Regulate *r)
{
    const int n = r->n, m = r->m;
    double none[1];
    double *const A = r->G; /* no longer needed */
    memcpy(A, r->l.A, (size_t)(n * n) * sizeof *A);
    cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, n, n, m, -1, r->l.B, m, r->K, n, 1, A, n);
    bool stable = LAPACKE_dgeev(LAPACK_ROW_MAJOR, 'N', 'N', n, A, n, r->real, r->imag, none, 1, none, 1) == 0;
    for (int i = 0; i < n && stable; i++) stable = r->task->h > 0 ? hypot(r->real[i], r->imag[i]) < 1 : r->real[i] < 0;
    if (stable) return ukOk;
    return ukErrorSet(ukErrorNotConverged, "the inputs cannot stabilize this state");
}

/* ---- the balance ------------------------------------------------------------------------------------------------- */

/* force += the least u with B u = -f, of the velocities, in least squares; out.unbalanced */
static int balanceForces(Regulate *r)
{
    const int n = r->l.velocities, m = r->m, p = r->l.positions, most = n > m ? n : m;
    double *const B = r->least, *const u = B + (size_t)m * (size_t)(r->n + r->m), *const sigma = u + most;
    double after = 0;
    lapack_int rank = 0;
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < m; j++) B[i + j * n] = r->l.B[(p + i) * m + j];
        u[i] = -r->l.f[p + i];
    }
    if (n == 0) return ukOk;
    if (LAPACKE_dgelsd(LAPACK_COL_MAJOR, n, m, 1, B, n, u, most, sigma, 1e-10, &rank) != 0)
        return ukErrorSet(ukErrorNotConverged, "the forces that balance the state do not converge");
    for (int i = 0; i < m; i++) r->force[i] += u[i];
    for (int i = 0; i < n; i++) {
        double left = r->l.f[p + i];
        for (int j = 0; j < m; j++) left += r->l.B[(p + i) * m + j] * u[j];
        after += left * left;
    }
    r->out.unbalanced = sqrt(after);
    return ukOk;
}

/* ---- on bodies --------------------------------------------------------------------------------------------------- */

/* y (6) = M x of a body at ODE's present pose */
static void timesMassOf(dBodyID handle, const double *x, double *y)
{
    const ukBody *const body = ukRegistryBody(handle);
    const ukState state = ukStateOf(body);
    double local[3], turned[3];
    for (int i = 0; i < 3; i++) y[i] = body->constant.mass * x[i];
    ukUnrotate(state.R, x + 3, local);
    ukRotate(body->constant.inertia, local, turned);
    ukRotate(state.R, turned, y + 3);
}

/* gain (inputs x 6 bodies) = K's columns from `first` on times N M */
static void spreadGains(const Regulate *r, const double *N, int first, int count, double *gain)
{
    const int columns = 6 * r->l.bodies;
    memset(gain, 0, (size_t)(r->m * columns) * sizeof *gain);
    for (int k = 0; k < count; k++)
        for (int body = 0; body < r->l.bodies; body++) {
            double y[6];
            timesMassOf(r->l.body[body], N + (size_t)k * (size_t)columns + 6 * body, y);
            for (int i = 0; i < r->m; i++)
                for (int c = 0; c < 6; c++) gain[i * columns + 6 * body + c] += r->K[i * r->n + first + k] * y[c];
        }
}

int ukRegulate(ukWorld *world, const ukRegulateTask *task, ukRegulator *regulator)
{
    Regulate r = {.task = task, .m = task->inputs, .rate = 1};
    if (task->inputs < 1) return ukErrorSet(ukErrorArgument, "a regulator needs inputs");
    double *const present = calloc((size_t)task->inputs + 1, sizeof *present);
    if (!present) return ukErrorSet(ukErrorMemory, "no memory for a regulator (inputs: %d)", task->inputs);
    const ukLinearizeTask linearize = {.in = task->in,
                                       .inputs = task->inputs,
                                       .h = task->h,
                                       .as = ukAnalysisRegulated,
                                       .rate = &r.rate,
                                       .forces = present};
    int status = ukLinearize(world, &linearize, &r.l);
    r.n = r.l.positions + r.l.velocities;
    if (status == ukOk && r.l.velocities == 0) {
        ukErrorSet(ukErrorArgument, "nothing moves: the constraints admit no velocities");
        status = ukErrorArgument;
    }
    if (status == ukOk) status = reserveRegulate(&r, world);
    if (status == ukOk) {
        memcpy(r.force, present, (size_t)r.m * sizeof *present);
        setWeights(&r);
        status = ukRiccatiSolve(r.n, task->h > 0, r.rate, r.l.A, r.G, r.Q, r.X);
    }
    free(present);
    if (status == ukOk) status = findGains(&r);
    if (status == ukOk) status = closeLoop(&r);
    if (status == ukOk) status = balanceForces(&r);
    if (status != ukOk) return status;
    spreadGains(&r, r.l.Nq, 0, r.l.positions, r.position);
    spreadGains(&r, r.l.Nv, r.l.positions, r.l.velocities, r.velocity);
    memcpy(r.body, r.l.body, (size_t)r.l.bodies * sizeof *r.body);
    *regulator = (ukRegulator){.inputs = r.m,
                               .states = r.n,
                               .bodies = r.l.bodies,
                               .discrete = task->h > 0,
                               .force = r.force,
                               .position = r.position,
                               .velocity = r.velocity,
                               .K = r.K,
                               .real = r.real,
                               .imag = r.imag,
                               .body = r.body,
                               .unbalanced = r.out.unbalanced,
                               .activity = r.l.activity};
    return ukOk;
}
