/* SPDX-License-Identifier: BSD-3-Clause */
#include "bridge/advance/integrate_rattle.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "bridge/account/ledger.h"
#include "bridge/advance/continuous.h"
#include "bridge/advance/nearest.h"
#include "bridge/advance/rattle_pose.h"
#include "bridge/advance/rebase.h"
#include "bridge/base/vector.h"
#include "bridge/island/refuse.h"
#include "bridge/island/warm_start.h"
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

static void withoutGyration(const ukProblem *p, const ukFrame *f, const double *Q, double force[6])
{
    double torque[3] = {0};
    memcpy(force, Q, 6 * sizeof *force);
    if (!dBodyGetGyroscopicMode(f->body->handle)) return;
    ukGyroscopicTorque(p->inertia + 9 * (size_t)f->moving, f->state.v + 3, 0, torque);
    for (int k = 0; k < 3; k++) force[3 + k] -= torque[k];
}

/* y (rows) = A M^-1 of the gyroscopic torques at the frames' states; qdd is scratch */
static void gyration(const ukRattle *r, const ukProblem *p, double *y)
{
    double *x = r->s->bodies.qdd + ukViewOf(r->s, p).column0;
    for (int i = 0; i < p->bodies; i++) {
        const ukFrame *f = ukRattleFrame(r, p, i);
        double torque[3] = {0};
        memset(x + 6 * i, 0, 6 * sizeof *x);
        if (!dBodyGetGyroscopicMode(f->body->handle)) continue;
        ukGyroscopicTorque(p->inertia + 9 * (size_t)i, f->state.v + 3, 0, torque);
        ukRotate(p->inverse_inertia + 9 * (size_t)i, torque, x + 6 * i + 3);
    }
    ukProblemApply(p, x, y);
}

static bool anyBare(const ukRattle *r, const ukProblem *p)
{
    for (int k = 0; k < p->blocks; k++)
        if (ukRattleBare(r, p, k)) return true;
    return false;
}

/* the arrays of a step, in the stepper's scratch */
static int reserve(ukRattle *r)
{
    enum {
        ByRow = 7 + 2 * ukRattleDirections + ukRebaseMost,
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
    double **const by_row[] = {&r->lambda, &r->target, &r->reach, &r->unit, &r->size, &r->change, &r->left};
    for (int k = 0; k < 7; k++) *by_row[k] = ukArenaDoubles(&arena, m);
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
    const size_t row0 = ukViewOf(s, p).row0;
    if (ukProblemHasLoops(p)) r->tolerance = ukRankTolerance(s, p);
    measure(r, p);
    memcpy(r->A, p->A, r->coefficients * sizeof *r->A);
    aim(r, p);
    if (anyBare(r, p)) {
        double *y = s->rows.lambda0 + row0; /* was read */
        memcpy(r->lambda, y, (size_t)p->rows * sizeof *y);
        gyration(r, p, y);
        for (int k = 0; k < p->blocks; k++)
            for (int i = p->block[k].row; ukRattleBare(r, p, k) && i < p->block[k].row + p->block[k].rows; i++)
                r->target[i] = p->b[i] - y[i];
        memcpy(y, r->lambda, (size_t)p->rows * sizeof *y);
    }
    for (int i = 0; i < ukRattleIsland(r)->frames; i++) {
        const ukFrame *f = &s->bodies.frames[ukRattleIsland(r)->frame + i];
        if (f->moving < 0) continue;
        ukBefore *b = ukBeforeOf(r, i);
        withoutGyration(p, f, p->Q + 6 * f->moving, b->force);
        for (int k = 0; k < 6 && p->C; k++) b->force[k] += p->C[6 * f->moving + k];
        b->mass = p->mass[f->moving];
        memcpy(b->turn, p->inverse_inertia + 9 * (size_t)f->moving, sizeof b->turn);
        memset(b->spin, 0, sizeof b->spin);
    }
    return ukOk;
}

/* The multipliers to begin with: those of the last step, or, of laws, of the accelerations at the start. */
static int begin(ukRattle *r)
{
    ukStepper *s = r->s;
    const ukProblem *p = ukRattleProblem(r);
    const bool laws = s->ideal[r->index].laws > 0;
    if (laws) {
        const int status = ukSolveContinuous(s, r->index);
        if (status != ukOk) return status;
    } else {
        ukWarmStartGuess(s, r->index);
    }
    const int status = keep(r);
    if (status != ukOk) return status;
    const size_t row0 = ukViewOf(s, p).row0;
    memcpy(r->lambda, (laws ? s->rows.lambda : s->rows.lambda0) + row0, (size_t)p->rows * sizeof *r->lambda);
    if (!laws && s->world->book) {
        memcpy(s->rows.lambda + row0, r->lambda, (size_t)p->rows * sizeof *r->lambda);
        memset(s->bodies.qdd + ukViewOf(s, p).column0, 0, 6 * (size_t)p->bodies * sizeof(double));
    }
    ukLedgerStage(s, r->index, 0.5 * r->h);
    return ukOk;
}

/* ---- the second kick --------------------------------------------------------------------------------------------- */

/* mu and v1, with the forces at the frames' present velocities; whether v1 has moved them, of the largest */
static int kick(ukRattle *r, double *change)
{
    ukStepper *s = r->s;
    const ukProblem *p = ukRattleProblem(r);
    const size_t row0 = ukViewOf(s, p).row0, column0 = ukViewOf(s, p).column0;
    const double half = 0.5 * r->h;
    double most = 0, size = 0;
    for (int i = 0; i < p->bodies; i++) {
        ukFrame *f = ukRattleFrame(r, p, i);
        double force[6];
        withoutGyration(p, f, s->bodies.Q + column0 + 6 * (size_t)i, force);
        memcpy(s->bodies.Q + column0 + 6 * (size_t)i, force, sizeof force);
        double *back = s->bodies.qdd + column0 + 6 * (size_t)i;
        const double *drifted = ukRattleMoving(r, p, i)->drifted;
        for (int k = 0; k < 6; k++) back[k] = drifted[k] - f->state.v[k];
    }
    double *rate = s->rows.rate + row0, *b = s->rows.b + row0, *y = s->rows.lambda0 + row0;
    ukProblemApply(p, s->bodies.qdd + column0, y); /* A v1' = A v + A (v1' - v) */
    for (int k = 0; k < p->blocks; k++)
        for (int i = p->block[k].row; !ukRattleBare(r, p, k) && i < p->block[k].row + p->block[k].rows; i++)
            b[i] = (s->rows.target[row0 + (size_t)i] - (rate[i] + y[i])) / half;
    if (anyBare(r, p)) gyration(r, p, y);
    for (int k = 0; k < p->blocks; k++)
        for (int i = p->block[k].row; ukRattleBare(r, p, k) && i < p->block[k].row + p->block[k].rows; i++)
            b[i] -= y[i];
    if (r->branched) ukNearestSoften(s, r->index);
    const int status = ukSolveContinuous(s, r->index);
    if (status != ukOk) return status;
    for (int i = 0; i < p->bodies; i++) {
        ukFrame *f = ukRattleFrame(r, p, i);
        for (int k = 0; k < 6; k++) {
            const double v =
                ukRattleMoving(r, p, i)->drifted[k] + half * s->bodies.qdd[column0 + 6 * (size_t)i + (size_t)k];
            most = fmax(most, fabs(v - f->state.v[k]));
            size = fmax(size, fmax(fabs(v), fabs(ukRattleMoving(r, p, i)->drifted[k])));
            f->state.v[k] = v;
        }
    }
    *change = most > 0 ? most / size : 0;
    return ukOk;
}

/* forces of the island that may depend on velocities */
static bool dragged(const ukRattle *r)
{
    const ukIsland *island = ukRattleIsland(r);
    for (int k = island->element; k < island->element + island->elements; k++)
        if (r->s->elements[k]->is_force) return true;
    return r->s->ideal[r->index].laws > 0;
}

/* The frames' velocities, which a kick has just made of those before it, taken back to a part of the change (Aitken):
 * forces that grow with the velocity would overshoot. push: the last change; `from` the velocities before the kick. */
static void relax(const ukRattle *r, double *factor, bool first)
{
    const ukProblem *p = ukRattleProblem(r);
    double along = 0, square = 0;
    for (int i = 0; i < p->bodies && !first; i++) {
        const ukFrame *f = ukRattleFrame(r, p, i);
        const ukBefore *b = ukRattleMoving(r, p, i);
        for (int k = 0; k < 6; k++) {
            const double more = f->state.v[k] - b->kicked[k] - b->push[k];
            along += b->push[k] * more;
            square += more * more;
        }
    }
    if (square > 0) *factor *= -along / square;
    if (!(fabs(*factor) <= 2)) *factor = 1;
    for (int i = 0; i < p->bodies; i++) {
        ukFrame *f = ukRattleFrame(r, p, i);
        ukBefore *b = ukRattleMoving(r, p, i);
        for (int k = 0; k < 6; k++) {
            b->push[k] = f->state.v[k] - b->kicked[k];
            f->state.v[k] = b->kicked[k] + *factor * b->push[k];
        }
    }
}

/* the velocities before a kick, to Before.kicked, which nobody asks for any more */
static void noteVelocities(const ukRattle *r)
{
    const ukProblem *p = ukRattleProblem(r);
    for (int i = 0; i < p->bodies; i++) {
        const ukFrame *f = ukRattleFrame(r, p, i);
        memcpy(ukRattleMoving(r, p, i)->kicked, f->state.v, sizeof f->state.v);
    }
}

static int findVelocity(ukRattle *r)
{
    enum { MaxPasses = 60 };
    static const double enough = 1e-15, small = 1e-11, hopeless = 1e-8; /* of the largest velocity */
    ukStepper *s = r->s;
    double change = 0, last = INFINITY, factor = 1;
    const bool again = dragged(r);
    noteVelocities(r);
    int status = kick(r, &change);
    for (int pass = 0; again && pass < MaxPasses && status == ukOk && change > enough; pass++) {
        if (change < small && change >= last) break;
        last = change;
        relax(r, &factor, pass == 0);
        noteVelocities(r);
        status = ukContinuousAssemble(s, r->index, r->start, &r->at);
        if (status == ukOk) status = kick(r, &change);
    }
    if (status == ukOk && again && !(change <= hopeless))
        return ukRefuseBody(s->bodies.frames[ukRattleIsland(r)->frame].body, ukErrorNotConverged,
                            "forces that depend on velocities are too stiff for a step of %.3g s", r->h);
    if (status == ukOk && s->ideal[r->index].laws > 0) return ukOk;
    if (status != ukOk) return status;
    const ukProblem *p = ukRattleProblem(r);
    const size_t row0 = ukViewOf(s, p).row0;
    double *y = s->rows.lambda0 + row0; /* what is left of the rows at v1 = v1' + h/2 qdd, A v1' = target - h/2 b */
    ukProblemApply(p, s->bodies.qdd + ukViewOf(s, p).column0, y);
    for (int k = 0; k < p->blocks; k++)
        for (int i = p->block[k].row; !ukRattleBare(r, p, k) && i < p->block[k].row + p->block[k].rows; i++)
            s->rows.rate[row0 + (size_t)i] = s->rows.target[row0 + (size_t)i] + 0.5 * r->h * (y[i] - p->b[i]);
    return ukOk;
}

/* velocities whose squares are numbers */
static int holdable(const ukRattle *r)
{
    for (int i = ukRattleIsland(r)->frame; i < ukRattleIsland(r)->frame + ukRattleIsland(r)->frames; i++) {
        const ukFrame *f = &r->s->bodies.frames[i];
        const double *v = f->state.v;
        if (!(ukDot(v, v) + ukDot(v + 3, v + 3) < INFINITY))
            return ukRefuseBody(f->body, ukErrorNotFinite, "the square of its new velocity is not finite");
    }
    return ukOk;
}

/* the second kick; of an island without laws, rows that agree there */
static int land(ukRattle *r)
{
    int status = findVelocity(r);
    if (status == ukOk) status = holdable(r);
    return status == ukOk && r->s->ideal[r->index].laws == 0 ? ukSolveConsistent(r->s, r->index) : status;
}

int ukIntegrateRattle(ukStepper *s, int index, const ukIslandStart *start, const ukStepContext *context, double *done)
{
    const ukIsland *island = &s->islands[index];
    ukRattle r = {.s = s, .index = index, .start = start, .at = *context, .h = context->rows.h};
    int status = ukOk;
    *done = r.h;
    if (ukContinuousRuns(s, island)) {
        r.at.rows.commit = true;
        status = ukContinuousAssemble(s, index, start, &r.at);
    }
    r.at.rows.commit = false;
    ukLedgerOpen(s, index);
    if (status == ukOk) status = begin(&r);
    r.at.time = context->time + r.h;
    if (status == ukOk) status = ukRattlePose(&r);
    if (status == ukOk) status = land(&r);
    if (status == ukErrorContradiction &&
        !r.branched) { /* weak rows beside a pose where they branch may look like it */
        status = ukRattleNearest(&r, true);
        if (status == ukOk) status = land(&r);
    }
    if (status == ukOk) {
        ukLedgerStage(s, index, 0.5 * r.h);
        ukLedgerMark(s, index, ukMarkIntegration);
    }
    if (status == ukOk && s->ideal[index].laws > 0) {
        status = ukContinuousAssemble(s, index, start, &r.at);
        if (status == ukOk) status = ukSolveContinuous(s, index);
        if (status == ukOk) status = ukSolveConsistent(s, index);
    }
    if (status != ukOk) ukContinuousReset(s, index);
    return status;
}
