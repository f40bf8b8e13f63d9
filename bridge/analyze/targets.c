/* SPDX-License-Identifier: BSD-3-Clause */
#include "bridge/analyze/targets.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bridge/base/log.h"
#include "bridge/base/vector.h"
#include "solvers/base/lapack.h"
#include "solvers/base/status.h"
#include "solvers/problem/tolerance.h"

/* A search for targets; arrays are one allocation. */
typedef struct Aim {
    ukApproach *a;
    const ukTarget *target;
    int count, rows, n;    /* rows: 6 a target */
    double *T, *TP, *e;    /* (rows x n), (rows x n), (rows) */
    double *U, *V, *sigma; /* of T P: (rows x k), (k x n), (k) */
    double *superb, *dq;   /* (k), (n) */
    ukState *start;        /* (bodies) where the step begins */
    double square, worst;  /* |e|^2; the largest error over its weight, lengths over the world's */
} Aim;

/* theta of R = exp(theta) R_target; the target's quaternion has any length */
static void turnFrom(const dReal target[4], const double q[4], double theta[3])
{
    double p[4];
    for (int i = 0; i < 4; i++) p[i] = target[i] / ukSize(target, 4);
    ukRotationVector(p, q, theta);
}

/* Computes e and, if requested, T at the frames' poses. */
static void fillAim(Aim *aim, bool gradient)
{
    const ukPoses *const poses = aim->a->poses;
    aim->square = aim->worst = 0;
    if (gradient) memset(aim->T, 0, (size_t)aim->rows * (size_t)aim->n * sizeof *aim->T);
    for (int k = 0; k < aim->count; k++) {
        const ukTarget *const t = aim->target + k;
        const int body = ukPosesBody(poses, t->body);
        const ukState *const state = &ukPosesFrame(poses, body)->state;
        double lever[3], theta[3], *const e = aim->e + 6 * k;
        ukRotate(state->R, t->point, lever);
        turnFrom(t->orientation, state->q, theta);
        for (int i = 0; i < 3; i++) {
            const double off = state->x[i] + lever[i] - t->position[i];
            e[i] = t->position_weight * off;
            e[3 + i] = t->orientation_weight > 0 ? t->orientation_weight * theta[i] : 0;
            if (t->position_weight > 0) aim->worst = fmax(aim->worst, fabs(off) / aim->a->errors.length);
            if (t->orientation_weight > 0) aim->worst = fmax(aim->worst, fabs(theta[i]));
        }
        for (int i = 0; i < 6; i++) aim->square += e[i] * e[i];
        for (int i = 0; i < 3 && gradient; i++) {
            const int j = (i + 1) % 3, l = (i + 2) % 3;
            double *const row = aim->T + (size_t)(6 * k + i) * (size_t)aim->n, *const turn = row + 3 * aim->n;
            row[6 * body + i] = t->position_weight;
            row[6 * body + 3 + j] = t->position_weight * lever[l]; /* (w x lever)_i = w_j lever_l - w_l lever_j */
            row[6 * body + 3 + l] = -t->position_weight * lever[j];
            turn[6 * body + 3 + i] = t->orientation_weight;
        }
    }
    for (int i = 0; i < aim->rows && gradient; i++) ukPosesScale(poses, false, aim->T + (size_t)i * (size_t)aim->n);
}

/* T P and its decomposition; B's is that of the same poses. */
static int decomposeAim(Aim *aim)
{
    const ukApproach *const a = aim->a;
    const int n = aim->n, k = aim->rows < n ? aim->rows : n;
    memcpy(aim->TP, aim->T, (size_t)aim->rows * (size_t)n * sizeof *aim->T);
    for (int i = 0; i < aim->rows; i++) {
        double *const row = aim->TP + (size_t)i * (size_t)n;
        for (int c = 0; c < a->rank; c++) {
            const double *const v = a->V + (size_t)c * (size_t)n;
            cblas_daxpy(n, -cblas_ddot(n, row, 1, v, 1), v, 1, row, 1);
        }
    }
    const lapack_int info = LAPACKE_dgesvd(LAPACK_ROW_MAJOR, 'S', 'S', aim->rows, n, aim->TP, n, aim->sigma, aim->U, k,
                                           aim->V, n, aim->superb);
    if (info == 0) return ukOk;
    return ukErrorSet(ukErrorLapack, "the singular value decomposition (targets: %d) does not converge", aim->count);
}

/* dq of the damped step; returns the decrease of |e|^2 that it predicts. */
static double aimStep(const Aim *aim, double mu)
{
    static const double least = 1e-10; /* of the singular values */
    const int n = aim->n, k = aim->rows < n ? aim->rows : n;
    const ukDamped step = {
        aim->U, aim->V, aim->sigma, aim->e, aim->rows, k, ukRankCount(aim->sigma, k, least * aim->sigma[0])};
    return ukApproachDamped(aim->a->poses, &step, mu, aim->dq);
}

/* Returns to the poses at the start of the step. */
static int stepBack(Aim *aim)
{
    ukPosesReturn(aim->a->poses, aim->start);
    return ukApproachRefill(aim->a);
}

/* Takes one step that decreases |e|^2; *stalled: there is none. */
static int lowerAim(Aim *aim, double *tau, bool *stalled)
{
    enum { Tries = 30 };
    static const double least = 1e-15; /* least decrease of |e|^2, relative to it, that a step must predict */
    ukApproach *const a = aim->a;
    fillAim(aim, true);
    int status = ukApproachDecompose(a);
    if (status == ukOk) status = decomposeAim(aim);
    const double before = aim->square;
    ukPosesKeep(a->poses, aim->start);
    *stalled = true;
    for (int k = 0; k < Tries && status == ukOk; k++) {
        const double decrease = aimStep(aim, *tau * aim->sigma[0] * aim->sigma[0]);
        if (!(decrease > least * before)) return ukOk;
        const double turn = ukApproachTurn(aim->dq, a->poses->bodies);
        bool met = false;
        if (turn <= 1) {
            ukPosesMove(a->poses, aim->dq, 1);
            status = ukApproachJoints(a, &met);
            if (status != ukOk) return status;
            fillAim(aim, false);
        }
        if (met && aim->square < before) {
            *tau = fmax(1e-14, *tau * (before - aim->square > 0.5 * decrease ? 0.1 : 1));
            *stalled = false;
            return ukOk;
        }
        *tau *= 8;
        status = stepBack(aim);
        fillAim(aim, false);
    }
    return status;
}

static int reserveAim(Aim *aim, void **memory)
{
    const size_t rows = (size_t)aim->rows, n = (size_t)aim->n, bodies = (size_t)aim->a->poses->bodies;
    double *x = *memory = calloc(2 * rows * n + rows + rows * rows + n * n + 4 * n + 2 * rows + 1, sizeof *x);
    aim->start = calloc(bodies + 1, sizeof *aim->start);
    if (!x || !aim->start) return ukErrorSet(ukErrorMemory, "no memory for %d targets", aim->count);
    aim->T = x;
    aim->TP = aim->T + rows * n;
    aim->e = aim->TP + rows * n;
    aim->U = aim->e + rows;
    aim->V = aim->U + rows * rows;
    aim->sigma = aim->V + n * n;
    aim->superb = aim->sigma + n + rows;
    aim->dq = aim->superb + n + rows;
    return ukOk;
}

int ukTargetsApproach(ukApproach *a, const ukTarget *target, int count, ukTargetsLeft *left)
{
    enum { Most = 300 };
    static const double rounding = 1e-12;
    Aim aim = {.a = a, .target = target, .count = count, .rows = 6 * count, .n = a->poses->n};
    void *memory = NULL;
    double tau = 1e-3;
    bool stalled = false;
    int status = reserveAim(&aim, &memory);
    if (status == ukOk) fillAim(&aim, false);
    for (int iteration = 0; iteration < Most && status == ukOk && !stalled && aim.worst > rounding; iteration++)
        status = lowerAim(&aim, &tau, &stalled);
    if (status == ukOk) *left = (ukTargetsLeft){.error = sqrt(aim.square), .met = aim.worst <= 1e3 * rounding};
    free(memory);
    free(aim.start);
    return status;
}
