/* SPDX-License-Identifier: BSD-3-Clause */
#include "bridge/solve/consistent.h"

#include <math.h>
#include <string.h>

#include "bridge/island/island.h"
#include "bridge/island/refuse.h"
#include "bridge/joints/class.h"
#include "bridge/solve/one.h"
#include "solvers/base/status.h"
#include "solvers/problem/tolerance.h"

static const struct {
    double contradiction; /* residual that counts as a contradiction, relative to the largest acceleration */
    double rounding;      /* relative rounding of positions in phi, and of the unconstrained accelerations that the rows
                           * cancel */
    double free;          /* softness that makes a row ineffective, relative to the row's own compliance */
    double by_others;     /* residual of all rows over that of the joints alone, whose own drift is not an error */
    double own;           /* the fraction of a drift from which the joints alone cause it */
    double lost;          /* drift [angle] from which a pose is not reached, whether or not its rows are dependent */
    double dependent;     /* relative singular value of rows that count as dependent at every pose */
} bound = {.contradiction = 1e-3,
           .rounding = 1e-12,
           .free = 1e9,
           .by_others = 10,
           .own = 0.1,
           .lost = 1e-6,
           .dependent = 1e-9};

/* sum of |A x| over the terms of one row */
static double rowSize(const ukProblem *p, const ukBlock *block, const double *A, const double *x)
{
    double sum = 0;
    for (int slot = 0; slot < block->slots; slot++) {
        const int body = p->body[block->slot + slot];
        for (int k = 0; k < 6 && body >= 0; k++) sum += fabs(A[6 * slot + k] * x[6 * body + k]);
    }
    return sum;
}

/* the same for the unconstrained accelerations M^-1 Q */
static double rowFree(const ukProblem *p, const ukBlock *block, const double *A)
{
    double sum = 0;
    for (int slot = 0; slot < block->slots; slot++, A += 6) {
        const int body = p->body[block->slot + slot];
        if (body < 0) continue;
        const double *Q = p->Q + 6 * (size_t)body, *J = p->inverse_inertia + 9 * (size_t)body;
        for (int k = 0; k < 3; k++) {
            sum += fabs(A[k] * Q[k]) / p->mass[body];
            for (int c = 0; c < 3; c++) sum += fabs(A[3 + k] * J[3 * k + c] * Q[3 + c]);
        }
    }
    return sum;
}

/* sum of the row's terms for the positions of the bodies and unit angles: the size of phi that rounding is
 * relative to */
static double rowReach(const ukIsland *island, const ukProblem *p, const ukBlock *block, const double *A)
{
    double sum = 0;
    for (int slot = 0; slot < block->slots; slot++) {
        const int body = p->body[block->slot + slot];
        if (body < 0) continue;
        const double *x = island->bodies.frame[body]->state.x;
        for (int k = 0; k < 3; k++) sum += fabs(A[6 * slot + k] * x[k]) + fabs(A[6 * slot + 3 + k]);
    }
    return sum;
}

/* The exact row with the largest residual. */
typedef struct Contradiction {
    int block, row; /* of the problem */
    double residual;
} Contradiction;

/* A qdd - b of one row */
static double residualOf(const ukProblem *p, const double *A, const ukBlock *block, int i, const double *qdd)
{
    double residual = -p->b[i];
    for (int slot = 0; slot < block->slots; slot++) {
        const int body = p->body[block->slot + slot];
        for (int c = 0; c < 6 && body >= 0; c++) residual += A[6 * slot + c] * qdd[6 * body + c];
    }
    return residual;
}

/* The largest sum of terms in any row, at least `least`, the largest |b|: the scale of residuals. */
static double inPlay(const ukIsland *island, const ukProblem *p, const double *qdd, double least)
{
    const double h = *island->last_h > 0 ? *island->last_h : 0.01;
    double scale = least;
    for (int k = 0; k < p->blocks; k++) {
        const ukBlock *block = &p->block[k];
        const double *A = p->A + block->A;
        for (int i = block->row; i < block->row + block->rows; i++, A += 6 * block->slots) {
            const double reach = rowReach(island, p, block, A) / (h * h);
            const double rounding = bound.rounding * (reach + rowFree(p, block, A));
            scale = fmax(scale, fabs(p->b[i]) + rowSize(p, block, A, qdd) + rounding / bound.contradiction);
        }
    }
    return scale;
}

/* The exact row of `p` with the largest residual at the island's qdd. Returns whether that residual exceeds
 * `contradiction` times the scale of residuals. */
static bool findMissedRow(const ukIsland *island, const ukProblem *p, Contradiction *by)
{
    const double *qdd = island->bodies.qdd;
    double least = 0;
    *by = (Contradiction){0};
    for (int k = 0; k < p->blocks; k++) {
        const ukBlock *block = &p->block[k];
        const double *A = p->A + block->A;
        for (int i = block->row; i < block->row + block->rows; i++, A += 6 * block->slots) {
            const double residual = fabs(residualOf(p, A, block, i, qdd));
            least = fmax(least, fabs(p->b[i]));
            if (residual > by->residual && ukRowExact(island, i)) *by = (Contradiction){k, i, residual};
        }
    }
    if (!(by->residual > bound.contradiction * least))
        return false; /* the usual case: the scale need not be computed */
    return by->residual > bound.contradiction * inPlay(island, p, qdd, least);
}

int ukSolveConsistent(ukIsland *island)
{
    const ukProblem *p = &island->ideal->problem;
    Contradiction by;
    if (p->bodies == 0 || island->outcome->rank == p->rows || !findMissedRow(island, p, &by)) return ukOk;
    return ukRefuseContradiction(island, p, by.block, by.row, "residual [m/s^2 or rad/s^2]", by.residual);
}

/* Whether the block belongs to a constraint or joint that has taken no step yet. */
static bool isNew(const ukProblem *p, const ukBlockOwner *owner, int block)
{
    const ukBlockOwner *of = owner + block;
    if (of->law || p->block[block].rows == 0) return false;
    if (of->constraint) return of->constraint->lambda_rows == 0;
    return !ukIsContact(of->joint) && of->joint->reaction->rows == 0;
}

/* Whether the split correction would have to move an exact row by so much that, corrected in the velocities as without
 * it, the row could be missed. */
static bool exceedsCorrection(const ukIsland *island, const ukProblem *p)
{
    double most = 0;
    for (int i = 0; i < p->rows; i++)
        if (ukRowExact(island, i)) most = fmax(most, fabs(island->rows.push[i]));
    most /= island->ideal->h;
    return most > 0 && most > bound.contradiction * inPlay(island, p, island->bodies.qdd, most);
}

/* Rows may contradict each other unseen: in the discrete form, constraints with an error function ask for what it says
 * instead of the accelerations as stated. Contradicting errors follow from these accelerations, but at the start of the
 * first step of a constraint, or of the joint that it contradicts, there are none yet. */
ukPossibleConflict ukFindConflict(const ukIsland *island, bool split)
{
    const ukProblem *p = &island->ideal->problem;
    const ukBlockOwner *owner = island->rows.owners;
    Contradiction by;
    bool constraints = false, errors = false, first = *island->last_h == 0;
    for (int k = p->blocks; k-- > 0;) {
        constraints |= owner[k].constraint != NULL;
        errors |= owner[k].constraint && owner[k].constraint->error;
        first = first || isNew(p, owner, k);
    }
    if (!constraints || p->bodies == 0) return ukNoConflict;
    if (findMissedRow(island, p, &by) || (errors && split && exceedsCorrection(island, p)))
        return errors ? ukConflictOfPoses : ukConflictOfRates;
    return errors && first ? ukConflictOfRates : ukNoConflict;
}

/* the island's problem in which only the exact rows are effective; the others are softened */
static ukProblem exactOnly(ukIsland *island)
{
    ukProblem p = island->ideal->problem;
    for (int k = 0; k < p.blocks; k++) {
        for (int i = p.block[k].row; i < p.block[k].row + p.block[k].rows; i++) {
            if (!ukRowExact(island, i)) island->rows.softness[i] = bound.free * ukProblemCompliance(&p, &p.block[k], i);
        }
    }
    p.lo = p.hi = NULL;
    p.normal = NULL;
    p.cone = NULL;
    return p;
}

/* The exact row of `p` with the largest residual at qdd relative to its reach or unit, whose size is *most. */
static Contradiction largestResidual(const ukIsland *island, const ukProblem *p, bool pose, double *most)
{
    Contradiction by = {0};
    *most = 0;
    for (int k = 0; k < p->blocks; k++) {
        const ukBlock *block = &p->block[k];
        const double *A = p->A + block->A;
        for (int i = block->row; i < block->row + block->rows; i++, A += 6 * block->slots) {
            if (!ukRowExact(island, i) || p->softness[i] > 0) continue;
            const double residual = residualOf(p, A, block, i, island->bodies.qdd);
            const double reach = pose ? ukRowReach(p, block, i) : 1;
            const double size = pose ? (reach > 0 ? 1 / reach : 0) : ukRowUnit(p, block, i, 0);
            if (!(fabs(residual) * size > *most)) continue;
            *most = fabs(residual) * size;
            by = (Contradiction){k, i, fabs(residual)};
        }
    }
    return by;
}

/* Solves A x = b for the island's rows in the least-squares sense, first of the joints alone, then of all; most: the
 * largest residuals. `by` is the row with that of all rows. */
static int solveBoth(ukIsland *island, const ukProblem *whole, bool pose, Contradiction *by, double most[2])
{
    const ukBlockOwner *owner = island->rows.owners;
    ukProblem joints = *whole; /* joints take precedence, and may be inconsistent by their own drift */
    while (joints.blocks > 0 && owner[joints.blocks - 1].constraint) joints.rows = whole->block[--joints.blocks].row;
    memset(island->bodies.Q, 0, 6 * (size_t)whole->bodies * sizeof(double));
    if (island->massless > 0) memset(island->bodies.impressed, 0, 6 * (size_t)whole->bodies * sizeof(double));
    for (int k = 0; k < 2; k++) {
        const ukProblem *p = k == 0 ? &joints : whole;
        ukSolution out = ukSolutionOf(island);
        const int status = ukSolveLeastSquares(island, p, bound.dependent, &out);
        if (status != ukOk) return status;
        *by = largestResidual(island, p, pose, &most[k]);
    }
    return ukOk;
}

/* Prepares the rows of p for velocities that satisfy A v = w (ukRowRate). Rows without velocity are made ineffective.
 * Returns the largest prescribed rate, in unit rows. */
static double prepareRates(ukIsland *island, const ukProblem *p)
{
    const ukBlockOwner *owner = island->rows.owners;
    double most = 0;
    for (int k = 0; k < p->blocks; k++) {
        const bool bare = owner[k].constraint && !owner[k].constraint->error;
        for (int i = p->block[k].row; i < p->block[k].row + p->block[k].rows; i++) {
            island->rows.b[i] = bare ? 0 : ukRowRate(island, p, k, i);
            if (bare && p->softness[i] == 0)
                island->rows.softness[i] = bound.free * ukProblemCompliance(p, &p->block[k], i);
            if (ukRowExact(island, i)) most = fmax(most, fabs(island->rows.b[i]) * ukRowUnit(p, &p->block[k], i, 0));
        }
    }
    return most;
}

/* Whether velocities satisfy the exact rows of the island, whose other rows are ineffective in `whole`. */
static int ratesConsistent(ukIsland *island, const ukProblem *whole)
{
    Contradiction by;
    double most[2];
    const double asked = prepareRates(island, whole);
    if (asked == 0) return ukOk;
    const int status = solveBoth(island, whole, false, &by, most);
    if (status != ukOk) return status;
    const bool found = most[1] > bound.contradiction * asked && most[1] > bound.by_others * most[0];
    return found ? ukRefuseContradiction(island, whole, by.block, by.row, "rate error [m/s or rad/s]", by.residual)
                 : ukOk;
}

int ukSolveIdealConsistent(ukIsland *island)
{
    const ukProblem whole = exactOnly(island);
    const ukBlockOwner *owner = island->rows.owners;
    ukProblem joints = whole; /* joints take precedence, and may be inconsistent by their own drift */
    while (joints.blocks > 0 && owner[joints.blocks - 1].constraint) joints.rows = whole.block[--joints.blocks].row;
    Contradiction by[2];
    bool found = false;
    for (int k = 0; k < 2; k++) {
        const ukProblem *p = k == 0 ? &joints : &whole;
        ukSolution out = ukSolutionOf(island);
        const int status = ukSolveRigid(island, p, island->solvers->equality, &out);
        if (status != ukOk) return status;
        found = findMissedRow(island, p, by + k);
        if (!found) by[k].residual = 0;
    }
    if (found && by[1].residual > bound.by_others * by[0].residual)
        return ukRefuseContradiction(island, &whole, by[1].block, by[1].row, "residual [m/s^2 or rad/s^2]",
                                     by[1].residual);
    return ratesConsistent(island, &whole);
}

int ukSolvePoseConsistent(ukIsland *island, double drift)
{
    const ukBlockOwner *owner = island->rows.owners;
    const ukProblem whole = exactOnly(island);
    double most[2];
    Contradiction by;
    bool user = false;
    for (int k = 0; k < whole.blocks; k++)
        for (int i = whole.block[k].row; i < whole.block[k].row + whole.block[k].rows; i++) {
            const bool free = island->rows.velocity[i];
            user |= owner[k].constraint && !free && ukRowExact(island, i);
            island->rows.b[i] = free ? 0 : -island->rows.phi[i];
            if (free && whole.softness[i] == 0)
                island->rows.softness[i] = bound.free * ukProblemCompliance(&whole, &whole.block[k], i);
        }
    if (!user) return ukOk;
    const int status = solveBoth(island, &whole, true, &by, most);
    if (status != ukOk || most[0] > bound.own * drift) return status;
    if (most[1] > bound.contradiction * drift && most[1] > bound.by_others * most[0])
        return ukRefuseContradiction(island, &whole, by.block, by.row, "position error [m or rad]", by.residual);
    return drift > bound.lost ? ukErrorNotConverged : ukOk;
}
