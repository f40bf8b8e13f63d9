/* SPDX-License-Identifier: BSD-3-Clause */
#include "bridge/integrate/rattle_pose.h"

#include <math.h>
#include <string.h>

#include "bridge/base/vector.h"
#include "bridge/integrate/continuous.h"
#include "bridge/integrate/free_motion.h"
#include "bridge/integrate/measure.h"
#include "bridge/integrate/nearest.h"
#include "bridge/integrate/projection.h"
#include "bridge/integrate/rebase.h"
#include "bridge/island/refuse.h"
#include "bridge/results/impulse.h"
#include "solvers/base/status.h"
#include "solvers/problem/block.h"

bool ukRattleBare(const ukRattle *r, int block)
{
    const ukBlockOwner *owner = r->island->rows.owners + block;
    return owner->constraint && !owner->constraint->error;
}

/* ---- kick and drift ---------------------------------------------------------------------------------------------- */

/* A(q0)' z to r->force */
static void computeForces(const ukRattle *r, const double *z)
{
    ukProblem at_start = *ukRattleProblem(r);
    at_start.A = r->A;
    memset(r->force, 0, 6 * (size_t)at_start.bodies * sizeof *r->force);
    ukProblemApplyTransposed(&at_start, z, r->force);
}

static void kickOne(const ukRattle *r, const ukFrame *f, ukBefore *b)
{
    double torque[3], turned[3];
    memcpy(b->push, r->force + 6 * f->moving, sizeof b->push);
    for (int k = 0; k < 3; k++) torque[k] = b->force[3 + k] + b->push[3 + k];
    ukRotate(b->turn, torque, turned);
    for (int k = 0; k < 3; k++) {
        b->kicked[k] = f->start.v[k] + 0.5 * r->h * (b->force[k] + b->push[k]) / b->mass;
        b->kicked[3 + k] = f->start.v[3 + k] + 0.5 * r->h * turned[k];
    }
}

/* Computes kick and drift for the present lambda, and assembles the island there. */
static int kickAndDrift(ukRattle *r)
{
    ukIsland *island = r->island;
    computeForces(r, r->lambda);
    for (int i = 0; i < r->island->frames; i++) {
        ukFrame *f = &island->frame[i];
        ukBefore *b = ukBeforeOf(r, i);
        if (f->moving >= 0) kickOne(r, f, b);
        if (ukFreeMotion(f, f->moving >= 0 ? b->kicked : f->start.v, r->h, b->spin) != ukOk)
            return ukRefuseBody(f->body, ukErrorNotConverged, "it rotates too far in one step of %.3g s", r->h);
    }
    const int status = ukContinuousAssemble(island, r->start, &r->at);
    return status == ukOk && ukRattleProblem(r)->rows != r->rows ? ukNotContinuous : status;
}

/* A(q0) v0' of row i of a block, or A(q0) (v0' - v0) with `kick` */
static double rateBefore(const ukRattle *r, const ukProblem *p, const ukBlock *block, int i, bool kick)
{
    const double *A = r->A + block->A + 6 * (size_t)((i - block->row) * block->slots);
    double sum = 0;
    for (int slot = block->slot; slot < block->slot + block->slots; slot++, A += 6) {
        if (p->body[slot] < 0) continue;
        const double *v = ukRattleMoving(r, p->body[slot])->kicked, *start = ukRattleFrame(r, p->body[slot])->start.v;
        for (int c = 0; c < 6; c++) sum += A[c] * (kick ? v[c] - start[c] : v[c]);
    }
    return sum;
}

/* The residuals at the end of the drift. */
typedef struct Miss {
    double off;  /* largest |phi| over the row's reach, over all rows */
    double rate; /* largest residual of velocity rows, as a change of velocity */
} Miss;

/* Computes the residuals, and into r->side the right-hand sides of a change of lambda. The assembled b stays. */
static Miss poseResiduals(ukRattle *r)
{
    const ukIsland *island = r->island;
    const ukProblem *p = ukRattleProblem(r);
    Miss most = {0};
    for (int k = 0; k < p->blocks; k++)
        for (int i = p->block[k].row; i < p->block[k].row + p->block[k].rows; i++) {
            if (!island->rows.velocity[i]) {
                const double phi = island->rows.phi[i];
                r->side[i] = -2 * phi / (r->h * r->h);
                if (fabs(phi) > most.off * r->reach[i] && r->reach[i] > 0) most.off = fabs(phi) / r->reach[i];
                continue;
            }
            const bool kick = ukRattleBare(r, k);
            const double before = rateBefore(r, p, &p->block[k], i, kick);
            const double psi = kick ? before - 0.5 * r->h * r->target[i]
                                    : 0.5 * (before - r->target[i] + island->rows.rate[i] - island->rows.target[i]);
            r->side[i] = -2 * psi / r->h;
            most.rate = fmax(most.rate, fabs(psi));
        }
    return most;
}

/* ---- a change of lambda ------------------------------------------------------------------------------------------ */

/* Finds rows that are independent at q0, on the constraints, where the rank is clear-cut; off the constraints it is
 * not. */
static int chooseIndependent(ukRattle *r)
{
    ukProblem at_start = *ukRattleProblem(r);
    at_start.A = r->A;
    bool all;
    const int status = ukEqualityIndependent(r->island->solvers->equality, &at_start, r->tolerance, r->memory, &all);
    r->independent = all ? NULL : r->memory;
    return status;
}

/* finds the blocks whose rows jumped between q0 and the present pose, and the transformation back */
static void rebaseRows(ukRattle *r, const ukProblem *p)
{
    r->jumped = false;
    for (int k = 0; k < p->blocks; k++) {
        const ukBlock *block = &p->block[k];
        const bool jumped = ukRebase(block->rows, 6 * block->slots, r->A + block->A, p->A + block->A,
                                     r->basis + ukRebaseMost * block->row);
        r->rebased[block->row] = jumped;
        r->jumped = r->jumped || jumped;
    }
}

/* y = x (one entry per row of a block) in the basis of q0 */
static void comeBack(const ukRattle *r, const ukBlock *block, const double *x, int stride, double *y)
{
    const double *S = r->basis + ukRebaseMost * block->row;
    for (int i = 0; i < block->rows; i++) {
        y[i * stride] = 0;
        for (int j = 0; j < block->rows; j++) y[i * stride] += S[i * block->rows + j] * x[j * stride];
    }
}

/* r->mean, block by block in the basis of q0 */
static void meanOf(ukRattle *r, const ukProblem *p)
{
    for (size_t i = 0; i < r->coefficients; i++) r->mean[i] = 0.5 * (p->A[i] + r->A[i]);
    for (int k = 0; k < p->blocks && r->jumped; k++) {
        const ukBlock *block = &p->block[k];
        const int n = 6 * block->slots;
        if (!r->rebased[block->row]) continue;
        for (int c = 0; c < n; c++) comeBack(r, block, p->A + block->A + c, n, r->mean + block->A + c);
        for (size_t i = block->A; i < block->A + (size_t)(block->rows * n); i++)
            r->mean[i] = 0.5 * (r->mean[i] + r->A[i]);
    }
}

/* Sets b (rows), the right-hand sides of the next direction, to the present residual in the basis of q0. */
static void setPoseTargets(const ukRattle *r, const ukProblem *p, double *b)
{
    for (int i = 0; i < r->rows; i++) b[i] = r->size[i] * r->left[i];
    for (int k = 0; k < p->blocks && r->jumped; k++) {
        const ukBlock *block = &p->block[k];
        double x[ukRebaseMost];
        if (!r->rebased[block->row]) continue;
        for (int i = 0; i < block->rows; i++) x[i] = r->reach[block->row + i] * r->left[block->row + i];
        comeBack(r, block, x, 1, b + block->row);
    }
}

/* Factorizes Newton's matrix itself, A(q1) T A(q0)'. In a long chain along which lambda varies slowly, the
 * antisymmetric part outweighs the symmetric one: the factor of the mean would take five directions for the ten digits
 * of one. */
static int factorExact(ukRattle *r)
{
    const ukProblem *p = ukRattleProblem(r);
    const size_t n = 9 * (size_t)p->bodies;
    for (int i = 0; i < p->bodies; i++) {
        double *M = r->inertia + 9 * i, *T = M + n;
        ukFreeInertia(ukRattleFrame(r, i), ukRattleMoving(r, i)->spin, r->h, M);
        for (int k = 0; k < 9; k++) T[k] = M[3 * (k % 3) + k / 3];
    }
    r->whole = *p;
    r->columns = *p;
    r->whole.inertia = r->inertia;
    r->columns.inertia = r->inertia + n;
    r->columns.A = r->A;
    return ukKktFactorizeMixed(ukEqualityKkt(r->island->solvers->equality), &r->whole, &r->columns, &r->newton);
}

/* Factorizes Newton's matrix, or with loops the mean of A(q0) and A(q1): to first order, it differs from Newton's
 * matrix by an antisymmetric part. If a constraint's direction vanishes half-way, as at a dead centre, A(q0) is
 * used. */
static int factorRattlePose(ukRattle *r)
{
    const ukProblem *p = ukRattleProblem(r);
    ukKkt *kkt = ukEqualityKkt(r->island->solvers->equality);
    int status = ukKktPlan(kkt, p, NULL);
    const bool loops = ukProblemHasLoops(p);
    r->exact = status == ukOk && !loops && !r->jumped && factorExact(r) == ukOk;
    if (r->exact) {
        r->factored = true;
        return ukOk;
    }
    if (status == ukOk && loops) status = chooseIndependent(r);
    if (status != ukOk) return status;
    meanOf(r, p);
    r->at_mean = *p;
    r->at_mean.A = r->mean;
    status = ukKktFactorize(kkt, &r->at_mean, r->independent, NULL, &r->mean_factor);
    if (status == ukErrorSingular) {
        status = chooseIndependent(r);
        memcpy(r->mean, r->A, r->coefficients * sizeof *r->A);
        if (status == ukOk) status = ukKktFactorize(kkt, &r->at_mean, r->independent, NULL, &r->mean_factor);
    }
    for (int i = 0; i < r->rows; i++) {
        const bool independent = !r->independent || r->independent[i];
        const double size = r->reach[i] > 0 ? r->reach[i] : 1;
        r->size[i] = independent ? size : 0;
        r->unit[i] = independent ? 1 / size : 0;
    }
    r->factored = status == ukOk;
    return status;
}

/* y (rows): the change of the rows by a change z of lambda, each over its reach */
static void rowResponse(const ukRattle *r, const double *z, double *y)
{
    const ukProblem *p = ukRattleProblem(r);
    computeForces(r, z);
    for (int i = 0; i < p->bodies; i++) {
        const ukBefore *b = ukRattleMoving(r, i);
        const double *f = r->force + 6 * i, each = 1 / b->mass;
        for (int k = 0; k < 3; k++) r->acceleration[6 * i + k] = each * f[k];
        ukRotate(b->moved, f + 3, r->acceleration + 6 * i + 3);
    }
    ukProblemApply(p, r->acceleration, y);
    for (int i = 0; i < p->rows; i++) y[i] *= r->unit[i];
}

/* Solves for the change of lambda with the right-hand sides r->side, into r->change. Generalized conjugate residuals
 * (GCR): each direction is the factor's solution for the present residual; ends when the residual falls below the
 * fraction `enough` of the first. */
static void solveRattlePose(ukRattle *r, double enough)
{
    const ukProblem *p = ukRattleProblem(r);
    const size_t m = (size_t)r->rows;
    double *b = r->side;
    if (r->exact) {
        ukKktSolveMixed(&r->newton, b, r->change);
        return;
    }
    for (int i = 0; i < p->bodies; i++) {
        ukBefore *body = ukRattleMoving(r, i);
        if (!ukFreeMobility(ukRattleFrame(r, i), body->spin, r->h, body->moved))
            memcpy(body->moved, body->turn, sizeof body->turn);
    }
    memset(r->change, 0, m * sizeof *r->change);
    for (size_t i = 0; i < m; i++) r->left[i] = r->unit[i] * b[i];
    const double least = enough * enough * ukPairDot(r->left, r->left, r->rows);
    for (int k = 0; k < ukRattleDirections; k++) {
        double *to = r->direction + (size_t)k * m, *answer = r->answer + (size_t)k * m;
        setPoseTargets(r, p, b);
        ukKktSolve(&r->mean_factor, NULL, b, r->acceleration, to);
        rowResponse(r, to, answer);
        for (int j = 0; j < k; j++) {
            const double part = ukPairDot(answer, r->answer + (size_t)j * m, r->rows);
            ukPairSubtract(answer, r->answer + (size_t)j * m, part, r->rows);
            ukPairSubtract(to, r->direction + (size_t)j * m, part, r->rows);
        }
        const double size = sqrt(ukPairDot(answer, answer, r->rows)), each = 1 / size;
        if (!(size > 0)) return;
        for (size_t i = 0; i < m; i++) answer[i] *= each, to[i] *= each;
        const double part = ukPairDot(answer, r->left, r->rows);
        ukPairSubtract(r->left, answer, part, r->rows);
        ukPairSubtract(r->change, to, -part, r->rows);
        if (!(ukPairDot(r->left, r->left, r->rows) > least)) return;
    }
}

/* ---- Newton's method --------------------------------------------------------------------------------------------- */

/* computes v1' */
static void endVelocities(const ukRattle *r)
{
    for (int i = 0; i < r->island->frames; i++) {
        const ukFrame *f = &r->island->frame[i];
        ukBefore *b = ukBeforeOf(r, i);
        if (f->moving >= 0) ukFreeMomentum(f, b->kicked, b->drifted);
    }
}

/* The square of the island's speed, or of that which its forces would give it over its radius of gyration, as in
 * measure.h. */
static double speedSquare(const ukRattle *r, const ukProblem *p)
{
    double mass = 0, centre[3] = {0}, spread = 0, u = 0, a = 0;
    for (int i = 0; i < p->bodies; i++) {
        const ukFrame *f = ukRattleFrame(r, i);
        const ukBefore *b = ukRattleMoving(r, i);
        double free[6];
        for (int k = 0; k < 3; k++) free[k] = b->force[k] / b->mass;
        ukRotate(b->turn, b->force + 3, free + 3);
        for (int k = 0; k < 3; k++) centre[k] += b->mass * f->start.x[k];
        mass += b->mass;
        u += ukMeasureSquare(p, i, f->start.v);
        a += ukMeasureSquare(p, i, free);
    }
    for (int i = 0; i < p->bodies; i++) {
        const double *x = ukRattleFrame(r, i)->start.x, *I = p->inertia + 9 * (size_t)i;
        double off[3];
        for (int k = 0; k < 3; k++) off[k] = x[k] - centre[k] / mass;
        spread += p->mass[i] * ukDot(off, off) + 0.5 * (I[0] + I[4] + I[8]);
    }
    return u + sqrt(a * spread);
}

/* Projects the end of the drift onto the constraints; `moved` is the change of velocity. Fails if the pose does not
 * reach them. */
static int projectDrift(ukRattle *r, double *moved)
{
    ukIsland *island = r->island;
    int status = ukProjectIsland(island, ukDrift(island, ukRattleProblem(r)), r->start, &r->at);
    const ukProblem *p = ukRattleProblem(r);
    if (status != ukOk) return status;
    if (!ukProjected(island)) return ukErrorNotConverged;
    for (int i = 0; i < p->bodies; i++)
        for (int k = 0; k < 6; k++)
            moved[6 * i + k] = ukRattleFrame(r, i)->state.v[k] - ukRattleMoving(r, i)->drifted[k];
    return ukOk;
}

/* The same with steps along weak directions as well; the displacement over h counts as a velocity. */
static int projectNearest(ukRattle *r, double *moved)
{
    ukImpulseRestoreOpen(r->island); /* discards the impulses of the projection that failed */
    int status = kickAndDrift(r);
    r->branched = true;
    if (status == ukOk) status = ukNearestPose(r->island, r->start, &r->at, moved);
    for (int i = 0; i < 6 * ukRattleProblem(r)->bodies; i++) moved[i] /= r->h;
    return status;
}

int ukRattleNearest(ukRattle *r, bool weak)
{
    static const double far = 1e-2; /* relative to the speed: 1e-4 of the energy */
    double sum = 0, *moved = r->acceleration;
    int status = kickAndDrift(r);
    if (status != ukOk || r->strict) return status == ukOk ? ukProjectRefuse(r->island) : status;
    endVelocities(r);
    status = weak ? ukErrorNotConverged : projectDrift(r, moved);
    if (status == ukErrorNotConverged) status = projectNearest(r, moved);
    if (status != ukOk) return status;
    const ukProblem *p = ukRattleProblem(r);
    for (int i = 0; i < p->bodies; i++) {
        double *drifted = ukRattleMoving(r, i)->drifted;
        for (int k = 0; k < 6; k++) drifted[k] += moved[6 * i + k];
        sum += ukMeasureSquare(p, i, moved + 6 * i);
    }
    if (ukProjected(r->island) && sum <= far * far * speedSquare(r, p)) return ukOk;
    status = kickAndDrift(r); /* restores the drift's end, for the names and the size of the error */
    return status == ukOk ? ukProjectRefuse(r->island) : status;
}

int ukRattlePose(ukRattle *r)
{
    enum { MaxIterations = 25 };
    static const double slack = 1e3, exact = 1e-10, rough = 1e-3;
    static const double left_out = 400; /* residual allowed if redundant rows are left out: no multiplier corrects it */
    static const double stale = 0.05;   /* if an iteration leaves more than this fraction, Newton's matrix is
                                         * outdated */
    Miss miss = {0}, last = {INFINITY, INFINITY};
    int status = kickAndDrift(r);
    for (int iteration = 0; iteration < MaxIterations && status == ukOk; iteration++, last = miss) {
        miss = poseResiduals(r);
        if (miss.off <= r->rounding && !(miss.rate > 0 && miss.rate < 0.5 * last.rate)) break;
        if (!(miss.off < 0.5 * last.off) && !(miss.rate < 0.5 * last.rate) &&
            (iteration != 1 || !ukProjectInStages(r->island)))
            break;
        rebaseRows(r, ukRattleProblem(r));
        const bool slow = miss.off > stale * last.off || miss.rate > stale * last.rate;
        if (!r->factored || (r->exact && (r->jumped || slow))) status = factorRattlePose(r);
        if (status != ukOk) break;
        /* the remainder of Newton's method is quadratic: more accurate directions do not help */
        solveRattlePose(r, fmin(fmax(fmax(miss.off, 0.5 * r->rounding / miss.off), exact), rough));
        for (int i = 0; i < r->rows; i++) r->lambda[i] += r->change[i];
        status = kickAndDrift(r);
    }
    if (status == ukErrorSingular) return ukRattleNearest(r, false);
    if (status != ukOk) return status;
    if (!(miss.off <= (r->independent ? left_out : 4 * slack) * r->rounding)) return ukRattleNearest(r, false);
    endVelocities(r);
    return ukOk;
}
