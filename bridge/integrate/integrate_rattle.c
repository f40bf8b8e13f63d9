/* SPDX-License-Identifier: BSD-3-Clause */
#include "bridge/integrate/integrate_rattle.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "bridge/integrate/continuous.h"
#include "bridge/integrate/jump.h"
#include "bridge/integrate/passive.h"
#include "bridge/integrate/projection.h"
#include "bridge/integrate/rattle_kick.h"
#include "bridge/integrate/rattle_pose.h"
#include "bridge/integrate/rebase.h"
#include "bridge/integrate/tidy.h"
#include "bridge/island/refuse.h"
#include "bridge/joints/running.h"
#include "bridge/results/impulse.h"
#include "bridge/results/ledger.h"
#include "bridge/results/rates.h"
#include "bridge/solve/consistent.h"
#include "bridge/solve/solve.h"
#include "bridge/solve/warm_start.h"
#include "solvers/base/arena.h"
#include "solvers/base/status.h"
#include "solvers/problem/tolerance.h"

/* ---- the first kick ---------------------------------------------------------------------------------------------- */

static size_t coefficientsOf(const ukProblem *p)
{
    if (p->blocks == 0) return 0;
    const ukBlock *last = &p->block[p->blocks - 1];
    return last->A + 6 * (size_t)(last->rows * last->slots);
}

/* divides the stepper's scratch into the arrays of a step */
static int reserveRattle(ukRattle *r)
{
    enum {
        ByRow = 10 + 2 * ukRattleDirections + ukRebaseMost,
        Arrays = 19,
        Rounded = 64 /* padding of an arena's arrays [bytes] */
    };
    ukIsland *island = r->island;
    const ukProblem *p = ukRattleProblem(r);
    r->rows = p->rows;
    r->coefficients = coefficientsOf(p);
    const size_t m = (size_t)p->rows, doubles = 2 * r->coefficients + ByRow * m + 30 * (size_t)p->bodies;
    if (ukScratchReserve(island->solvers, doubles * sizeof(double) + 2 * m + Arrays * Rounded) != ukOk)
        return ukErrorMemory;
    ukArena arena = ukArenaOver(island->solvers->scratch, island->solvers->scratch_size);
    UKODE_DOUBLES(&arena, m, &r->lambda, &r->target, &r->psi, &r->reach, &r->unit, &r->size, &r->side, &r->change,
                  &r->left);
    UKODE_DOUBLES(&arena, ukRattleDirections * m, &r->direction, &r->answer);
    UKODE_DOUBLES(&arena, r->coefficients, &r->A, &r->mean);
    r->balance = island->ideal->laws > 0 ? ukArenaDoubles(&arena, m) : NULL;
    r->force = ukArenaDoubles(&arena, 12 * (size_t)p->bodies);
    r->acceleration = r->force + 6 * (size_t)p->bodies;
    r->inertia = ukArenaDoubles(&arena, 18 * (size_t)p->bodies);
    r->basis = ukArenaDoubles(&arena, ukRebaseMost * m);
    r->memory = ukArenaBytes(&arena, m);
    r->rebased = ukArenaBytes(&arena, m);
    return ukOk;
}

/* Computes the reach of every row, and the size of |phi| over its reach, an angle, that rounding of positions
 * causes. */
static void measureRowReaches(ukRattle *r, const ukProblem *p)
{
    static const double digits = 2 * DBL_EPSILON;
    double most = 0;
    for (int k = 0; k < p->blocks; k++) {
        const ukBlock *block = &p->block[k];
        const double *J = p->A + block->A;
        ukRowReaches(p, block, block->row, block->rows, r->reach + block->row);
        for (int i = block->row; i < block->row + block->rows; i++) {
            const double reach = r->reach[i];
            double sum = 0;
            for (int slot = block->slot; slot < block->slot + block->slots; slot++, J += 6) {
                if (p->body[slot] < 0) continue;
                const double *x = ukRattleFrame(r, p->body[slot])->start.x;
                sum += fabs(J[0] * x[0]) + fabs(J[1] * x[1]) + fabs(J[2] * x[2]);
            }
            if (sum > most * reach && reach > 0) most = sum / reach;
        }
    }
    r->rounding = digits * (1 + most);
}

/* Rates that contradict each other. The velocities at the start satisfy those of joints in the least-squares sense
 * (bridge/integrate/jump.h): the pose at the end is to follow these velocities. Its mean rate over the step misses the
 * target by the same error at both ends, of which r->target is the first. A user's rates are refused. */
static int yieldRates(ukRattle *r, const ukProblem *p)
{
    if (!ukJumpAsked(r->island, r->h)) return ukOk;
    const ukMissedRate by = ukRatesMissed(r->island, p, NULL);
    if (by.missed == 0) return ukOk;
    if (by.user) return ukRatesRefuse(r->island, p, &by);
    for (int i = 0; i < p->rows; i++) r->target[i] += 2 * (r->island->rows.rate[i] - r->island->rows.target[i]);
    return ukOk;
}

/* The right-hand sides of velocity rows for the first kick. For a velocity v, psi becomes psi + A (v - v0), so psi is A
 * v less target with target = A v0 - psi, which includes the motion of kinematic bodies and the rates that a user's
 * constraint prescribes. */
static void setVelocityTargets(ukRattle *r, const ukProblem *p)
{
    const ukIsland *island = r->island;
    for (int k = 0; k < p->blocks; k++) {
        const ukBlock *block = &p->block[k];
        const double *A = p->A + block->A;
        for (int i = block->row; i < block->row + block->rows; i++) {
            double along = 0;
            for (int slot = block->slot; slot < block->slot + block->slots; slot++, A += 6) {
                const double *v = p->body[slot] < 0 ? NULL : ukRattleFrame(r, p->body[slot])->start.v;
                for (int c = 0; c < 6 && v; c++) along += A[c] * v[c];
            }
            r->psi[i] = island->rows.rate[i] - island->rows.target[i];
            r->target[i] = along - r->psi[i];
        }
    }
}

/* Stores what later stages need of the island, which is assembled at its start. */
static int storeStart(ukRattle *r)
{
    ukIsland *island = r->island;
    int status = reserveRattle(r);
    if (status != ukOk) return status;
    const ukProblem *p = ukRattleProblem(r);
    if (ukProblemHasLoops(p)) r->tolerance = ukRankTolerance(island, p);
    measureRowReaches(r, p);
    memcpy(r->A, p->A, r->coefficients * sizeof *r->A);
    setVelocityTargets(r, p);
    status = yieldRates(r, p);
    if (status != ukOk) return status;
    if (ukRattleAnyBare(r, p)) {
        ukRattleGyration(r, p, r->side);
        for (int k = 0; k < p->blocks; k++)
            for (int i = p->block[k].row; ukRattleBare(r, k) && i < p->block[k].row + p->block[k].rows; i++)
                r->target[i] = p->b[i] - r->side[i];
    }
    for (int i = 0; i < r->island->frames; i++) {
        const ukFrame *f = &island->frame[i];
        if (f->moving < 0) continue;
        ukBefore *b = ukBeforeOf(r, i);
        ukRattleForce(p, f, p->Q + 6 * f->moving, b->force);
        for (int k = 0; k < 6 && p->C; k++) b->force[k] += p->C[6 * f->moving + k];
        b->mass = p->mass[f->moving];
        memcpy(b->turn, p->inverse_inertia + 9 * (size_t)f->moving, sizeof b->turn);
        memset(b->spin, 0, sizeof b->spin);
    }
    return ukOk;
}

/* The initial multipliers of Newton's method: those that joints remember of the last step, those of the accelerations
 * at the start, or those at the end of the previous part, which are still in the stepper's arrays. */
typedef enum Guess { Remembered, Solved, Carried } Guess;

/* Computes the accelerations at the start only where laws or user constraints need them: contradicting rows have
 * none. */
static int beginRattle(ukRattle *r, Guess guess)
{
    ukIsland *island = r->island;
    const ukProblem *p = ukRattleProblem(r);
    const bool laws = island->ideal->laws > 0, solved = laws || guess == Solved || ukRattleAnyConstraint(r);
    const bool here = solved || guess == Carried;
    int status = ukOk;
    if (solved)
        status = laws ? ukSolveContinuous(island) : ukSolveMotion(island);
    else if (!here)
        ukWarmStartGuess(island);
    if (status == ukOk && !laws && ukRattleAnyConstraint(r)) status = ukContinuousConsistent(island);
    if (status == ukOk) status = storeStart(r);
    if (status != ukOk) return status;
    for (int i = 0; i < p->rows && r->balance; i++)
        r->balance[i] = island->rows.lambda_ideal[i] - island->rows.lambda[i];
    memcpy(r->lambda, (here ? island->rows.lambda : island->rows.lambda0), (size_t)p->rows * sizeof *r->lambda);
    if (!here && island->world->book) memset(island->bodies.qdd, 0, 6 * (size_t)p->bodies * sizeof(double));
    ukLedgerForces(island, 0.5 * r->h);
    if (laws) ukImpulseLaws(island, 0.5 * r->h);
    return ukOk;
}

/* Adds the impulses of the first kick's rows; the part with which they balance the laws is that of the accelerations at
 * the start. */
static void addKick(const ukRattle *r)
{
    for (int i = 0; i < r->rows && r->balance; i++) r->balance[i] += r->lambda[i];
    ukImpulseRows(r->island, r->A, r->lambda, r->balance, 0.5 * r->h);
}

/* Books the work of both kicks' rows, at the velocities of the start and of the end, with the multipliers that act:
 * those of the accelerations there may be others, such as those that joints remember of the last step, under another
 * load. */
static void bookRows(const ukRattle *r)
{
    ukIsland *island = r->island;
    ukKickRows rows = {.A = r->A, .lambda = r->lambda, .psi = r->psi, .zero = r->change, .begins = true};
    if (!island->world->book) return;
    memset(r->change, 0, (size_t)r->rows * sizeof *r->change);
    ukLedgerRows(island, &rows, 0.5 * r->h);
    rows = (ukKickRows){
        .A = island->problem->A, .lambda = island->rows.lambda, .psi = r->change, .zero = r->change}; /* A v = target */
    ukLedgerRows(island, &rows, 0.5 * r->h);
}

/* That the rows are satisfied at the end of a step says nothing about its length: a wheel on an eccentric double hinge,
 * at 0.6 rad per step, gained a factor of 40 000 in 500 steps. Such a step is divided; not where rows depend on each
 * other: in a singular pose accelerations jump, at any length of the step. */
static int judgeEnergy(const ukRattle *r, const ukPassiveStep *begin)
{
    static const double allowed = 0.01;
    double error;
    if (r->independent) return ukOk;
    if (!(ukPassiveError(r->island, begin, r->h, &error) > allowed)) {
        ukPassiveAddError(r->island, begin, error, r->h / r->at.rows.step);
        return ukOk;
    }
    return ukRefuseProblem(r->island, r->island->problem, ukErrorNotConverged,
                           "the step changes the kinetic energy by %.3g J more than its forces' work", error);
}

static int stepOnce(ukIsland *island, const ukIslandStart *start, const ukStepContext *context, Guess guess)
{
    ukRattle r = {
        .island = island, .start = start, .at = *context, .h = context->rows.h, .strict = guess != Remembered};
    int status = ukOk;
    if (ukContinuousRuns(island) && context->rows.commit) status = ukContinuousAssemble(island, start, &r.at);
    r.at.rows.commit = false;
    ukLedgerOpen(island);
    ukImpulseOpen(island);
    if (status == ukOk) status = beginRattle(&r, guess);
    const ukPassiveStep energy = status == ukOk ? ukPassiveBegin(island, r.h) : (ukPassiveStep){.judged = false};
    ukImpulseSaveOpen(island);
    r.at.time = context->time + r.h;
    if (status == ukOk) status = ukRattlePose(&r);
    if (status == ukOk) status = ukRattleKick(&r);
    if (status == ukOk) addKick(&r);
    if (status == ukOk) ukImpulseStage(island, 0.5 * r.h);
    if (status == ukOk) bookRows(&r);
    if (status == ukOk) status = ukRattleConclude(&r);
    if (status == ukOk) status = judgeEnergy(&r, &energy);
    if (status == ukOk) {
        ukLedgerForces(island, 0.5 * r.h);
        ukLedgerMark(island, ukMarkIntegration);
    }
    if (status != ukOk) ukContinuousReset(island);
    return status;
}

int ukIntegrateRattle(ukIsland *island, const ukIslandStart *start, const ukStepContext *context, double *done)
{
    *done = context->rows.h;
    return stepOnce(island, start, context, Remembered);
}

/* ---- steps in parts ---------------------------------------------------------------------------------------------- */

/* If bodies rotate by a radian per step or more, phi(q1) = 0 may have no solution, but a part of the step may. At most
 * so many parts. */
enum { MostParts = 512 };

/* whether the assembled island satisfies its constraints, so that a shorter step may have a solution */
static bool isOnConstraints(const ukIsland *island)
{
    return island->problem->rows == 0 || ukProjected(island);
}

/* the error, with a remedy */
static int refuseRattleStep(const ukIsland *island, int status, bool divided)
{
    return ukProjectAdvise(
        island, status,
        divided ? "use --integrator adaptive or a shorter step"
                : "place bodies so that their joints are satisfied, or remove the joint that contradicts this one");
}

/* Takes the step in equal parts from the frames' starts; afterwards the starts are those of the last part. */
static int takeParts(ukIsland *island, const ukIslandStart *start, const ukStepContext *context, int parts)
{
    ukStepContext at = *context;
    at.rows.h = context->rows.h / parts;
    int status = stepOnce(island, start, &at, parts > 1 ? Solved : Remembered);
    for (int k = 1; k < parts && status == ukOk; k++) {
        ukLedgerAccept(island);
        ukImpulseAccept(island);
        for (int i = 0; i < island->frames; i++) island->frame[i].start = island->frame[i].state;
        at.time = context->time + k * at.rows.h;
        status = ukContinuousAssemble(island, start, &at);
        if (status == ukOk) status = stepOnce(island, start, &at, Carried);
    }
    return status;
}

/* Restores the frames' starts and the joints' running values to the start of the step, and assembles the island there.
 * commit: running values advance, as the other form expects. */
static int startAgain(ukIsland *island, const ukIslandStart *start, const ukStepContext *context, bool commit)
{
    ukStepContext at = *context;
    at.rows.commit = commit;
    for (int i = 0; i < island->frames; i++) island->frame[i].start = island->states.base[i];
    for (int j = 0; j < island->joints; j++) ukJointRunsBack(island->joint[j]);
    ukContinuousReset(island);
    ukLedgerReject(island->world);
    ukImpulseReject(island);
    return ukContinuousAssemble(island, start, &at);
}

int ukRattleTidy(ukIsland *island, const ukIslandStart *start, const ukStepContext *context)
{
    return ukTidyStart(island, start, context, false);
}

int ukIntegrateRattleStep(ukIsland *island, const ukIslandStart *start, const ukStepContext *context)
{
    bool divides = true;
    int status = ukOk;
    for (int i = 0; i < island->frames; i++) island->states.base[i] = island->frame[i].start;
    for (int parts = 1;; parts *= 2) {
        if (parts > 1) status = startAgain(island, start, context, false);
        if (status == ukOk) status = ukRattleTidy(island, start, context);
        divides = isOnConstraints(island);
        if (status == ukOk) status = takeParts(island, start, context, parts);
        if (status == ukOk && parts > 1) island->report->substeps += parts;
        if (status == ukNotContinuous && parts > 1) {
            const int again = startAgain(island, start, context, true);
            status = again == ukOk ? ukNotContinuous : again;
        }
        if (status != ukErrorNotConverged || !divides || parts == MostParts) break;
        island->report->rejected++;
    }
    for (int i = 0; i < island->frames; i++) island->frame[i].start = island->states.base[i];
    if (status == ukOk) return ukOk;
    ukContinuousReset(island);
    return refuseRattleStep(island, status, divides);
}

int ukIntegrateRattlePart(ukIsland *island, const ukIslandStart *start, const ukStepContext *context, double *done)
{
    ukStepContext at = *context;
    /* a stop has been reached when its gap is negative: a short part would need a large speed to open it */
    const bool on = isOnConstraints(island) && ukProjectedFor(island, ukDrift(island, island->problem), &context->rows);
    int status = on ? ukOk : ukTidyStart(island, start, context, true);
    const bool divides = isOnConstraints(island);
    if (status == ukOk) status = ukIntegrateRattle(island, start, &at, done);
    at.rows.commit = false;
    for (int parts = 2; status == ukErrorNotConverged && divides && parts <= MostParts; parts *= 2) {
        island->report->rejected++;
        at.rows.h = *done = context->rows.h / parts;
        status = ukContinuousAssemble(island, start, &at);
        if (status == ukOk) status = stepOnce(island, start, &at, Solved);
        if (status == ukOk) island->report->substeps++;
    }
    return refuseRattleStep(island, status, divides);
}
