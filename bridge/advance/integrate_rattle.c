/* SPDX-License-Identifier: BSD-3-Clause */
#include "bridge/advance/integrate_rattle.h"

#include <math.h>
#include <string.h>

#include "bridge/account/ledger.h"
#include "bridge/advance/continuous.h"
#include "bridge/advance/free_motion.h"
#include "bridge/advance/nystrom.h"
#include "bridge/advance/projection.h"
#include "bridge/base/vector.h"
#include "bridge/island/refuse.h"
#include "bridge/island/view.h"
#include "bridge/island/warm_start.h"
#include "bridge/solve/consistent.h"
#include "bridge/solve/solve.h"
#include "bridge/user/constraint.h"
#include "bridge/world/state.h"
#include "solvers/base/status.h"
#include "solvers/problem/tolerance.h"

enum { MostDirections = 8 }; /* of a change of lambda */

/* Of one body, as the first kick needs it when the island is assembled elsewhere; of a body that moves. */
typedef struct Before {
    double force[6];           /* F(q0, v0), without the gyroscopic torque: a momentum knows none */
    double mass, turn[9];      /* M(q0): mass, inverse inertia */
    double push[6], kicked[6]; /* A(q0)' lambda; v0' */
    double drifted[6];         /* v1' */
} Before;
_Static_assert(sizeof(Before) <= 48 * sizeof(double), "stepper->bodies.stage holds 48 doubles a body");

/* A step of an island; arrays in the stepper's scratch. */
typedef struct Rattle {
    ukStepper *s;
    int index;
    const ukIslandStart *start;
    ukStepContext at;
    double h;
    bool factored; /* of full rank, by an earlier pass: good enough for the next */
    int rows;
    size_t coefficients;
    double *change, *left, *unit, *scratch, *direction[MostDirections],
        *answer[MostDirections]; /* (rows) of a change of lambda */
    double *A, *lambda, *target; /* A(q0), (rows) lambda, target rates at the start, or b of bare rows */
} Rattle;

static const ukIsland *islandOf(const Rattle *r)
{
    return &r->s->islands[r->index];
}

static const ukProblem *problemOf(const Rattle *r)
{
    return &r->s->problems[r->index];
}

static Before *beforeOf(const Rattle *r, int i)
{
    return (Before *)(r->s->bodies.stage + 48 * i);
}

/* Of moving body `body` of p. */
static Before *movingOf(const Rattle *r, const ukProblem *p, int body)
{
    return beforeOf(r, r->s->bodies.moving_frame[ukViewOf(r->s, p).moving0 + (size_t)body] - islandOf(r)->frame);
}

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

/* Rows of user constraints that tell no rate: they hold accelerations, M^-1 (F + gyroscopic torque + A' lambda). */
static bool bare(const Rattle *r, const ukProblem *p, int block)
{
    const ukBlockOwner *owner = r->s->rows.owners + ukViewOf(r->s, p).block0 + block;
    return owner->constraint && !owner->constraint->error;
}

/* y (rows) = A M^-1 of the gyroscopic torques at the frames' states; qdd is scratch */
static void gyration(const Rattle *r, const ukProblem *p, double *y)
{
    double *x = r->s->bodies.qdd + ukViewOf(r->s, p).column0;
    for (int i = 0; i < p->bodies; i++) {
        const ukFrame *f = &r->s->bodies.frames[r->s->bodies.moving_frame[ukViewOf(r->s, p).moving0 + (size_t)i]];
        double torque[3] = {0};
        memset(x + 6 * i, 0, 6 * sizeof *x);
        if (!dBodyGetGyroscopicMode(f->body->handle)) continue;
        ukGyroscopicTorque(p->inertia + 9 * (size_t)i, f->state.v + 3, 0, torque);
        ukRotate(p->inverse_inertia + 9 * (size_t)i, torque, x + 6 * i + 3);
    }
    ukProblemApply(p, x, y);
}

static bool anyBare(const Rattle *r, const ukProblem *p)
{
    for (int k = 0; k < p->blocks; k++)
        if (bare(r, p, k)) return true;
    return false;
}

/* what the island, assembled at its start, has to be asked later */
static int keep(Rattle *r)
{
    ukStepper *s = r->s;
    const ukProblem *p = problemOf(r);
    const size_t row0 = ukViewOf(s, p).row0;
    r->rows = p->rows;
    r->coefficients = coefficientsOf(p);
    const size_t m = (size_t)p->rows, doubles = r->coefficients + (6 + 2 * MostDirections) * m;
    if (ukStepperScratch(s, (doubles + 16 * MostDirections) * sizeof(double)) != ukOk) return ukErrorMemory;
    ukArena arena = ukArenaOver(s->solvers.scratch, s->solvers.scratch_size);
    r->A = ukArenaDoubles(&arena, r->coefficients);
    r->lambda = ukArenaDoubles(&arena, (size_t)p->rows);
    r->target = ukArenaDoubles(&arena, m);
    double **const by_row[] = {&r->change, &r->left, &r->unit, &r->scratch};
    for (int k = 0; k < 4; k++) *by_row[k] = ukArenaDoubles(&arena, m);
    for (int k = 0; k < MostDirections; k++) {
        r->direction[k] = ukArenaDoubles(&arena, m);
        r->answer[k] = ukArenaDoubles(&arena, m);
    }
    memcpy(r->A, p->A, r->coefficients * sizeof *r->A);
    memcpy(r->target, s->rows.target + row0, (size_t)p->rows * sizeof *r->target);
    if (anyBare(r, p)) {
        double *y = s->rows.lambda0 + row0; /* was read */
        memcpy(r->lambda, y, (size_t)p->rows * sizeof *y);
        gyration(r, p, y);
        for (int k = 0; k < p->blocks; k++)
            for (int i = p->block[k].row; bare(r, p, k) && i < p->block[k].row + p->block[k].rows; i++)
                r->target[i] = p->b[i] - y[i];
        memcpy(y, r->lambda, (size_t)p->rows * sizeof *y);
    }
    for (int i = 0; i < islandOf(r)->frames; i++) {
        const ukFrame *f = &s->bodies.frames[islandOf(r)->frame + i];
        if (f->moving < 0) continue;
        Before *b = beforeOf(r, i);
        withoutGyration(p, f, p->Q + 6 * f->moving, b->force);
        for (int k = 0; k < 6 && p->C; k++) b->force[k] += p->C[6 * f->moving + k];
        b->mass = p->mass[f->moving];
        memcpy(b->turn, p->inverse_inertia + 9 * (size_t)f->moving, sizeof b->turn);
    }
    return ukOk;
}

/* The multipliers to begin with: those of the last step, or, of laws, of the accelerations at the start. */
static int begin(Rattle *r)
{
    ukStepper *s = r->s;
    const ukProblem *p = problemOf(r);
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

/* A(q0)' lambda to every body's push */
static void push(const Rattle *r, const ukProblem *p)
{
    for (int i = 0; i < p->bodies; i++) memset(movingOf(r, p, i)->push, 0, 6 * sizeof(double));
    for (int k = 0; k < p->blocks; k++) {
        const ukBlock *block = &p->block[k];
        const double *A = r->A + block->A;
        for (int i = block->row; i < block->row + block->rows; i++)
            for (int slot = block->slot; slot < block->slot + block->slots; slot++, A += 6) {
                if (p->body[slot] < 0) continue;
                double *to = movingOf(r, p, p->body[slot])->push;
                for (int c = 0; c < 6; c++) to[c] += A[c] * r->lambda[i];
            }
    }
}

/* Kick and drift with the present lambda, and the island assembled there. */
static int fly(Rattle *r)
{
    ukStepper *s = r->s;
    push(r, problemOf(r));
    for (int i = 0; i < islandOf(r)->frames; i++) {
        ukFrame *f = &s->bodies.frames[islandOf(r)->frame + i];
        Before *b = beforeOf(r, i);
        if (f->moving >= 0) {
            double torque[3], turned[3];
            for (int k = 0; k < 3; k++) torque[k] = b->force[3 + k] + b->push[3 + k];
            ukRotate(b->turn, torque, turned);
            for (int k = 0; k < 3; k++) {
                b->kicked[k] = f->start.v[k] + 0.5 * r->h * (b->force[k] + b->push[k]) / b->mass;
                b->kicked[3 + k] = f->start.v[3 + k] + 0.5 * r->h * turned[k];
            }
        }
        if (ukFreeMotion(f, f->moving >= 0 ? b->kicked : f->start.v, r->h) != ukOk)
            return ukRefuseBody(f->body, ukErrorNotConverged, "it turns too far in one step of %.3g s", r->h);
        if (f->moving >= 0) memcpy(b->drifted, f->state.v, sizeof b->drifted);
    }
    const int status = ukContinuousAssemble(s, r->index, r->start, &r->at);
    return status == ukOk && problemOf(r)->rows != r->rows ? ukNotContinuous : status;
}

/* A(q0) v0' of row i of a block, or A(q0) (v0' - v0) */
static double rateBefore(const Rattle *r, const ukProblem *p, const ukBlock *block, int i, bool kick)
{
    const double *A = r->A + block->A + 6 * (size_t)((i - block->row) * block->slots);
    double sum = 0;
    for (int slot = block->slot; slot < block->slot + block->slots; slot++, A += 6) {
        if (p->body[slot] < 0) continue;
        const int frame = r->s->bodies.moving_frame[ukViewOf(r->s, p).moving0 + (size_t)p->body[slot]];
        const double *v = movingOf(r, p, p->body[slot])->kicked, *start = r->s->bodies.frames[frame].start.v;
        for (int c = 0; c < 6; c++) sum += A[c] * (kick ? v[c] - start[c] : v[c]);
    }
    return sum;
}

/* What is missed of the drift's end, to the right-hand sides of a change of lambda; the largest part, of velocity rows
 * alone, as a change of velocity. */
static double miss(const Rattle *r)
{
    const ukStepper *s = r->s;
    const ukProblem *p = problemOf(r);
    const size_t row0 = ukViewOf(s, p).row0;
    double most = 0;
    for (int k = 0; k < p->blocks; k++)
        for (int i = p->block[k].row; i < p->block[k].row + p->block[k].rows; i++) {
            const size_t row = row0 + (size_t)i;
            if (!s->rows.velocity[row]) {
                s->rows.b[row] = -2 * s->rows.phi[row] / (r->h * r->h);
                continue;
            }
            const bool kick = bare(r, p, k);
            const double before = rateBefore(r, p, &p->block[k], i, kick);
            const double psi = kick ? before - 0.5 * r->h * r->target[i]
                                    : 0.5 * (before - r->target[i] + s->rows.rate[row] - s->rows.target[row]);
            s->rows.b[row] = -2 * psi / r->h;
            most = fmax(most, fabs(psi));
        }
    return most;
}

/* y (rows) = D^-1/2 A(q1) M^-1 A(q0)' z: what a change z of lambda moves the rows by, each over its size; A in p is
 * the mean of A(q0) and A(q1). */
static void respond(Rattle *r, const double *z, double *y)
{
    ukStepper *s = r->s;
    const ukProblem *p = problemOf(r);
    ukProblem there = *p;
    there.A = r->A;
    double *x = s->bodies.qdd + ukViewOf(s, p).column0, *f = s->bodies.Q + ukViewOf(s, p).column0;
    memset(f, 0, 6 * (size_t)p->bodies * sizeof *f);
    ukProblemApplyTransposed(&there, z, f);
    for (int i = 0; i < p->bodies; i++) {
        const Before *b = movingOf(r, p, i);
        for (int k = 0; k < 3; k++) x[6 * i + k] = f[6 * i + k] / b->mass;
        ukRotate(b->turn, f + 6 * i + 3, x + 6 * i + 3);
    }
    ukProblemApply(&there, x, r->scratch);
    ukProblemApply(p, x, y);
    for (int i = 0; i < p->rows; i++) y[i] = r->unit[i] * (2 * y[i] - r->scratch[i]);
    memset(f, 0, 6 * (size_t)p->bodies * sizeof *f);
}

static double dot(const double *x, const double *y, int n)
{
    double sum = 0;
    for (int i = 0; i < n; i++) sum += x[i] * y[i];
    return sum;
}

/* The first solve's direction, and others for what it leaves, to the least residual (GCR); the sum to r->change. */
static int refine(Rattle *r, double tolerance)
{
    static const double enough = 1e-4;
    ukStepper *s = r->s;
    const ukProblem *p = problemOf(r);
    const size_t row0 = ukViewOf(s, p).row0, m = (size_t)r->rows;
    double *z = s->rows.lambda + row0, *b = s->rows.b + row0, first = 0;
    memset(r->change, 0, m * sizeof *r->change);
    for (size_t i = 0; i < m; i++) r->left[i] = r->unit[i] * b[i];
    first = dot(r->left, r->left, r->rows);
    for (int k = 0; k < MostDirections; k++) {
        double *to = r->direction[k], *answer = r->answer[k];
        memcpy(to, z, m * sizeof *to);
        respond(r, to, answer);
        for (int j = 0; j < k; j++) {
            const double part = dot(answer, r->answer[j], r->rows);
            for (size_t i = 0; i < m; i++) answer[i] -= part * r->answer[j][i], to[i] -= part * r->direction[j][i];
        }
        const double size = sqrt(dot(answer, answer, r->rows));
        if (!(size > 0)) return ukOk;
        for (size_t i = 0; i < m; i++) answer[i] /= size, to[i] /= size;
        const double part = dot(answer, r->left, r->rows);
        for (size_t i = 0; i < m; i++) r->left[i] -= part * answer[i], r->change[i] += part * to[i];
        if (!(dot(r->left, r->left, r->rows) > enough * enough * first)) return ukOk;
        for (size_t i = 0; i < m; i++) b[i] = r->left[i] / r->unit[i];
        if (r->factored) {
            ukSparseSolveOnce(s->solvers.sparse, NULL, b, s->bodies.qdd + ukViewOf(s, p).column0, z);
            continue;
        }
        const int status = ukProjectSolve(s, r->index, tolerance);
        if (status != ukOk) return status;
    }
    return ukOk;
}

/* The change of lambda, for the right-hand sides that stand there, to r->change. Newton's matrix is A(q1) M^-1 A(q0)',
 * which is not symmetric; that of the mean of the two A differs from it, to first order, by an antisymmetric part,
 * which weak directions do not feel: the factor to solve with, a few directions long. Rows that are dependent on the
 * constraints are so in the mean up to the sagitta of how far bodies turn. */
static int findChange(Rattle *r)
{
    ukStepper *s = r->s;
    const ukProblem *p = problemOf(r);
    double *A = s->rows.A + (p->A - s->rows.A), turned = 0;
    for (size_t i = 0; i < r->coefficients; i++) A[i] = 0.5 * (A[i] + r->A[i]);
    for (int k = 0; k < p->blocks; k++)
        for (int i = p->block[k].row; i < p->block[k].row + p->block[k].rows; i++)
            r->unit[i] = ukRowUnit(p, &p->block[k], i, 0);
    for (int i = 0; i < p->bodies; i++) {
        const double *w = movingOf(r, p, i)->kicked + 3;
        turned = fmax(turned, r->h * r->h * ukDot(w, w));
    }
    const double tolerance = fmin(turned / 8, ukRankMost);
    if (r->factored) {
        const size_t row0 = ukViewOf(s, p).row0;
        ukSparseSolveOnce(s->solvers.sparse, NULL, s->rows.b + row0, s->bodies.qdd + ukViewOf(s, p).column0,
                          s->rows.lambda + row0);
        return refine(r, tolerance);
    }
    const int status = ukProjectSolve(s, r->index, tolerance);
    r->factored = status == ukOk && !ukSparseWeak(s->solvers.sparse, 0);
    return status == ukOk ? refine(r, tolerance) : status;
}

/* lambda by Newton's method; the frames' states are then on the constraints */
static int findPose(Rattle *r)
{
    enum { MaxPasses = 25 };
    ukStepper *s = r->s;
    double last = INFINITY, last_rate = INFINITY;
    int status = fly(r);
    const double rounding = status == ukOk ? 0.25 * ukProjectRounding(s, r->index) : 0;
    for (int pass = 0; pass < MaxPasses && status == ukOk; pass++) {
        const ukProblem *p = problemOf(r);
        const double off = ukDrift(s, p), rate = miss(r);
        if (off <= rounding && !(rate > 0 && rate < 0.5 * last_rate)) return ukOk;
        if (!(off < 0.5 * last) && !(rate < 0.5 * last_rate)) break;
        last = off;
        last_rate = rate;
        status = findChange(r);
        if (status != ukOk) break;
        for (int i = 0; i < r->rows; i++) r->lambda[i] += r->change[i];
        status = fly(r);
    }
    if (status != ukOk) return status;
    if (ukProjected(s, r->index)) return ukOk;
    /* No such lambda near, as where constraints branch: the nearest pose instead. */
    status = ukProjectIsland(s, r->index, r->start, &r->at);
    if (status == ukOk && !ukProjected(s, r->index)) status = ukProjectRefuse(s, r->index);
    for (int i = 0; i < islandOf(r)->frames && status == ukOk; i++)
        if (s->bodies.frames[islandOf(r)->frame + i].moving >= 0)
            memcpy(beforeOf(r, i)->drifted, s->bodies.frames[islandOf(r)->frame + i].state.v, 6 * sizeof(double));
    return status;
}

/* ---- the second kick --------------------------------------------------------------------------------------------- */

/* mu and v1, with the forces at the frames' present velocities; whether v1 has moved them, of the largest */
static int kick(Rattle *r, double *change)
{
    ukStepper *s = r->s;
    const ukProblem *p = problemOf(r);
    const size_t row0 = ukViewOf(s, p).row0, column0 = ukViewOf(s, p).column0;
    const double half = 0.5 * r->h;
    double most = 0, size = 0;
    for (int i = 0; i < p->bodies; i++) {
        ukFrame *f = &s->bodies.frames[s->bodies.moving_frame[ukViewOf(s, p).moving0 + (size_t)i]];
        double force[6];
        withoutGyration(p, f, s->bodies.Q + column0 + 6 * (size_t)i, force);
        memcpy(s->bodies.Q + column0 + 6 * (size_t)i, force, sizeof force);
        double *back = s->bodies.qdd + column0 + 6 * (size_t)i;
        const double *drifted = movingOf(r, p, i)->drifted;
        for (int k = 0; k < 6; k++) back[k] = drifted[k] - f->state.v[k];
    }
    double *rate = s->rows.rate + row0, *b = s->rows.b + row0, *y = s->rows.lambda0 + row0;
    ukProblemApply(p, s->bodies.qdd + column0, y); /* A v1' = A v + A (v1' - v) */
    for (int k = 0; k < p->blocks; k++)
        for (int i = p->block[k].row; !bare(r, p, k) && i < p->block[k].row + p->block[k].rows; i++)
            b[i] = (s->rows.target[row0 + (size_t)i] - (rate[i] + y[i])) / half;
    if (anyBare(r, p)) gyration(r, p, y);
    for (int k = 0; k < p->blocks; k++)
        for (int i = p->block[k].row; bare(r, p, k) && i < p->block[k].row + p->block[k].rows; i++) b[i] -= y[i];
    const int status = ukSolveContinuous(s, r->index);
    if (status != ukOk) return status;
    for (int i = 0; i < p->bodies; i++) {
        ukFrame *f = &s->bodies.frames[s->bodies.moving_frame[ukViewOf(s, p).moving0 + (size_t)i]];
        for (int k = 0; k < 6; k++) {
            const double v = movingOf(r, p, i)->drifted[k] + half * s->bodies.qdd[column0 + 6 * (size_t)i + (size_t)k];
            most = fmax(most, fabs(v - f->state.v[k]));
            size = fmax(size, fmax(fabs(v), fabs(movingOf(r, p, i)->drifted[k])));
            f->state.v[k] = v;
        }
    }
    *change = most > 0 ? most / size : 0;
    return ukOk;
}

/* forces of the island that may depend on velocities */
static bool dragged(const Rattle *r)
{
    const ukIsland *island = islandOf(r);
    for (int k = island->element; k < island->element + island->elements; k++)
        if (r->s->elements[k]->is_force) return true;
    return r->s->ideal[r->index].laws > 0;
}

/* The frames' velocities, which a kick has just made of those before it, taken back to a part of the change (Aitken):
 * forces that grow with the velocity would overshoot. push: the last change; `from` the velocities before the kick. */
static void relax(const Rattle *r, double *factor, bool first)
{
    const ukProblem *p = problemOf(r);
    double along = 0, square = 0;
    for (int i = 0; i < p->bodies && !first; i++) {
        const ukFrame *f = &r->s->bodies.frames[r->s->bodies.moving_frame[ukViewOf(r->s, p).moving0 + (size_t)i]];
        const Before *b = movingOf(r, p, i);
        for (int k = 0; k < 6; k++) {
            const double more = f->state.v[k] - b->kicked[k] - b->push[k];
            along += b->push[k] * more;
            square += more * more;
        }
    }
    if (square > 0) *factor *= -along / square;
    if (!(fabs(*factor) <= 2)) *factor = 1;
    for (int i = 0; i < p->bodies; i++) {
        ukFrame *f = &r->s->bodies.frames[r->s->bodies.moving_frame[ukViewOf(r->s, p).moving0 + (size_t)i]];
        Before *b = movingOf(r, p, i);
        for (int k = 0; k < 6; k++) {
            b->push[k] = f->state.v[k] - b->kicked[k];
            f->state.v[k] = b->kicked[k] + *factor * b->push[k];
        }
    }
}

/* the velocities before a kick, to Before.kicked, which nobody asks for any more */
static void noteVelocities(const Rattle *r)
{
    const ukProblem *p = problemOf(r);
    for (int i = 0; i < p->bodies; i++) {
        const ukFrame *f = &r->s->bodies.frames[r->s->bodies.moving_frame[ukViewOf(r->s, p).moving0 + (size_t)i]];
        memcpy(movingOf(r, p, i)->kicked, f->state.v, sizeof f->state.v);
    }
}

static int findVelocity(Rattle *r)
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
        return ukRefuseBody(s->bodies.frames[islandOf(r)->frame].body, ukErrorNotConverged,
                            "forces that depend on velocities are too stiff for a step of %.3g s", r->h);
    if (status == ukOk && s->ideal[r->index].laws > 0) return ukOk;
    if (status != ukOk) return status;
    const ukProblem *p = problemOf(r);
    const size_t row0 = ukViewOf(s, p).row0;
    double *y = s->rows.lambda0 + row0; /* what is left of the rows at v1 = v1' + h/2 qdd, A v1' = target - h/2 b */
    ukProblemApply(p, s->bodies.qdd + ukViewOf(s, p).column0, y);
    for (int k = 0; k < p->blocks; k++)
        for (int i = p->block[k].row; !bare(r, p, k) && i < p->block[k].row + p->block[k].rows; i++)
            s->rows.rate[row0 + (size_t)i] = s->rows.target[row0 + (size_t)i] + 0.5 * r->h * (y[i] - p->b[i]);
    return ukOk;
}

/* velocities whose squares are numbers */
static int holdable(const Rattle *r)
{
    for (int i = islandOf(r)->frame; i < islandOf(r)->frame + islandOf(r)->frames; i++) {
        const ukFrame *f = &r->s->bodies.frames[i];
        const double *v = f->state.v;
        if (!(ukDot(v, v) + ukDot(v + 3, v + 3) < INFINITY))
            return ukRefuseBody(f->body, ukErrorNotFinite, "the square of its new velocity is not finite");
    }
    return ukOk;
}

int ukIntegrateRattle(ukStepper *s, int index, const ukIslandStart *start, const ukStepContext *context, double *done)
{
    const ukIsland *island = &s->islands[index];
    Rattle r = {.s = s, .index = index, .start = start, .at = *context, .h = context->rows.h};
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
    if (status == ukOk) status = findPose(&r);
    if (status == ukOk) status = findVelocity(&r);
    if (status == ukOk) status = holdable(&r);
    if (status == ukOk) {
        for (int i = island->frame; i < island->frame + island->frames; i++)
            ukFrameCap(s->bodies.frames[i].body, s->bodies.frames[i].state.v);
        ukLedgerStage(s, index, 0.5 * r.h);
        ukLedgerMark(s, index, ukMarkIntegration);
    }
    if (status == ukOk && s->ideal[index].laws > 0) {
        status = ukContinuousAssemble(s, index, start, &r.at);
        if (status == ukOk) status = ukSolveContinuous(s, index);
    }
    if (status == ukOk) status = ukSolveConsistent(s, index);
    if (status != ukOk) ukContinuousReset(s, index);
    return status;
}
