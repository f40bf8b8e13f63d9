/* SPDX-License-Identifier: BSD-3-Clause */
#include "bridge/integrate/projection.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "bridge/base/log.h"
#include "bridge/integrate/measure.h"
#include "bridge/island/island.h"
#include "bridge/island/massless.h"
#include "bridge/island/refuse.h"
#include "bridge/results/impulse.h"
#include "bridge/results/rates.h"
#include "bridge/solve/consistent.h"
#include "bridge/solve/one.h"
#include "bridge/solve/solve.h"
#include "solvers/base/arena.h"
#include "solvers/base/status.h"
#include "solvers/problem/tolerance.h"

/* The island's problem without forces and bounds */
static ukProblem projectionOf(ukIsland *island)
{
    ukProblem p = *island->problem;
    const size_t bytes = 6 * (size_t)p.bodies * sizeof(double);
    memset(island->bodies.Q, 0, bytes);
    if (island->massless > 0) memset(island->bodies.impressed, 0, bytes);
    p.lo = p.hi = NULL;
    p.C = NULL;
    return p;
}

/* Solves x = A_M^+ b for the island's present b and softness, into bodies.qdd; Q is zero but for bodies without mass,
 * which take no part in the norm. Rows that are dependent up to the island's drift are left out. */
static int solveProjection(ukIsland *island, double drift, int *rank)
{
    ukProblem p = projectionOf(island);
    ukSolution out = {.qdd = island->bodies.qdd, .lambda = island->rows.lambda, .rank = -1};
    ukMasslessLoop loop = {0};
    int status;
    do {
        status = ukEqualitySolveMotion(island->solvers->equality, &p, ukRankToleranceAt(island, drift),
                                       ukMotionGrowth(island), &island->solvers->motion, &out);
    } while (status == ukOk && ukMasslessAgain(island, &p, &loop, &out, &status));
    *rank = out.rank;
    return status;
}

/* The same for velocities. Where rows contradict each other, such as motors of one axis with different rates, all of
 * them are satisfied in the least-squares sense, as by the discrete form, instead of those that are not left out; a
 * user's rows are refused. */
static int solveRates(ukIsland *island, double drift, int *rank)
{
    const double *x = island->bodies.qdd;
    int status = solveProjection(island, drift, rank);
    if (status != ukOk || *rank == island->problem->rows) return status;
    if (ukRatesMissed(island, island->problem, x).missed == 0) return ukOk;
    const ukProblem p = projectionOf(island);
    ukSolution out = ukSolutionOf(island);
    status = ukSolveLeastSquares(island, &p, ukRankToleranceAt(island, drift), &out);
    if (status != ukOk) return status;
    const ukMissedRate by = ukRatesMissed(island, &p, x);
    return by.user ? ukRatesRefuse(island, &p, &by) : ukOk;
}

/* Makes a row ineffective: its softness is 1e12 times its compliance. */
static void freeRow(ukIsland *island, const ukProblem *p, const ukBlock *block, int i)
{
    const double k = ukProblemCompliance(p, block, i);
    island->rows.softness[i] = k > 0 ? 1e12 * k : 1;
}

void ukProjectTargetPose(ukIsland *island, const ukProblem *p)
{
    for (int k = 0; k < p->blocks; k++) {
        for (int i = p->block[k].row; i < p->block[k].row + p->block[k].rows; i++) {
            island->rows.b[i] = -island->rows.phi[i];
            if (!island->rows.velocity[i]) continue;
            island->rows.b[i] = 0;
            freeRow(island, p, &p->block[k], i);
        }
    }
}

void ukProjectMovePose(ukIsland *island, const double *dq)
{
    for (int i = 0; i < island->frames; i++) {
        ukFrame *f = &island->frame[i];
        if (f->moving < 0) continue;
        const double *d = dq + 6 * (size_t)f->moving;
        for (int k = 0; k < 3; k++) f->state.x[k] += d[k];
        ukRotateBy(f->state.q, d + 3);
        ukStateOrient(&f->state);
    }
}

/* Applies the velocity changes that solveProjection found, and records their impulses. */
static void pushVelocity(ukIsland *island, int rank)
{
    const ukProblem *p = island->problem;
    const double *dv = island->bodies.qdd, before = ukMeasureVelocity(island);
    ukImpulseRows(island, p->A, island->rows.lambda, NULL, 1);
    for (int i = 0; i < island->frames; i++) {
        ukFrame *f = &island->frame[i];
        for (int k = 0; k < 6 && f->moving >= 0; k++) f->state.v[k] += dv[6 * (size_t)f->moving + (size_t)k];
    }
    ukMeasureRound(island, before, rank);
}

static const double least = 8 * DBL_EPSILON; /* the rounding error of phi at the origin */

/* the drift that rounding of positions of this size can cause */
static double roundingDrift(const ukIsland *island, const ukProblem *p)
{
    double most = 0;
    for (int k = 0; k < p->blocks; k++) {
        const ukBlock *block = &p->block[k];
        const double *J = p->A + block->A;
        for (int i = block->row; i < block->row + block->rows; i++) {
            double sum = 0;
            for (int slot = block->slot; slot < block->slot + block->slots; slot++, J += 6) {
                if (p->body[slot] < 0) continue;
                const double *x = island->bodies.frame[p->body[slot]]->state.x;
                for (int c = 0; c < 3; c++) sum += fabs(J[c] * x[c]);
            }
            if (sum == 0) continue; /* the row acts on rotations only */
            const double reach = ukRowReach(p, block, i);
            if (sum > most * reach && reach > 0) most = sum / reach;
        }
    }
    return least * (1 + most);
}

double ukProjectRounding(const ukIsland *island)
{
    return roundingDrift(island, island->problem);
}

/* largest drift, in units of the rounding error, after the Newton steps of a pose */
static const double slack = 1e3;

bool ukProjectedAt(const ukIsland *island, double drift)
{
    return drift <= slack * least || drift <= slack * roundingDrift(island, island->problem);
}

bool ukProjectedFor(const ukIsland *island, double drift, const ukRowContext *rows)
{
    const double share = rows->step > 0 ? fmin(rows->h / rows->step, 1) : 1;
    return drift <= fmax(share * slack, 1) * roundingDrift(island, island->problem);
}

bool ukProjected(const ukIsland *island)
{
    return ukProjectedAt(island, ukDrift(island, island->problem));
}

/* The owner of the row with the largest position error, and that error; NULL: no row has one. */
static const ukBlockOwner *worstOwner(const ukIsland *island, double *largest)
{
    const ukProblem *p = island->problem;
    const ukBlockOwner *owner = island->rows.owners, *worst = NULL;
    double off = -1;
    for (int k = 0; k < p->blocks; k++)
        for (int i = p->block[k].row; i < p->block[k].row + p->block[k].rows; i++) {
            const double phi = fabs(island->rows.phi[i]);
            if (owner[k].law || island->rows.velocity[i] || phi <= off) continue;
            off = phi, worst = owner + k;
        }
    *largest = off;
    return worst;
}

int ukProjectRefuse(const ukIsland *island)
{
    double off;
    const ukBlockOwner *worst = worstOwner(island, &off);
    if (worst && worst->joint)
        return ukRefuseJoint(worst->joint, ukErrorNotConverged, "the projection does not converge (error %.2g)", off);
    return ukErrorSet(ukErrorNotConverged, "the projection does not converge for user constraint %llu (error %.2g)",
                      (unsigned long long)(worst && worst->constraint ? worst->constraint->element.serial : 0), off);
}

int ukProjectAdvise(const ukIsland *island, int status, const char *remedy)
{
    char why[300];
    double off;
    if (status != ukErrorNotConverged) return status;
    const ukBlockOwner *worst = worstOwner(island, &off);
    const char *const needs = worst && worst->joint ? ukRefuseNeeds(worst->joint) : NULL;
    if (!needs && !remedy) return status;
    snprintf(why, sizeof why, "%s", ukErrorMessage());
    return ukErrorSet(status, "%s; %s", why, needs ? needs : remedy);
}

static int assembleAgain(ukIsland *island, const ukIslandStart *start, const ukStepContext *context)
{
    ukAssembleRewind(island, start);
    return ukAssembleIsland(island, context);
}

int ukProjectRates(ukIsland *island, double drift, int *rank)
{
    return solveRates(island, drift, rank);
}

int ukProjectStuck(ukIsland *island)
{
    const ukProblem *p = island->problem;
    const int ideal = island->ideal->problem.rows;
    int rank;
    for (int i = 0; i < p->rows; i++) island->rows.b[i] = i < ideal ? 0 : -island->rows.rate[i];
    const int status = solveProjection(island, ukDrift(island, p), &rank);
    if (status == ukOk) pushVelocity(island, rank);
    return status;
}

/* number of entries of A */
static size_t coefficientsOf(const ukProblem *p)
{
    if (p->blocks == 0) return 0;
    const ukBlock *last = &p->block[p->blocks - 1];
    return last->A + 6 * (size_t)(last->rows * last->slots);
}

int ukProjectAssembleMoving(ukIsland *island, const ukIslandStart *start, const ukStepContext *context)
{
    const ukProblem *p = island->problem;
    const size_t bytes = coefficientsOf(p) * sizeof(double);
    const int rows = p->rows;
    if (!ukGrow(&island->solvers->unprojected_rows, &island->solvers->unprojected_size, bytes)) return ukErrorMemory;
    if (bytes > 0) memcpy(island->solvers->unprojected_rows, p->A, bytes);
    const int status = assembleAgain(island, start, context);
    island->solvers->projected = status == ukOk && p->rows == rows &&
                                 (bytes == 0 || memcmp(island->solvers->unprojected_rows, p->A, bytes) == 0);
    return status;
}

/* A projection that ends off the constraints because of a user's: refuses it. */
static int refuseProjection(ukIsland *island, double drift, const ukIslandStart *start, const ukStepContext *context)
{
    int status = ukSolvePoseConsistent(island, drift);
    if (status == ukErrorContradiction) return status;
    const bool off = status == ukErrorNotConverged;
    if (status == ukOk || off) status = assembleAgain(island, start, context);
    return status == ukOk && off ? ukProjectRefuse(island) : status;
}

/* Sets b for a projection of exact rows alone: not of stops, contacts, bounded motors and a user's springs, for which b
 * has no meaning there. */
static void targetExactPose(ukIsland *island, const ukProblem *p)
{
    ukProjectTargetPose(island, p);
    for (int k = 0; k < p->blocks; k++)
        for (int i = p->block[k].row; i < p->block[k].row + p->block[k].rows; i++) {
            if (ukRowExact(island, i)) continue;
            island->rows.b[i] = 0;
            freeRow(island, p, &p->block[k], i);
        }
}

/* The Newton steps of a projection. */
typedef struct Newton {
    const ukIslandStart *start;
    const ukStepContext *context;
    bool exact;   /* only the exact rows are to be satisfied */
    double error; /* the drift */
} Newton;

static int assembleMoved(ukIsland *island, Newton *newton)
{
    const int status = assembleAgain(island, newton->start, newton->context);
    newton->error = newton->exact ? ukDriftExact(island, island->problem) : ukDrift(island, island->problem);
    return status;
}

bool ukProjectInStages(const ukIsland *island)
{
    for (int j = 0; j < island->joints; j++)
        if (ukRefuseNeeds(island->joint[j])) return true;
    return false;
}

/* Takes Newton steps towards poses that satisfy the rows, halved if they overshoot, until the drift no longer
 * decreases. */
static int projectPose(ukIsland *island, Newton *newton)
{
    enum { MaxNewton = 30, MaxHalves = 8 };
    static const double nearer = 0.9; /* largest fraction of the error that a full Newton step may leave */
    static const double far = 1e-3;   /* [angle] above it, steps may be shortened to f; they may leave 1 - f/10 */
    static const double staged = 10;  /* the same of the first step of ukProjectInStages */
    const ukProblem *p = island->problem;
    const double enough = roundingDrift(island, p);
    double last = INFINITY, *x = island->bodies.qdd;
    double part = nearer; /* the fraction of the error that the last step may leave */
    int status = ukOk, rank;
    for (int k = 0; k < MaxNewton && status == ukOk && newton->error > enough && newton->error < part * last; k++) {
        (newton->exact ? targetExactPose : ukProjectTargetPose)(island, p);
        last = newton->error;
        status = solveProjection(island, last, &rank);
        if (status != ukOk) return status;
        ukProjectMovePose(island, x);
        status = assembleMoved(island, newton);
        part = k == 0 && !(newton->error < nearer * last) && ukProjectInStages(island) ? staged : nearer;
        for (int half = 0; half < MaxHalves && status == ukOk && newton->error > far && !(newton->error < part * last);
             half++) {
            for (int i = 0; i < 6 * p->bodies; i++) x[i] *= half == 0 ? -0.5 : 0.5;
            ukProjectMovePose(island, x);
            status = assembleMoved(island, newton);
            part = 0.5 * (1 + part);
        }
    }
    return status;
}

int ukProjectExact(ukIsland *island, const ukIslandStart *start, const ukStepContext *context)
{
    Newton newton = {.start = start, .context = context, .exact = true};
    newton.error = ukDriftExact(island, island->problem);
    if (ukProjectedAt(island, newton.error)) return ukOk;
    int status = ukSolvePoseConsistent(island, newton.error);
    if (status != ukErrorContradiction) return status == ukErrorNotConverged ? ukOk : status;
    /* Only to first order: near a singular pose there may be others that satisfy the rows. */
    status = assembleMoved(island, &newton);
    if (status == ukOk) status = projectPose(island, &newton);
    if (status != ukOk || ukProjectedAt(island, newton.error)) return status;
    status = ukSolvePoseConsistent(island, newton.error);
    return status == ukErrorNotConverged ? ukOk : status;
}

int ukProjectIsland(ukIsland *island, double drift, const ukIslandStart *start, const ukStepContext *context)
{
    Newton newton = {.start = start, .context = context, .error = drift};
    const ukProblem *p = island->problem;
    if (p->rows == 0) return ukOk;
    int status = projectPose(island, &newton);
    if (status == ukOk && island->elements > 0 && !ukProjectedAt(island, newton.error))
        status = refuseProjection(island, newton.error, start, context);
    if (status != ukOk) return status;
    for (int i = 0; i < p->rows; i++) island->rows.b[i] = island->rows.target[i] - island->rows.rate[i];
    int rank;
    status = solveRates(island, newton.error, &rank);
    if (status != ukOk) return status;
    pushVelocity(island, rank);
    return ukProjectAssembleMoving(island, start, context);
}
