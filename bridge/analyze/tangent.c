/* SPDX-License-Identifier: BSD-3-Clause */
#include "bridge/analyze/tangent.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bridge/analyze/law_force.h"
#include "bridge/base/log.h"
#include "bridge/base/progress.h"
#include "bridge/base/vector.h"
#include "bridge/user/joint_law.h"
#include "bridge/world/frame.h"
#include "solvers/base/arena.h"
#include "solvers/base/status.h"

/* The largest displacement of a difference [rad]. Where the error of a slope is estimated above `enough` of the largest
 * one, a quarter is tried. */
static const double displacement = 0.02, enough = 5e-13;

/* The error of an extrapolated slope, of order 6, from that of order 4: with a displacement of x lengths over which r
 * changes, they are about x^6 and x^4. `safety`: the latter differ from the powers by derivatives. */
static const double safety = 20;

enum { Levels = 3, Tries = 4 };

/* Whether the laws of a solved island are functions of its state alone. */
static int isOfState(ukIsland *island, const double *qdd, bool *of_state)
{
    bool depends = false;
    *of_state = true;
    if (island->ideal->laws == 0) return ukOk;
    for (int i = 0; i < ukIslandLawCount(island); i++) {
        const ukLaw *const law = ukIslandLaw(island, i);
        if (law && law->mu > 0) *of_state = false;
    }
    if (!*of_state || !ukLawForceCalls(island)) return ukOk;
    double *const ideal = calloc((size_t)island->problem->rows + 1, sizeof *ideal);
    if (!ideal) return ukErrorSet(ukErrorMemory, "no memory for multipliers of %d rows", island->problem->rows);
    memcpy(ideal, island->rows.lambda_ideal, (size_t)island->ideal->problem.rows * sizeof *ideal);
    int status = ukLawForceFill(island, ideal, qdd);
    if (status == ukOk) status = ukLawForceDepends(island, ideal, qdd, &depends);
    free(ideal);
    *of_state = !depends;
    return status;
}

int ukTangentPossible(const ukProbe *probe, bool *possible)
{
    ukStepper *const s = probe->s;
    int status = ukOk, first = 0;
    *possible = probe->form == ukProbeContinuous && probe->activity.slides == 0;
    for (int i = 0; i < s->island_count && *possible && status == ukOk; i++) {
        ukIsland *const island = &s->islands[i];
        status = isOfState(island, s->bodies.qdd + 6 * (size_t)first, possible);
        *possible &= island->massless == 0;
        first += island->problem->bodies;
    }
    return status;
}

static void carveTangent(ukTangent *t, ukArena *a)
{
    const size_t n = (size_t)t->n, most = n + (size_t)t->c->rows;
    t->qdd = ukArenaDoubles(a, n);
    UKODE_DOUBLES(a, (size_t)t->rows, &t->lambda, &t->ideal);
    for (int i = 0; i < 2; i++) t->side[i] = ukArenaDoubles(a, most);
    for (int i = 0; i < Levels; i++) t->slope[i] = ukArenaDoubles(a, most);
    t->fine = ukArenaDoubles(a, most);
    for (int i = 0; i < 2; i++) t->kept[i] = ukArenaDoubles(a, most);
}

int ukTangentBegin(ukTangent *t, ukProbe *probe, const ukCoordinates *c, double length, double rate)
{
    *t = (ukTangent){.probe = probe,
                     .c = c,
                     .n = c->n,
                     .rows = probe->s->row_count,
                     .length = length,
                     .rate = rate,
                     .smallest = displacement};
    ukArena arena = ukArenaOver(NULL, 0);
    carveTangent(t, &arena);
    t->memory = ukArenaAllocate(&arena);
    if (!t->memory) return ukErrorSet(ukErrorMemory, "no memory for the tangent (bodies: %d)", c->bodies);
    carveTangent(t, &arena);
    memcpy(t->qdd, probe->s->bodies.qdd, (size_t)t->n * sizeof *t->qdd);
    memcpy(t->lambda, probe->s->rows.lambda, (size_t)t->rows * sizeof *t->lambda);
    memcpy(t->ideal, probe->s->rows.lambda_ideal, (size_t)t->rows * sizeof *t->ideal);
    return ukColoringBegin(&t->coloring, probe);
}

void ukTangentEnd(ukTangent *t)
{
    ukColoringEnd(&t->coloring);
    free(t->memory);
    *t = (ukTangent){0};
}

/* ---- the residual ------------------------------------------------------------------------------------------------ */

/* r of an island's bodies, from moving body `first` and row `row` of the world on */
static void residualOfIsland(const ukTangent *t, const ukIsland *island, int first, int row, double *r)
{
    const ukProblem *const p = island->problem;
    for (int k = 0; k < p->bodies; k++) {
        double *const to = r + 6 * (first + k);
        const double *const a = t->qdd + 6 * (first + k), *const Q = p->Q + 6 * (size_t)k;
        double turned[3];
        ukRotate(p->inertia + 9 * (size_t)k, a + 3, turned);
        for (int c = 0; c < 3; c++) {
            to[c] = Q[c] - p->mass[k] * a[c];
            to[3 + c] = Q[3 + c] - turned[c];
        }
        for (int c = 0; c < 6 && island->ideal->laws > 0; c++) to[c] += island->bodies.C[6 * k + c];
    }
    for (int j = 0; j < p->blocks; j++) {
        const ukBlock *const block = &p->block[j];
        const double *J = p->A + block->A;
        for (int i = block->row; i < block->row + block->rows; i++)
            for (int slot = 0; slot < block->slots; slot++, J += 6) {
                const int body = p->body[block->slot + slot];
                for (int c = 0; c < 6 && body >= 0; c++) r[6 * (first + body) + c] += t->lambda[row + i] * J[c];
            }
    }
}

int ukTangentResidual(ukTangent *t, double *residual)
{
    const ukStepper *const s = t->probe->s;
    double *rate = residual + t->n;
    int first = 0, row = 0;
    const int status = ukProbeAssemble(t->probe);
    if (status != ukOk) return status;
    if (s->row_count != t->rows)
        return ukErrorSet(
            ukErrorNotConverged,
            "the number of rows of a joint changes near the present state: choose another state, or differences");
    for (int i = 0; i < s->island_count; i++) {
        ukIsland *const island = &s->islands[i];
        if (island->ideal->laws > 0) {
            const int filled = ukLawForceFill(island, t->ideal + row, t->qdd + 6 * (size_t)first);
            if (filled != ukOk) return filled;
        }
        residualOfIsland(t, island, first, row, residual);
        for (int k = 0; k < island->problem->blocks; k++) {
            const ukBlock *const block = &island->problem->block[k];
            for (int at = block->row; at < block->row + block->rows; at++)
                if (ukProbeRigid(t->probe, island, at)) *rate++ = island->rows.rate[at] - island->rows.target[at];
        }
        first += island->problem->bodies;
        row += island->problem->rows;
    }
    return ukOk;
}

/* ---- differences ------------------------------------------------------------------------------------------------- */

/* The bodies of a group at the base state, displaced by x in coordinate i (0 ... 5 of poses, 6 ... 11 of
 * velocities). */
static void displaceGroup(const ukTangent *t, int group, int i, double x)
{
    for (int k = 0; k < t->c->bodies; k++) {
        ukState *const s = &ukProbeFrame(t->probe, k)->state;
        *s = t->c->state[k];
        if (t->coloring.group[k] != group) continue;
        if (i >= 6) {
            s->v[i - 6] += x;
        } else if (i < 3) {
            s->x[i] += x;
        } else {
            double turn[3] = {0};
            turn[i - 3] = x;
            ukRotateBy(s->q, turn);
            ukStateOrient(s);
        }
    }
}

/* Computes slopes by levels of half the change each, extrapolated to order 6, in slope[0]; those of order 4 in fine. */
static void extrapolateSlopes(ukTangent *t)
{
    for (int k = 0; k < t->n + t->c->rows; k++) {
        const double coarse = (4 * t->slope[1][k] - t->slope[0][k]) / 3;
        t->fine[k] = (4 * t->slope[2][k] - t->slope[1][k]) / 3;
        t->slope[0][k] = (16 * t->fine[k] - coarse) / 15;
    }
}

static int differentiateGroup(ukTangent *t, int group, int i, double x, double *slope)
{
    const int most = t->n + t->c->rows;
    int status = ukOk;
    for (int side = 0; side < 2 && status == ukOk; side++) {
        displaceGroup(t, group, i, side ? x : -x);
        status = ukTangentResidual(t, t->side[side]);
    }
    for (int k = 0; k < most && status == ukOk; k++) slope[k] = (t->side[1][k] - t->side[0][k]) / (2 * x);
    return status;
}

/* The part of the largest slope of r, or of a row, that two of them differ by. */
static double differenceOf(const ukTangent *t, const double *x, const double *y)
{
    double worst = 0;
    for (int part = 0; part < 2; part++) {
        const int from = part == 0 ? 0 : t->n, to = part == 0 ? t->n : t->n + t->c->rows;
        double most = 0, apart = 0;
        for (int k = from; k < to; k++) {
            most = fmax(most, fabs(x[k]));
            apart = fmax(apart, fabs(x[k] - y[k]));
        }
        if (most > 0) worst = fmax(worst, apart / most);
    }
    return worst;
}

/* Slopes at x and its halves, extrapolated, to slope[0], and to fine what differs from them by their error: twice the
 * same, where two levels agree (r is quadratic in velocities). */
static int extrapolateAt(ukTangent *t, int group, int i, double x)
{
    const size_t most = (size_t)(t->n + t->c->rows);
    for (int level = 0; level < Levels; level++) {
        const int status = differentiateGroup(t, group, i, x / (1 << level), t->slope[level]);
        if (status != ukOk) return status;
        if (i < 6 || level != 1 || differenceOf(t, t->slope[0], t->slope[1]) > enough) continue;
        memcpy(t->fine, t->slope[0], most * sizeof *t->fine);
        return ukOk;
    }
    extrapolateSlopes(t);
    const double share = fmin(1, safety * sqrt(differenceOf(t, t->slope[0], t->fine)));
    for (size_t k = 0; k < most; k++) t->fine[k] = t->slope[0][k] + share * (t->fine[k] - t->slope[0][k]);
    return ukOk;
}

int ukTangentDifferentiate(ukTangent *t, int group, int i)
{
    const size_t bytes = (size_t)(t->n + t->c->rows) * sizeof *t->fine;
    double x = displacement * (i % 6 < 3 ? t->length : 1) * (i < 6 ? 1 : t->rate), before = INFINITY;
    for (int trial = 0; trial < Tries; trial++, x /= 4) {
        const int status = extrapolateAt(t, group, i, x);
        if (status != ukOk) return status;
        const double error = differenceOf(t, t->slope[0], t->fine);
        if (error >= before) break;
        memcpy(t->kept[0], t->slope[0], bytes);
        memcpy(t->kept[1], t->fine, bytes);
        t->smallest = fmin(t->smallest, displacement / pow(4, trial));
        if (error <= enough) return ukOk;
        before = error;
    }
    memcpy(t->slope[0], t->kept[0], bytes);
    memcpy(t->fine, t->kept[1], bytes);
    return ukOk;
}

/* Displaces all bodies from the base state by x (dq, dv). */
static void displaceAlong(const ukTangent *t, const double *dq, const double *dv, double x)
{
    for (int k = 0; k < t->c->bodies; k++) {
        ukState *const s = &ukProbeFrame(t->probe, k)->state;
        double turn[3];
        *s = t->c->state[k];
        for (int i = 0; i < 6; i++) s->v[i] += x * dv[6 * k + i];
        for (int i = 0; i < 3; i++) {
            s->x[i] += x * dq[6 * k + i];
            turn[i] = x * dq[6 * k + 3 + i];
        }
        ukRotateBy(s->q, turn);
        ukStateOrient(s);
    }
}

int ukTangentAlong(ukTangent *t, const double *dq, const double *dv)
{
    double most = 0;
    int status = ukOk;
    for (int i = 0; i < t->n; i++)
        most = fmax(most, fmax(fabs(dq[i]), fabs(dv[i]) / t->rate) / (i % 6 < 3 ? t->length : 1));
    for (int level = 0; level < Levels; level++) {
        const double x = displacement / (most > 0 ? most : 1) / (1 << level);
        for (int side = 0; side < 2 && status == ukOk; side++) {
            displaceAlong(t, dq, dv, side ? x : -x);
            status = ukTangentResidual(t, t->side[side]);
        }
        if (status != ukOk) return status;
        for (int k = 0; k < t->n + t->c->rows; k++) t->slope[level][k] = (t->side[1][k] - t->side[0][k]) / (2 * x);
    }
    extrapolateSlopes(t);
    return ukOk;
}

int ukTangentReturn(ukTangent *t)
{
    displaceGroup(t, -1, 0, 0);
    return ukProbeAssemble(t->probe);
}

/* ---- products ---------------------------------------------------------------------------------------------------- */

/* r and coarse += slopes x (component i of the body that owns each one's change) */
static void addToBodies(const ukTangent *t, const ukTangentProduct *p, int group, int i)
{
    const int *const owner = t->coloring.owner + (size_t)group * (size_t)t->c->bodies;
    for (int k = 0; k < t->c->bodies; k++) {
        if (owner[k] < 0) continue;
        for (int j = 0; j < p->count; j++) {
            const size_t from = (size_t)j * (size_t)t->n + (size_t)(6 * owner[k] + i);
            const double x = p->direction[from], y = p->coarse_direction[from];
            const size_t at = (size_t)j * (size_t)t->n + (size_t)(6 * k);
            for (int c = 0; c < 6 && (x != 0 || y != 0); c++) {
                p->r[at + (size_t)c] += x * t->slope[0][6 * k + c];
                p->coarse[at + (size_t)c] += y * t->fine[6 * k + c];
            }
        }
    }
}

/* the same of rigid rows, of which the body of the group is one of their block's */
static void addToRows(const ukTangent *t, const ukTangentProduct *p, int group, int i)
{
    const ukStepper *const s = t->probe->s;
    int first = 0, row = 0;
    for (int island = 0; island < s->island_count; island++) {
        const ukProblem *const q = s->islands[island].problem;
        for (int k = 0; k < q->blocks; k++) {
            int body = -1;
            for (int slot = q->block[k].slot; slot < q->block[k].slot + q->block[k].slots; slot++)
                if (q->body[slot] >= 0 && t->coloring.group[first + q->body[slot]] == group)
                    body = first + q->body[slot];
            for (int at = q->block[k].row; at < q->block[k].row + q->block[k].rows; at++) {
                if (!ukProbeRigid(t->probe, &s->islands[island], at)) continue;
                const double slope = t->slope[0][t->n + row], fine = t->fine[t->n + row];
                for (int j = 0; body >= 0 && j < p->count; j++) {
                    const double x = p->direction[(size_t)j * (size_t)t->n + (size_t)(6 * body + i)];
                    p->rates[(size_t)j * (size_t)t->c->rows + (size_t)row] += slope * x;
                    p->coarse_rates[(size_t)j * (size_t)t->c->rows + (size_t)row] += fine * x;
                }
                row++;
            }
        }
        first += q->bodies;
    }
}

static int multiplyTangent(ukTangent *t, const ukTangentProduct *p, int first)
{
    int status = ukOk;
    for (int group = 0; group < t->coloring.groups; group++)
        for (int i = 0; i < 6; i++) {
            ukProgressStore(ukProgressLinearizing, t->coloring.groups * first + 6 * group + i, 12 * t->coloring.groups);
            status = ukTangentDifferentiate(t, group, first + i);
            if (status != ukOk) return status;
            addToBodies(t, p, group, i);
            if (p->rates) addToRows(t, p, group, i);
        }
    return ukTangentReturn(t); /* masses of the base state */
}

int ukTangentPoses(ukTangent *t, const ukTangentProduct *product)
{
    return multiplyTangent(t, product, 0);
}

int ukTangentVelocities(ukTangent *t, const ukTangentProduct *product)
{
    return multiplyTangent(t, product, 6);
}

double ukTangentRounding(const ukTangent *t)
{
    const ukStepper *const s = t->probe->s;
    double *const size = t->fine; /* (n) of the terms */
    double most = 0;
    int first = 0, row = 0;
    for (int k = 0; k < t->c->bodies; k++)
        for (int c = 0; c < 6; c++) {
            const size_t at = (size_t)(6 * k + c);
            size[at] = fabs(s->bodies.Q[at]) + t->c->M[36 * k + 7 * c] * fabs(t->qdd[at]);
        }
    for (int i = 0; i < s->island_count; i++) {
        const ukProblem *const p = s->islands[i].problem;
        for (int j = 0; j < p->blocks; j++) {
            const double *J = p->A + p->block[j].A;
            for (int at = p->block[j].row; at < p->block[j].row + p->block[j].rows; at++)
                for (int slot = p->block[j].slot; slot < p->block[j].slot + p->block[j].slots; slot++, J += 6)
                    for (int c = 0; c < 6 && p->body[slot] >= 0; c++)
                        size[6 * (first + p->body[slot]) + c] += fabs(t->lambda[row + at] * J[c]);
        }
        first += p->bodies;
        row += p->rows;
    }
    for (int k = 0; k < t->n; k++) {
        const double mass = t->c->M[36 * (k / 6) + 7 * (k % 6)];
        most = fmax(most, size[k] / mass / (k % 6 < 3 ? t->length : 1));
    }
    return 2 * DBL_EPSILON * most / (t->smallest / 4); /* a quarter: the last level */
}
