/* SPDX-License-Identifier: BSD-3-Clause */
#include "bridge/integrate/integrate_rattle.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "bridge/results/impulse.h"
#include "bridge/results/ledger.h"
#include "bridge/integrate/continuous.h"
#include "bridge/integrate/projection.h"
#include "bridge/integrate/rattle_kick.h"
#include "bridge/integrate/rattle_pose.h"
#include "bridge/integrate/rebase.h"
#include "bridge/integrate/tidy.h"
#include "bridge/base/log.h"
#include "bridge/base/vector.h"
#include "bridge/island/refuse.h"
#include "bridge/island/warm_start.h"
#include "bridge/joints/class.h"
#include "bridge/joints/running.h"
#include "bridge/solve/consistent.h"
#include "bridge/solve/solve.h"
#include "bridge/world/state.h"
#include "solvers/base/status.h"
#include "solvers/problem/tolerance.h"

/* ---- the first kick ---------------------------------------------------------------------------------------------- */

static size_t coefficientsOf(const ukProblem *p)
{
    if (p->blocks == 0) return 0;
    const ukBlock *last = &p->block[p->blocks - 1];
    return last->A + 6 * (size_t)(last->rows * last->slots);
}

/* the arrays of a step, in the stepper's scratch */
static int reserve(ukRattle *r)
{
    enum {
        ByRow = 8 + 2 * ukRattleDirections + ukRebaseMost,
        Arrays = 16,
        Rounded = 64 /* bytes that an arena rounds up by */
    };
    ukStepper *s = r->s;
    const ukProblem *p = ukRattleProblem(r);
    r->rows = p->rows;
    r->coefficients = coefficientsOf(p);
    const size_t m = (size_t)p->rows, doubles = 2 * r->coefficients + ByRow * m + 30 * (size_t)p->bodies;
    if (ukStepperScratch(s, doubles * sizeof(double) + 2 * m + Arrays * Rounded) != ukOk) return ukErrorMemory;
    ukArena arena = ukArenaOver(s->solvers.scratch, s->solvers.scratch_size);
    double **const by_row[] = {&r->lambda, &r->target, &r->reach, &r->unit, &r->size, &r->side, &r->change, &r->left};
    for (int k = 0; k < 8; k++) *by_row[k] = ukArenaDoubles(&arena, m);
    r->direction = ukArenaDoubles(&arena, ukRattleDirections * m);
    r->answer = ukArenaDoubles(&arena, ukRattleDirections * m);
    r->A = ukArenaDoubles(&arena, r->coefficients);
    r->mean = ukArenaDoubles(&arena, r->coefficients);
    r->force = ukArenaDoubles(&arena, 12 * (size_t)p->bodies);
    r->acceleration = r->force + 6 * (size_t)p->bodies;
    r->inertia = ukArenaDoubles(&arena, 18 * (size_t)p->bodies);
    r->basis = ukArenaDoubles(&arena, ukRebaseMost * m);
    r->memory = ukArenaBytes(&arena, m);
    r->rebased = ukArenaBytes(&arena, m);
    return ukOk;
}

/* The reach of every row, and how far rounding of positions, seen as an angle, can be told from phi. */
static void measure(ukRattle *r, const ukProblem *p)
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
                const double *x = ukRattleFrame(r, p, p->body[slot])->start.x;
                sum += fabs(J[0] * x[0]) + fabs(J[1] * x[1]) + fabs(J[2] * x[2]);
            }
            if (sum > most * reach && reach > 0) most = sum / reach;
        }
    }
    r->rounding = digits * (1 + most);
}

/* What velocity rows ask of the bodies that move, as the first kick counts: psi of a velocity v is psi + A (v - v0), so A v
 * less target with target = A v0 - psi, which has what kinematic bodies do and what a user's constraint asks in it. */
static void aim(ukRattle *r, const ukProblem *p)
{
    const ukStepper *s = r->s;
    const size_t row0 = ukViewOf(s, p).row0;
    for (int k = 0; k < p->blocks; k++) {
        const ukBlock *block = &p->block[k];
        const double *A = p->A + block->A;
        for (int i = block->row; i < block->row + block->rows; i++) {
            double along = 0;
            for (int slot = block->slot; slot < block->slot + block->slots; slot++, A += 6) {
                const double *v = p->body[slot] < 0 ? NULL : ukRattleFrame(r, p, p->body[slot])->start.v;
                for (int c = 0; c < 6 && v; c++) along += A[c] * v[c];
            }
            r->target[i] = along - (s->rows.rate[row0 + (size_t)i] - s->rows.target[row0 + (size_t)i]);
        }
    }
}

/* what the island, assembled at its start, has to be asked later */
static int keep(ukRattle *r)
{
    ukStepper *s = r->s;
    const int status = reserve(r);
    if (status != ukOk) return status;
    const ukProblem *p = ukRattleProblem(r);
    if (ukProblemHasLoops(p)) r->tolerance = ukRankTolerance(s, p);
    measure(r, p);
    memcpy(r->A, p->A, r->coefficients * sizeof *r->A);
    aim(r, p);
    if (ukRattleAnyBare(r, p)) {
        ukRattleGyration(r, p, r->side);
        for (int k = 0; k < p->blocks; k++)
            for (int i = p->block[k].row; ukRattleBare(r, p, k) && i < p->block[k].row + p->block[k].rows; i++)
                r->target[i] = p->b[i] - r->side[i];
    }
    for (int i = 0; i < ukRattleIsland(r)->frames; i++) {
        const ukFrame *f = &s->bodies.frames[ukRattleIsland(r)->frame + i];
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

/* The multipliers that Newton's method begins with: what joints remember of the last step, those of the accelerations at
 * the start, or those at the end of the part before, which stand in the stepper's arrays. */
typedef enum Guess { Remembered, Solved, Carried } Guess;

/* Laws and user constraints need the accelerations at the start: rows that contradict one another have none. */
static int begin(ukRattle *r, Guess guess)
{
    ukStepper *s = r->s;
    const ukProblem *p = ukRattleProblem(r);
    const size_t row0 = ukViewOf(s, p).row0;
    const bool laws = s->ideal[r->index].laws > 0, solved = laws || guess == Solved || ukRattleAnyConstraint(r);
    const bool here = solved || guess == Carried;
    int status = ukOk;
    if (solved)
        status = laws ? ukSolveContinuous(s, r->index) : ukSolveMotion(s, r->index);
    else if (!here)
        ukWarmStartGuess(s, r->index);
    if (status == ukOk && !laws && ukRattleAnyConstraint(r)) status = ukContinuousConsistent(s, r->index);
    if (status == ukOk) status = keep(r);
    if (status != ukOk) return status;
    memcpy(r->lambda, (here ? s->rows.lambda : s->rows.lambda0) + row0, (size_t)p->rows * sizeof *r->lambda);
    if (!here && s->world->book) {
        memcpy(s->rows.lambda + row0, r->lambda, (size_t)p->rows * sizeof *r->lambda);
        memset(s->bodies.qdd + ukViewOf(s, p).column0, 0, 6 * (size_t)p->bodies * sizeof(double));
    }
    ukLedgerStage(s, r->index, 0.5 * r->h);
    if (laws) ukImpulseLaws(s, r->index, 0.5 * r->h);
    return ukOk;
}

static int stepOnce(ukStepper *s, int index, const ukIslandStart *start, const ukStepContext *context, Guess guess)
{
    const ukIsland *island = &s->islands[index];
    ukRattle r = {
        .s = s, .index = index, .start = start, .at = *context, .h = context->rows.h, .strict = guess != Remembered};
    int status = ukOk;
    if (ukContinuousRuns(s, island) && context->rows.commit) status = ukContinuousAssemble(s, index, start, &r.at);
    r.at.rows.commit = false;
    ukLedgerOpen(s, index);
    ukImpulseOpen(s, index);
    if (status == ukOk) status = begin(&r, guess);
    ukImpulseHold(s, index);
    r.at.time = context->time + r.h;
    if (status == ukOk) status = ukRattlePose(&r);
    if (status == ukOk) status = ukRattleKick(&r);
    if (status == ukOk) ukImpulseRows(s, index, r.A, r.lambda, 0.5 * r.h);
    if (status == ukOk) ukImpulseStage(s, index, 0.5 * r.h);
    if (status == ukOk) status = ukRattleConclude(&r);
    if (status == ukOk) {
        ukLedgerStage(s, index, 0.5 * r.h);
        ukLedgerMark(s, index, ukMarkIntegration);
    }
    if (status != ukOk) ukContinuousReset(s, index);
    return status;
}

int ukIntegrateRattle(ukStepper *s, int index, const ukIslandStart *start, const ukStepContext *context, double *done)
{
    *done = context->rows.h;
    return stepOnce(s, index, start, context, Remembered);
}

/* ---- steps in parts ---------------------------------------------------------------------------------------------- */

/* Where bodies turn by a radian a step and more, phi(q1) = 0 may have no solution: parts of the step have. At most so many. */
enum { MostParts = 64 };

/* whether the assembled island is on its constraints, so that a shorter step may have a solution where this one has none */
static bool placed(const ukStepper *s, int index)
{
    return s->problems[index].rows == 0 || ukProjected(s, index);
}

/* the error with what to do about it */
static int refuse(const ukStepper *s, int index, int status, bool divided)
{
    return ukProjectAdvise(
        s, index, status,
        divided ? "take a shorter step, or the adaptive integrator"
                : "place bodies so that their joints are satisfied, or remove the joint that contradicts this one");
}

/* The step in equal parts, from the frames' starts, which are those of the last part then. */
static int takeParts(ukStepper *s, int index, const ukIslandStart *start, const ukStepContext *context, int parts)
{
    const ukIsland *island = &s->islands[index];
    ukStepContext at = *context;
    at.rows.h = context->rows.h / parts;
    int status = stepOnce(s, index, start, &at, parts > 1 ? Solved : Remembered);
    for (int k = 1; k < parts && status == ukOk; k++) {
        ukLedgerAccept(s, index);
        ukImpulseAccept(s, index);
        for (int i = island->frame; i < island->frame + island->frames; i++)
            s->bodies.frames[i].start = s->bodies.frames[i].state;
        at.time = context->time + k * at.rows.h;
        status = ukContinuousAssemble(s, index, start, &at);
        if (status == ukOk) status = stepOnce(s, index, start, &at, Carried);
    }
    return status;
}

/* The frames' starts and what runs in joints as the step found them, and the island assembled there; commit: for another
 * form, which expects that what runs has advanced. */
static int startAgain(ukStepper *s, int index, const ukIslandStart *start, const ukStepContext *context, bool commit)
{
    const ukIsland *island = &s->islands[index];
    ukStepContext at = *context;
    at.rows.commit = commit;
    for (int i = island->frame; i < island->frame + island->frames; i++) s->bodies.frames[i].start = s->bodies.base[i];
    for (int j = island->joint; j < island->joint + island->joints; j++) ukJointRunsBack(s->joints[j]);
    ukContinuousReset(s, index);
    ukLedgerReject(s);
    ukImpulseReject(s, index);
    return ukContinuousAssemble(s, index, start, &at);
}

int ukRattleTidy(ukStepper *s, int index, const ukIslandStart *start, const ukStepContext *context)
{
    return ukTidyStart(s, index, start, context, false);
}

int ukIntegrateRattleStep(ukStepper *s, int index, const ukIslandStart *start, const ukStepContext *context)
{
    const ukIsland *island = &s->islands[index];
    bool divides = true;
    int status = ukOk;
    for (int i = island->frame; i < island->frame + island->frames; i++) s->bodies.base[i] = s->bodies.frames[i].start;
    for (int parts = 1;; parts *= 2) {
        if (parts > 1) status = startAgain(s, index, start, context, false);
        if (status == ukOk) status = ukRattleTidy(s, index, start, context);
        divides = placed(s, index);
        if (status == ukOk) status = takeParts(s, index, start, context, parts);
        if (status == ukOk && parts > 1) s->report.substeps += parts;
        if (status == ukNotContinuous && parts > 1) {
            const int again = startAgain(s, index, start, context, true);
            status = again == ukOk ? ukNotContinuous : again;
        }
        if (status != ukErrorNotConverged || !divides || parts == MostParts) break;
        s->report.rejected++;
    }
    for (int i = island->frame; i < island->frame + island->frames; i++) s->bodies.frames[i].start = s->bodies.base[i];
    if (status == ukOk) return ukOk;
    ukContinuousReset(s, index);
    return refuse(s, index, status, divides);
}

int ukIntegrateRattlePart(ukStepper *s, int index, const ukIslandStart *start, const ukStepContext *context,
                          double *done)
{
    ukStepContext at = *context;
    const bool divides = placed(s, index);
    int status = ukIntegrateRattle(s, index, start, &at, done);
    at.rows.commit = false;
    for (int parts = 2; status == ukErrorNotConverged && divides && parts <= MostParts; parts *= 2) {
        s->report.rejected++;
        at.rows.h = *done = context->rows.h / parts;
        status = ukContinuousAssemble(s, index, start, &at);
        if (status == ukOk) status = stepOnce(s, index, start, &at, Solved);
        if (status == ukOk) s->report.substeps++;
    }
    return refuse(s, index, status, divides);
}
