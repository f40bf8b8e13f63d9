/* SPDX-License-Identifier: BSD-3-Clause */
#include "plugin/tools/verify/end.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static Real lengthOf(const Real *x)
{
    return sqrtl(x[0] * x[0] + x[1] * x[1] + x[2] * x[2]);
}

/* ---- velocities -------------------------------------------------------------------------------------------------- */

static void judgeVelocity(const Island *island, int body, EndResidual *to)
{
    const double *v = island->velocity + 6 * (size_t)body, *a = island->acceleration + 6 * (size_t)body;
    const double *end = island->velocity_end + 6 * (size_t)body;
    const double cap = island->spin_cap ? island->spin_cap[body] : INFINITY;
    Real next[6], off[2] = {0}, size[2] = {0};
    for (int k = 0; k < 6; k++) {
        next[k] = v[k] + (Real)island->h * a[k];
        size[k / 3] += fabs(v[k]) + fabsl((Real)island->h * a[k]);
    }
    const Real spin = lengthOf(next + 3);
    for (int k = 3; k < 6 && spin > cap; k++) next[k] *= cap / spin;
    for (int k = 0; k < 6; k++) off[k / 3] += fabsl(end[k] - next[k]);
    for (int k = 0; k < 2; k++) residualWorse(&to->velocity, &to->worst_velocity, off[k], size[k], body);
}

/* ---- poses ------------------------------------------------------------------------------------------------------- */

/* q := (1, w/2) q: to first order; or, `finite`, (cos, sin) of half the angle |w|. Not normalised. */
static void rotateQuaternion(const Real w[3], bool finite, Real q[4])
{
    const Real angle = finite ? lengthOf(w) / 2 : 0, along = angle > 0 ? sinl(angle) / (2 * angle) : 0.5L;
    const Real e[4] = {cosl(angle), along * w[0], along * w[1], along * w[2]};
    const Real p[4] = {q[0], q[1], q[2], q[3]};
    q[0] = e[0] * p[0] - e[1] * p[1] - e[2] * p[2] - e[3] * p[3];
    q[1] = e[0] * p[1] + e[1] * p[0] + e[2] * p[3] - e[3] * p[2];
    q[2] = e[0] * p[2] + e[2] * p[0] + e[3] * p[1] - e[1] * p[3];
    q[3] = e[0] * p[3] + e[3] * p[0] + e[1] * p[2] - e[2] * p[1];
}

/* Rotates q by w as ODE does: (1, w/2) q; with the finite mode exp(w/2) q; with a finite rotation axis n, (1, w_t/4)
 * exp(w_n/2) q for the components of w along and across n, or in mode 2 (1, w_t/2) exp(w_n/2) q. */
static void turnBy(const Real w[3], const double *rotation, Real q[4])
{
    const bool finite = rotation && rotation[0] != 0;
    const Real n[3] = {finite ? rotation[1] : 0, finite ? rotation[2] : 0, finite ? rotation[3] : 0};
    if (n[0] == 0 && n[1] == 0 && n[2] == 0) {
        rotateQuaternion(w, finite, q);
        return;
    }
    const Real k = n[0] * w[0] + n[1] * w[1] + n[2] * w[2];
    const Real along[3] = {k * n[0], k * n[1], k * n[2]};
    const Real part = rotation[0] == 2 ? 1 : 0.5L;
    const Real across[3] = {part * (w[0] - along[0]), part * (w[1] - along[1]), part * (w[2] - along[2])};
    rotateQuaternion(along, true, q);
    rotateQuaternion(across, false, q);
}

/* component k of the velocity by which a body's pose advances */
static Real poseVelocityOf(const Island *island, int body, int k)
{
    const size_t at = 6 * (size_t)body + (size_t)k;
    const Real end = island->velocity_end[at];
    return island->impacts ? (island->velocity[at] + end) / 2 : end;
}

static void judgePose(const Island *island, int body, EndResidual *to)
{
    const double *u = island->split_velocity ? island->split_velocity + 6 * (size_t)body : NULL;
    const double *pose = island->pose + 7 * (size_t)body, *end = island->pose_end + 7 * (size_t)body;
    const double *rotation = island->rotation ? island->rotation + 4 * (size_t)body : NULL;
    Real w[3], off = 0, size = 0, norm = 0;
    Real q[4] = {pose[3], pose[4], pose[5], pose[6]};
    for (int k = 0; k < 3; k++) {
        const Real step = (Real)island->h * (poseVelocityOf(island, body, k) + (u ? u[k] : 0));
        off += fabsl(end[k] - pose[k] - step);
        size += fabs(pose[k]) + fabsl(step) + fabs(end[k]);
        w[k] = (Real)island->h * (poseVelocityOf(island, body, 3 + k) + (u ? u[3 + k] : 0));
    }
    residualWorse(&to->pose, &to->worst_pose, off, size, body);
    if (rotation && rotation[0] < 0) return; /* how it turned is not stated */
    turnBy(w, rotation, q);
    for (int k = 0; k < 4; k++) norm += q[k] * q[k];
    off = 0;
    for (int k = 0; k < 4; k++) off += fabsl(end[3 + k] - q[k] / sqrtl(norm));
    residualWorse(&to->pose, &to->worst_pose, off, 1 + lengthOf(w), body);
}

/* ---- the split correction ---------------------------------------------------------------------------------------- */

/* The second problem as an island of its own, of those rows: the forces are the first one's and its accelerations
 * u/h + M^-1 Q, so that residuals are measured by forces and not by how little there is to correct. */
typedef struct Split {
    Island island;
    IslandBlock *block;
    double *jacobian, *numbers;
    Real *free; /* (bodies x 6) M^-1 Q */
} Split;

static bool reserveEnd(const Island *island, EndWork *work, Split *split)
{
    const size_t n = (size_t)island->bodies, m = (size_t)island->splits;
    size_t coefficients = 0;
    for (int k = 0; k < island->blocks; k++)
        coefficients += 6 * (size_t)island->block[k].rows * (size_t)island->block[k].slots;
    const size_t bytes = 6 * n * sizeof(Real) + ((size_t)island->blocks + 1) * sizeof(IslandBlock) +
                         (coefficients + 6 * n + 5 * m + 1) * sizeof(double);
    if (bytes > work->capacity) {
        free(work->memory);
        work->capacity = 0;
        work->memory = malloc(bytes);
        if (!work->memory) return false;
        work->capacity = bytes;
    }
    split->free = work->memory;
    split->block = (IslandBlock *)(void *)(split->free + 6 * n);
    split->jacobian = (double *)(void *)(split->block + island->blocks + 1);
    split->numbers = split->jacobian + coefficients;
    return true;
}

static void gatherBlocks(const Island *from, Split *split)
{
    Island *to = &split->island;
    double *J = split->jacobian;
    to->blocks = to->rows = 0;
    to->block = split->block;
    for (int k = 0, r = 0; k < from->blocks; k++) {
        const IslandBlock *b = &from->block[k];
        const size_t width = 6 * (size_t)b->slots;
        IslandBlock *own = &split->block[to->blocks++];
        *own = *b;
        own->row = to->rows, own->rows = 0, own->jacobian = J;
        for (; r < from->splits && from->split_row[r] < b->row + b->rows; r++, own->rows++, J += width)
            memcpy(J, b->jacobian + (size_t)(from->split_row[r] - b->row) * width, width * sizeof *J);
        to->rows += own->rows;
    }
}

/* a := M^-1 Q, with the inverse inertias in `scale` */
static void freeAccelerations(const Island *island, const Scale *scale, Real *a)
{
    for (int i = 0; i < island->bodies; i++, a += 6) {
        const Real *W = scale->inverse + 9 * (size_t)i;
        const double *Q = island->force + 6 * (size_t)i;
        for (int c = 0; c < 3; c++) {
            a[c] = Q[c] / (Real)island->mass[i];
            a[3 + c] = W[3 * c] * Q[3] + W[3 * c + 1] * Q[4] + W[3 * c + 2] * Q[5];
        }
    }
}

static void gatherRows(const Island *from, Split *split)
{
    Island *to = &split->island;
    const size_t m = (size_t)from->splits, n = 6 * (size_t)from->bodies;
    double *side = split->numbers, *softness = side + m, *lower = softness + m, *upper = lower + m, *q = upper + m;
    for (size_t i = 0; i < n; i++) q[i] = (double)(from->split_velocity[i] / (Real)from->h + split->free[i]);
    for (int k = 0; k < to->blocks; k++)
        for (int r = to->block[k].row; r < to->block[k].row + to->block[k].rows; r++) {
            const int at = from->split_row[r];
            side[r] = (double)(from->split_side[r] / (Real)from->h + residualRow(&to->block[k], r, split->free));
            softness[r] = from->softness[at];
            lower[r] = from->lower ? from->lower[at] : -INFINITY;
            upper[r] = from->upper ? from->upper[at] : INFINITY;
        }
    to->right_side = side, to->softness = softness;
    to->lower = to->bound_lower = lower, to->upper = to->bound_upper = upper;
    to->acceleration = q, to->multiplier = from->split_force;
}

/* Checks the right-hand sides of the split correction: the velocity that corrects the position error, minus the opening
 * rate of a row with zero force. Dependent equalities cannot all be satisfied. */
static void judgeSplitRightSides(const Island *from, const Split *split, const Scale *scale, const Real *a,
                                 EndResidual *to)
{
    const Island *own = &split->island;
    bool equalities = true;
    for (int r = 0; r < own->rows; r++)
        equalities = equalities && own->lower[r] == -INFINITY && own->upper[r] == INFINITY;
    for (int k = 0; k < own->blocks; k++)
        for (int r = own->block[k].row; r < own->block[k].row + own->block[k].rows; r++) {
            const int at = from->split_row[r];
            const double lambda = from->multiplier[at], push = from->split_push[r];
            const Real h = from->h, opening = h * (residualRow(&own->block[k], r, a) +
                                                   from->softness[at] * (Real)lambda - from->right_side[at]);
            const Real less = lambda <= own->lower[r]   ? fmaxl(opening, 0)
                              : lambda >= own->upper[r] ? fminl(opening, 0)
                                                        : 0;
            const Real off = push - less - from->split_side[r];
            residualWorse(equalities ? &to->reconciled : &to->right_side_error, &to->worst_right_side, off,
                          fabs(push) + h * scale->row[at], at);
        }
}

static bool judgeSplit(const Island *island, EndWork *work, EndResidual *to)
{
    Split split = {.island = *island};
    Island *own = &split.island;
    Residual residual;
    if (!reserveEnd(island, work, &split)) return false;
    const size_t n = 6 * (size_t)island->bodies, m = (size_t)island->rows;
    Real *const numbers = malloc((n + m + 1) * sizeof *numbers);
    if (!numbers) return false;
    for (size_t i = 0; i < n; i++) numbers[i] = island->acceleration[i];
    for (size_t i = 0; i < m; i++) numbers[n + i] = island->multiplier[i];
    bool done = scaleOf(island, numbers + n, numbers, &work->scale);
    if (done) {
        own->prescribed = own->load = NULL;
        own->normal = own->disc = NULL;
        gatherBlocks(island, &split);
        freeAccelerations(island, &work->scale, split.free);
        gatherRows(island, &split);
        judgeSplitRightSides(island, &split, &work->scale, numbers, to);
        done = residualOf(own, &work->scale, &residual);
    }
    free(numbers);
    if (!done) return false;
    to->motion = residual.motion, to->worst_motion = residual.worst_body;
    to->rows = residual.rows, to->worst_row = residual.worst_row;
    if (!(residual.complementarity <= to->rows))
        to->rows = residual.complementarity, to->worst_row = residual.worst_bounded;
    if (to->worst_row >= 0) to->worst_row = island->split_row[to->worst_row];
    return true;
}

bool endOf(const Island *island, EndWork *work, EndResidual *to)
{
    *to = (EndResidual){
        .worst_velocity = -1, .worst_pose = -1, .worst_motion = -1, .worst_row = -1, .worst_right_side = -1};
    if (!island->velocity) return true;
    for (int i = 0; i < island->bodies; i++) {
        judgeVelocity(island, i, to);
        judgePose(island, i, to);
    }
    return !island->split_velocity || judgeSplit(island, work, to);
}
