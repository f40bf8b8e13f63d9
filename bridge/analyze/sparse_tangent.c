/* SPDX-License-Identifier: BSD-3-Clause */
#include "bridge/analyze/sparse_tangent.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bridge/base/log.h"
#include "solvers/base/arena.h"
#include "solvers/base/status.h"

/* ---- memory ------------------------------------------------------------------------------------------------------ */

static void carveSparse(ukSparseTangent *s, ukArena *a)
{
    const size_t groups = (size_t)s->groups, bodies = (size_t)s->bodies, rows = (size_t)s->rows;
    s->owner = ukArenaInts(a, groups * bodies);
    s->row_owner = ukArenaInts(a, groups * rows);
    UKODE_DOUBLES(a, groups * bodies * 36, &s->poses, &s->velocities);
    s->rates = ukArenaDoubles(a, groups * rows * 6);
}

static void carveCoarse(ukSparseTangent *s, ukArena *a)
{
    const size_t groups = (size_t)s->groups, bodies = (size_t)s->bodies, rows = (size_t)s->rows;
    for (int i = 0; i < 2; i++) s->coarse[i] = ukArenaDoubles(a, groups * bodies * 36);
    s->coarse[2] = ukArenaDoubles(a, groups * rows * 6);
}

static int reserveSparse(ukSparseTangent *s)
{
    ukArena arena = ukArenaOver(NULL, 0), coarse = ukArenaOver(NULL, 0);
    carveSparse(s, &arena);
    carveCoarse(s, &coarse);
    s->memory = ukArenaAllocate(&arena);
    s->coarse_memory = ukArenaAllocate(&coarse);
    if (!s->memory || !s->coarse_memory)
        return ukErrorSet(ukErrorMemory, "no memory for the derivatives (bodies: %d)", s->bodies);
    carveSparse(s, &arena);
    carveCoarse(s, &coarse);
    return ukOk;
}

/* ---- derivatives ------------------------------------------------------------------------------------------------- */

/* The body of each group that a rigid row is on. */
static void findRowOwners(ukSparseTangent *s, const ukTangent *t)
{
    const ukStepper *const stepper = t->probe->s;
    int first = 0, row = 0;
    for (int i = 0; i < s->groups * s->rows; i++) s->row_owner[i] = -1;
    for (int i = 0; i < stepper->island_count; i++) {
        const ukIsland *const island = &stepper->islands[i];
        const ukProblem *const p = island->problem;
        for (int k = 0; k < p->blocks; k++)
            for (int at = p->block[k].row; at < p->block[k].row + p->block[k].rows; at++) {
                if (!ukProbeRigid(t->probe, island, at)) continue;
                for (int slot = p->block[k].slot; slot < p->block[k].slot + p->block[k].slots; slot++) {
                    if (p->body[slot] < 0) continue;
                    const int body = first + p->body[slot];
                    s->row_owner[t->coloring.group[body] * s->rows + row] = body;
                }
                row++;
            }
        first += p->bodies;
    }
}

/* Component i of a group's blocks, from slopes of r (n), then of rows. */
static void storeSlopes(const ukSparseTangent *s, int group, int i, const double *slope, double *blocks, double *rates)
{
    for (int k = 0; k < s->bodies; k++)
        for (int c = 0; c < 6; c++)
            blocks[36 * ((size_t)group * (size_t)s->bodies + (size_t)k) + (size_t)(6 * c + i)] = slope[6 * k + c];
    for (int row = 0; rates && row < s->rows; row++)
        rates[6 * ((size_t)group * (size_t)s->rows + (size_t)row) + (size_t)i] = slope[6 * s->bodies + row];
}

int ukSparseTangentBegin(ukSparseTangent *s, ukTangent *t)
{
    *s = (ukSparseTangent){.bodies = t->c->bodies, .rows = t->c->rows, .groups = t->coloring.groups};
    int status = reserveSparse(s);
    if (status != ukOk) return status;
    if (s->groups > 0) memcpy(s->owner, t->coloring.owner, (size_t)s->groups * (size_t)s->bodies * sizeof *s->owner);
    findRowOwners(s, t);
    for (int group = 0; group < s->groups; group++)
        for (int i = 0; i < 12; i++) {
            const bool pose = i < 6;
            status = ukTangentDifferentiate(t, group, i);
            if (status != ukOk) return status;
            storeSlopes(s, group, i % 6, t->slope[0], pose ? s->poses : s->velocities, pose ? s->rates : NULL);
            storeSlopes(s, group, i % 6, t->fine, s->coarse[!pose], pose ? s->coarse[2] : NULL);
        }
    return ukTangentReturn(t);
}

void ukSparseTangentEnd(ukSparseTangent *s)
{
    free(s->memory);
    free(s->coarse_memory);
    *s = (ukSparseTangent){0};
}

void ukSparseTangentSwap(ukSparseTangent *s)
{
    double *const was[3] = {s->poses, s->velocities, s->rates};
    s->poses = s->coarse[0], s->velocities = s->coarse[1], s->rates = s->coarse[2];
    memcpy(s->coarse, was, sizeof was);
}

void ukSparseTangentSettle(ukSparseTangent *s)
{
    free(s->coarse_memory);
    s->coarse_memory = NULL;
}

/* ---- products ---------------------------------------------------------------------------------------------------- */

/* y (6 x bodies) += the blocks times x, or, transposed, their transposes times x */
static void multiplyBlocks(const ukSparseTangent *s, const double *blocks, bool transposed, const double *x, double *y)
{
    for (int g = 0; g < s->groups; g++)
        for (int k = 0; k < s->bodies; k++) {
            const size_t at = (size_t)g * (size_t)s->bodies + (size_t)k;
            const int owner = s->owner[at];
            if (owner < 0) continue;
            const double *const D = blocks + 36 * at, *const from = x + 6 * (transposed ? k : owner);
            double *const to = y + 6 * (transposed ? owner : k);
            for (int c = 0; c < 6; c++)
                for (int i = 0; i < 6; i++) to[transposed ? i : c] += D[6 * c + i] * from[transposed ? c : i];
        }
}

void ukSparseTangentPoses(const ukSparseTangent *s, const double *dq, double *r, double *rates)
{
    multiplyBlocks(s, s->poses, false, dq, r);
    for (int at = 0; at < s->groups * s->rows; at++)
        for (int i = 0; s->row_owner[at] >= 0 && i < 6; i++)
            rates[at % s->rows] += s->rates[6 * (size_t)at + (size_t)i] * dq[6 * s->row_owner[at] + i];
}

void ukSparseTangentRateTerms(const ukSparseTangent *s, const double *dq, double *terms)
{
    memset(terms, 0, (size_t)s->rows * sizeof *terms);
    for (int at = 0; at < s->groups * s->rows; at++)
        for (int i = 0; s->row_owner[at] >= 0 && i < 6; i++)
            terms[at % s->rows] += fabs(s->rates[6 * (size_t)at + (size_t)i] * dq[6 * s->row_owner[at] + i]);
}

void ukSparseTangentVelocities(const ukSparseTangent *s, const double *dv, double *r)
{
    multiplyBlocks(s, s->velocities, false, dv, r);
}

void ukSparseTangentPosesTransposed(const ukSparseTangent *s, const double *r, double *dq)
{
    multiplyBlocks(s, s->poses, true, r, dq);
}

void ukSparseTangentVelocitiesTransposed(const ukSparseTangent *s, const double *r, double *dv)
{
    multiplyBlocks(s, s->velocities, true, r, dv);
}

void ukSparseTangentRatesTransposed(const ukSparseTangent *s, const double *rates, double *dq)
{
    for (int at = 0; at < s->groups * s->rows; at++)
        for (int i = 0; s->row_owner[at] >= 0 && i < 6; i++)
            dq[6 * s->row_owner[at] + i] += s->rates[6 * (size_t)at + (size_t)i] * rates[at % s->rows];
}
