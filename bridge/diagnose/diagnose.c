/* SPDX-License-Identifier: BSD-3-Clause */
#include "bridge/diagnose/diagnose.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bridge/base/log.h"
#include "bridge/island/metric.h"
#include "bridge/island/refuse.h"
#include "bridge/island/stepper.h"
#include "bridge/step/evaluate.h"
#include "solvers/base/status.h"
#include "solvers/equality/left_null.h"
#include "solvers/problem/tolerance.h"

static const char too_large[] =
    "its levers or masses are too large or too small to scale its rows (their squares overflow)";

/* One joint or user constraint: where its rigid rows are in the dense system. */
typedef struct Part {
    const ukProblem *p;
    const ukBlock *block;
    const ukBlockOwner *owner;
    int column; /* of its island's first body */
    int row, rows;
} Part;

/* The world's rigid rows, dense: all arrays are one allocation. */
typedef struct Dense {
    const ukStepper *s;
    int m, n, parts;
    Part *part;                  /* (parts) */
    double *A, *B;               /* (m x n): A, and A M^-1/2 of unit rows (solvers/problem/tolerance.h) */
    double *unit;                /* (m) of the rows */
    double *pose, *rate, *accel; /* (m) right-hand sides of unit rows; pose: -phi */
    unsigned char *linear, *holonomic;
    double *U, *sigma; /* (m x m), (m) */
    double tolerance;  /* of the rank */
    double reach;      /* the longest of the linear rows */
    double *work;      /* (m x n + 2 m x m + 2 m) scratch */
    int *chosen;       /* (m) rows of a subset, */
    double *y;         /* (m) what of their right-hand sides it cannot meet */
    int *candidate;    /* (parts) */
    unsigned char *in; /* (parts) a subset */
} Dense;

static void countRows(const ukStepper *s, int *rows, int *parts)
{
    *rows = *parts = 0;
    for (int k = 0; k < s->island_count; k++) {
        const ukIsland *island = &s->islands[k];
        const ukProblem *p = &island->ideal->problem;
        for (int j = 0; j < p->blocks; j++) {
            const int before = *rows;
            for (int i = 0; i < p->block[j].rows; i++) *rows += ukRowExact(island, p->block[j].row + i);
            *parts += *rows > before;
        }
    }
}

static void carveDiagnose(Dense *d, ukArena *a)
{
    const size_t m = (size_t)d->m, n = (size_t)d->n, parts = (size_t)d->parts;
    d->part = ukArenaBytes(a, parts * sizeof *d->part);
    UKODE_DOUBLES(a, m * n, &d->A, &d->B);
    UKODE_DOUBLES(a, m, &d->unit, &d->pose, &d->rate, &d->accel);
    d->linear = ukArenaBytes(a, m);
    d->holonomic = ukArenaBytes(a, m);
    d->U = ukArenaDoubles(a, m * m);
    d->sigma = ukArenaDoubles(a, m);
    d->work = ukArenaDoubles(a, m * n + 2 * m * m + 2 * m);
    d->chosen = ukArenaInts(a, m);
    d->y = ukArenaDoubles(a, m);
    d->candidate = ukArenaInts(a, parts);
    d->in = ukArenaBytes(a, parts);
}

/* Fills row `row` from row `at` of a block of the island, whose coordinates begin at column0. */
static void fillRow(Dense *d, int row, const ukIsland *island, const ukBlock *block, int at, int column0)
{
    const ukProblem *p = &island->ideal->problem;
    const ukRowArrays *own = &island->rows;
    const int i = at - block->row;
    const size_t r = (size_t)row * (size_t)d->n + (size_t)column0;
    const double *J = p->A + block->A + 6 * (size_t)(i * block->slots);
    const double unit = ukRowUnit(p, block, at, 0);
    double speed = 0;
    for (int slot = 0; slot < block->slots; slot++, J += 6) {
        const int body = p->body[block->slot + slot];
        for (int c = 0; c < 3; c++) d->linear[row] |= J[c] != 0;
        if (body < 0) continue;
        const double *v = island->bodies.frame[body]->state.v;
        double *A = d->A + r + 6 * body, *B = d->B + r + 6 * body;
        for (int c = 0; c < 6; c++) {
            A[c] = J[c];
            speed += J[c] * v[c];
            B[c] = unit * J[c];
        }
        ukMetricRow(p, body, B);
    }
    d->holonomic[row] = !own->velocity[at];
    d->unit[row] = unit;
    if (d->linear[row]) d->reach = fmax(d->reach, ukRowReach(p, block, at));
    d->pose[row] = own->velocity[at] ? 0 : -unit * own->phi[at];
    d->rate[row] = unit * (speed - (own->rate[at] - own->target[at]));
    d->accel[row] = unit * own->b[at];
}

/* Refuses magnitudes whose squares overflow, which leave no unit rows to decompose. */
static int checkPart(const Dense *d, const Part *part)
{
    const ukBlockOwner *owner = part->owner;
    const size_t first = (size_t)part->row, rows = (size_t)part->rows, n = (size_t)d->n;
    bool sound = ukFiniteAll(d->B + first * n, rows * n) && ukFiniteAll(d->pose + first, rows) &&
                 ukFiniteAll(d->rate + first, rows) && ukFiniteAll(d->accel + first, rows);
    for (size_t i = first; i < first + rows; i++) sound &= d->unit[i] > 0;
    if (sound) return ukOk;
    if (owner->joint) return ukRefuseJoint(owner->joint, ukErrorNotFinite, "%s", too_large);
    return ukErrorSet(ukErrorNotFinite, "user constraint %llu: %s",
                      (unsigned long long)owner->constraint->element.serial, too_large);
}

static int fillDiagnose(Dense *d)
{
    const ukStepper *s = d->s;
    int row = 0, part = 0, column = 0;
    for (int k = 0; k < s->island_count; k++) {
        const ukIsland *island = &s->islands[k];
        const ukProblem *p = &island->ideal->problem;
        for (int j = 0; j < p->blocks; j++) {
            const int first = row;
            for (int i = p->block[j].row; i < p->block[j].row + p->block[j].rows; i++)
                if (ukRowExact(island, i)) fillRow(d, row++, island, &p->block[j], i, column);
            if (row == first) continue;
            d->part[part] = (Part){.p = p,
                                   .block = &p->block[j],
                                   .owner = &island->rows.owners[j],
                                   .column = column,
                                   .row = first,
                                   .rows = row - first};
            const int status = checkPart(d, &d->part[part++]);
            if (status != ukOk) return status;
        }
        column += 6 * p->bodies;
    }
    return ukOk;
}

/* ---- redundancy and uniqueness ----------------------------------------------------------------------------------- */

static const double negligible = 1e-6; /* of coefficients of orthonormal null vectors of unit rows */

/* Size of a unit force (torque) on a body in the metric of M^-1: its acceleration in the norm of M is this number. In
 * units of it the forces of unit rows have size 1. */
static double unitForceSize(const ukProblem *p, int body, int component)
{
    const double *I = p->inertia + 9 * (size_t)body;
    return 1 / sqrt(component < 3 ? p->mass[body] : (I[0] + I[4] + I[8]) / 2);
}

static int describePart(Dense *d, const Part *part, int rank, ukJointDiagnosis *out)
{
    const ukBlockOwner *owner = part->owner;
    const int m = d->m, n = d->n, nulls = m - rank;
    *out = (ukJointDiagnosis){.joint = owner->joint ? owner->joint->handle : NULL,
                              .constraint = owner->constraint ? owner->constraint->element.handle : NULL,
                              .rows = part->rows};
    double *N = d->work, *U = N + part->rows * nulls, *sigma = U + part->rows * part->rows;
    for (int i = 0; i < part->rows; i++)
        for (int c = 0; c < nulls; c++) N[i * nulls + c] = d->U[(part->row + i) * m + rank + c];
    /* reactions of the null vectors, before N is overwritten; on its first body first */
    out->unique = 1;
    for (int c = 0; c < 6; c++) out->unique_component[c] = 1;
    int first = 1;
    for (int slot = 0; slot < part->block->slots; slot++) {
        const int body = part->p->body[part->block->slot + slot];
        if (body < 0) continue;
        const int column = part->column + 6 * body;
        for (int c = 0; c < 6; c++) {
            double free = 0;
            for (int k = 0; k < nulls; k++) {
                double f = 0;
                for (int i = 0; i < part->rows; i++) {
                    const int row = part->row + i;
                    f += d->unit[row] * d->A[row * n + column + c] * N[i * nulls + k];
                }
                free = fmax(free, fabs(f));
            }
            if (free * unitForceSize(part->p, body, c) <= negligible) continue;
            out->unique = 0;
            if (first) out->unique_component[c] = 0;
        }
        first = 0;
    }
    if (nulls == 0) return ukOk;
    const int status = ukLeftNull(part->rows, nulls, N, 0, U, sigma, &out->redundant_rows);
    while (out->redundant_rows > 0 && sigma[out->redundant_rows - 1] <= negligible) out->redundant_rows--;
    return status;
}

/* ---- contradiction ----------------------------------------------------------------------------------------------- */

typedef struct Question {
    const double *rhs; /* (m) */
    bool pose;         /* only holonomic rows are examined */
    double tolerance;
} Question;

typedef struct Answer {
    double size; /* 0: the subset's rows can be met together */
    bool angle;
} Answer;

/* The parts in d->in, alone. */
static int diagnoseSelectedParts(Dense *d, const Question *q, Answer *answer)
{
    const int n = d->n;
    int m = 0, rank;
    *answer = (Answer){0};
    for (int k = 0; k < d->parts; k++)
        for (int i = d->part[k].row; d->in[k] && i < d->part[k].row + d->part[k].rows; i++)
            if (!q->pose || d->holonomic[i]) d->chosen[m++] = i;
    if (m == 0) return ukOk;
    double *B = d->work, *U = B + m * n, *sigma = U + m * m, *y = d->y;
    for (int i = 0; i < m; i++) memcpy(B + i * n, d->B + d->chosen[i] * n, (size_t)n * sizeof *B);
    const int status = ukLeftNull(m, n, B, d->tolerance, U, sigma, &rank);
    if (status != ukOk) return status;
    memset(y, 0, (size_t)m * sizeof *y);
    for (int c = rank; c < m; c++) {
        double along = 0;
        for (int i = 0; i < m; i++) along += U[i * m + c] * q->rhs[d->chosen[i]];
        for (int i = 0; i < m; i++) y[i] += along * U[i * m + c];
    }
    /* of angles, of the others: of unit rows, of the rows themselves, of those that are off */
    double square = 0, share[2] = {0}, most = 0, own[2] = {0}, off[2] = {0};
    for (int i = 0; i < m; i++) most = fmax(most, fabs(q->rhs[d->chosen[i]]));
    for (int i = 0; i < m; i++) {
        const int row = d->chosen[i], kind = d->linear[row];
        const double coefficient = d->unit[row] * fabs(y[i]);
        share[kind] = fmax(share[kind], fabs(y[i]));
        own[kind] = fmax(own[kind], coefficient);
        if (fabs(q->rhs[row]) > negligible * most) off[kind] = fmax(off[kind], coefficient);
        square += y[i] * y[i];
    }
    for (int kind = 0; kind < 2; kind++) own[kind] = fmax(0.5 * own[kind], off[kind]); /* off alone may be rounding */
    answer->angle = share[1] <= negligible * share[0];
    const double unit = own[!answer->angle], size = unit > 0 ? square / unit : 0;
    if (size > q->tolerance) answer->size = size;
    return ukOk;
}

/* Removes from d->in, the set examined last, the parts that have no share in y: the others contradict each other
 * alone. */
static void excludeUninvolved(Dense *d, const Question *q)
{
    int m = 0;
    double most = 0;
    for (int k = 0, row = 0; k < d->parts; k++)
        for (int i = 0; d->in[k] && i < d->part[k].rows; i++)
            if (!q->pose || d->holonomic[d->part[k].row + i]) most = fmax(most, fabs(d->y[row++]));
    for (int k = 0; k < d->parts; k++) {
        double share = 0;
        for (int i = 0; d->in[k] && i < d->part[k].rows; i++)
            if (!q->pose || d->holonomic[d->part[k].row + i]) share = fmax(share, fabs(d->y[m++]));
        if (share <= negligible * most) d->in[k] = 0;
    }
}

enum { MostSubsets = 2000, MostPicked = 8 };

static void selectParts(Dense *d, const int *picked, int size)
{
    memset(d->in, 0, (size_t)d->parts);
    for (int k = 0; k < size; k++) d->in[picked[k]] = 1;
}

/* Binomial coefficient n over size, or MostSubsets + 1 if that is less. */
static int countSubsets(int n, int size)
{
    double count = 1;
    for (int k = 0; k < size; k++) count = count * (n - k) / (k + 1);
    return count <= (double)MostSubsets ? (int)(count + 0.5) : MostSubsets + 1;
}

/* Replaces the subset by the next one of `size` elements of 0 ... n - 1 in lexicographic order; false: it was the
 * last. */
static bool nextSubset(int *pick, int size, int n)
{
    int k = size - 1;
    while (k >= 0 && pick[k] == n - size + k) k--;
    if (k < 0) return false;
    pick[k]++;
    for (int j = k + 1; j < size; j++) pick[j] = pick[j - 1] + 1;
    return true;
}

/* Finds the set of `size` candidates (of n) in the largest conflict; none: answer->size 0. */
static int ofSize(Dense *d, const Question *q, const int *candidate, int n, int size, Answer *answer)
{
    int pick[MostPicked], picked[MostPicked], best[MostPicked] = {0}, status = ukOk;
    *answer = (Answer){0};
    for (int k = 0; k < size; k++) pick[k] = k;
    do {
        Answer a;
        for (int k = 0; k < size; k++) picked[k] = candidate[pick[k]];
        selectParts(d, picked, size);
        status = diagnoseSelectedParts(d, q, &a);
        if (status != ukOk || !(a.size > answer->size)) continue;
        *answer = a;
        memcpy(best, picked, sizeof best);
    } while (status == ukOk && nextSubset(pick, size, n));
    selectParts(d, best, size);
    return status;
}

/* Finds the smallest set of parts in conflict, if all sets of its size can be examined. */
static int findSmallestConflict(Dense *d, const Question *q, const ukJointDiagnosis *joints, Answer *answer)
{
    int n = 0, status = ukOk;
    *answer = (Answer){0};
    for (int k = 0; k < d->parts; k++)
        if (joints[k].redundant_rows > 0) d->candidate[n++] = k;
    for (int size = 1; size <= n && size <= MostPicked && status == ukOk; size++) {
        if (countSubsets(n, size) > MostSubsets) break;
        status = ofSize(d, q, d->candidate, n, size, answer);
        if (answer->size > 0) break;
    }
    return status;
}

/* Removes, one after the other, parts without which the conflict remains; first all that have no share in the
 * combination of rows that proves it. */
static int findIrreducibleConflict(Dense *d, const Question *q, Answer *answer)
{
    Answer a;
    memset(d->in, 1, (size_t)d->parts);
    int status = diagnoseSelectedParts(d, q, answer);
    if (status == ukOk) excludeUninvolved(d, q);
    if (status == ukOk) status = diagnoseSelectedParts(d, q, &a);
    if (status == ukOk && !(a.size > 0)) memset(d->in, 1, (size_t)d->parts); /* a share near the threshold */
    for (int k = 0; k < d->parts && status == ukOk; k++) {
        if (!d->in[k]) continue;
        d->in[k] = 0;
        status = diagnoseSelectedParts(d, q, &a);
        if (a.size > 0)
            *answer = a;
        else
            d->in[k] = 1;
    }
    return status;
}

/* Largest right-hand side, given those of unit rows, in the units of the rows themselves. */
static double largestSide(const Dense *d, const double *x)
{
    double most = 0;
    for (int i = 0; i < d->m; i++) most = fmax(most, fabs(x[i]) / d->unit[i]);
    return most;
}

/* Finds the conflicts of errors, rates and accelerations. Any position errors contradict each other to second order:
 * phi^2 over a length is not a conflict. */
static int findConflicts(Dense *d, ukJointDiagnosis *joints, ukDiagnosis *out)
{
    const double phi = largestSide(d, d->pose), reach = d->reach;
    const Question questions[3] = {{d->pose, true, 1e-9 * reach + (reach > 0 ? 4 * phi * phi / reach : 0)},
                                   {d->rate, false, 1e-6 * largestSide(d, d->rate) + 1e-12},
                                   {d->accel, false, 1e-3 * largestSide(d, d->accel) + 1e-9}};
    for (int k = 0; k < 3; k++) {
        Answer answer;
        for (int j = 0; j < d->parts; j++) d->in[j] = 1;
        int status = diagnoseSelectedParts(d, &questions[k], &answer);
        if (status != ukOk) return status;
        if (answer.size <= 0) continue;
        status = findSmallestConflict(d, &questions[k], joints, &answer);
        if (status == ukOk && answer.size <= 0) status = findIrreducibleConflict(d, &questions[k], &answer);
        if (status != ukOk) return status;
        out->conflict = (ukConflict)(ukConflictPose + k);
        out->conflict_size = answer.size;
        out->conflict_is_angle = answer.angle;
        for (int j = 0; j < d->parts; j++) out->conflict_joints += joints[j].in_conflict = d->in[j];
        return ukOk;
    }
    return ukOk;
}

/* -------------------------------------------------------------------------------------------------------------------
 */

static double toleranceOf(const ukStepper *s)
{
    double tolerance = 0;
    for (int i = 0; i < s->island_count; i++)
        tolerance = fmax(tolerance, ukRankTolerance(&s->islands[i], s->islands[i].problem));
    return tolerance;
}

static int analyseRows(Dense *d, ukJointDiagnosis *joints, ukDiagnosis *out)
{
    const int m = d->m;
    int status = fillDiagnose(d);
    if (status != ukOk) return status;
    memcpy(d->work, d->B, (size_t)m * (size_t)d->n * sizeof *d->work);
    status = ukLeftNull(m, d->n, d->work, d->tolerance, d->U, d->sigma, &out->rank);
    out->largest = d->sigma[0];
    out->kept = out->rank > 0 ? d->sigma[out->rank - 1] : 0;
    out->dropped = out->rank < m ? d->sigma[out->rank] : 0;
    for (int k = 0; k < d->parts && status == ukOk; k++) status = describePart(d, &d->part[k], out->rank, &joints[k]);
    return status == ukOk && out->rank < m ? findConflicts(d, joints, out) : status;
}

/* ukRowsUse: data is the ukDiagnosis */
static int diagnoseRows(ukWorld *world, void *data)
{
    ukStepper *s = world->stepper;
    Dense d = {.s = s, .n = 6 * s->moving_count, .tolerance = toleranceOf(s)};
    countRows(s, &d.m, &d.parts);
    ukDiagnosis out = {.rows = d.m, .columns = d.n, .count = d.parts};
    ukArena arena = ukArenaOver(NULL, 0);
    carveDiagnose(&d, &arena);
    void *memory = ukArenaAllocate(&arena);
    ukJointDiagnosis *joints = calloc((size_t)d.parts + 1, sizeof *joints);
    int status = memory && joints ? ukOk : ukErrorMemory;
    if (status == ukOk) {
        carveDiagnose(&d, &arena);
        if (d.m > 0) status = analyseRows(&d, joints, &out);
    }
    free(memory);
    if (status != ukOk) {
        free(joints);
        if (status != ukErrorNotFinite)
            ukErrorSet(status, "the diagnosis failed (rows: %d): %s", out.rows, ukErrorText(status));
        return status;
    }
    free(s->diagnosis);
    s->diagnosis = joints;
    out.joints = joints;
    *(ukDiagnosis *)data = out;
    return ukOk;
}

int ukDiagnose(ukWorld *world, ukDiagnosis *diagnosis)
{
    return ukEvaluateRows(world, diagnoseRows, diagnosis);
}
