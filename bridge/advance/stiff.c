/* SPDX-License-Identifier: BSD-3-Clause */
#include "bridge/advance/stiff.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bridge/base/vector.h"
#include "bridge/island/view.h"
#include "bridge/solve/one.h"
#include "bridge/user/constraint.h"
#include "bridge/world/frame.h"
#include "solvers/base/status.h"

/* Pivots below this part of a body's inertia are left to Newton's passes: they shrink errors by as much. */
static const double weak = 0.03;

static const double small = 1e-7; /* part of a length, or of a speed, that differences are taken over */

/* A force of an island and its derivatives (n x n, n = 6 bodies), and its rows G (rank x n), in the frames of its
 * bodies; `force` is its value where they were taken. */
typedef struct Spring {
    struct ukForce *f;
    int n, *rank;
    double *place, *rate, *rows, *force, *work;
} Spring;

static bool isForce(const ukStepper *s, const ukIsland *island, int k)
{
    return s->elements[island->element + k]->is_force;
}

bool ukStiffPossible(const ukStepper *s, int index)
{
    bool any = false;
    for (int k = 0; k < s->islands[index].elements; k++) any |= isForce(s, &s->islands[index], k);
    return any && s->ideal[index].laws == 0;
}

/* force k of the island, its arrays carved behind those before it */
static Spring springOf(const ukStepper *s, const ukIsland *island, int k, ukArena *arena)
{
    struct ukForce *f = (struct ukForce *)s->elements[island->element + k];
    const size_t n = 6 * (size_t)f->element.count;
    return (Spring){.f = f,
                    .n = (int)n,
                    .rank = ukArenaInts(arena, 1),
                    .place = ukArenaDoubles(arena, n * n),
                    .rate = ukArenaDoubles(arena, n * n),
                    .rows = ukArenaDoubles(arena, n * n),
                    .force = ukArenaDoubles(arena, n),
                    .work = ukArenaDoubles(arena, n * n)};
}

static ukArena memoryOf(const ukStepper *s)
{
    return ukArenaOver(s->solvers.stiff_memory, s->solvers.stiff_size);
}

static int reserve(ukStepper *s, const ukIsland *island)
{
    ukArena need = ukArenaOver(NULL, 0);
    for (int k = 0; k < island->elements; k++)
        if (isForce(s, island, k)) springOf(s, island, k, &need);
    if (need.used > s->solvers.stiff_size) {
        void *fresh = aligned_alloc(64, (need.used + 63) / 64 * 64);
        if (!fresh) return ukErrorMemory;
        free(s->solvers.stiff_memory);
        s->solvers.stiff_memory = fresh;
        s->solvers.stiff_size = need.used;
    }
    if (!s->solvers.stiff) s->solvers.stiff = ukSparseCreate();
    return s->solvers.stiff ? ukOk : ukErrorMemory;
}

/* ---- differences ------------------------------------------------------------------------------------------------- */

/* column c of the derivatives, 3 and 3 numbers a body, into the bodies' frames: d / by */
static void column(const Spring *spring, const ukState *state, double *into, int c, double by)
{
    const double *now = spring->f->element.force;
    for (int i = 0; i < spring->n; i += 3) {
        double d[3], local[3];
        for (int k = 0; k < 3; k++) d[k] = (now[i + k] - spring->force[i + k]) / by;
        ukUnrotate(state[i / 6].R, d, local);
        for (int k = 0; k < 3; k++) into[(i + k) * spring->n + c] = local[k];
    }
}

/* the state moved along its own axis c: place, angle, or (`rate`) the velocities of these */
static void nudge(ukState *state, int c, bool rate, double by)
{
    double axis[3];
    for (int k = 0; k < 3; k++) axis[k] = by * state->R[3 * k + c % 3];
    double *v = state->v + (c < 3 ? 0 : 3);
    for (int k = 0; k < 3 && rate; k++) v[k] += axis[k];
    for (int k = 0; k < 3 && !rate && c < 3; k++) state->x[k] += axis[k];
    if (rate || c < 3) return;
    ukRotateBy(state->q, axis);
    ukStateOrient(state);
}

static int differentiate(ukStepper *s, const ukIsland *island, Spring *spring, const ukStepContext *at,
                         const double by[4])
{
    const ukElement *e = &spring->f->element;
    ukState state[ukMaxElementBodies];
    const ukState *see[ukMaxElementBodies];
    for (int i = 0; i < e->count; i++) {
        const ukFrame *frame = ukIslandFrame(s, island, e->body[i]);
        state[i] = frame ? frame->state : ukStateOf(e->body[i]);
        see[i] = &state[i];
    }
    int status = ukForceEvaluate(spring->f, see, at->time, at->rows.h);
    memcpy(spring->force, e->force, (size_t)spring->n * sizeof *e->force);
    for (int c = 0; c < 2 * spring->n && status == ukOk; c++) {
        const bool rate = c >= spring->n;
        const int body = c % spring->n / 6, axis = c % 6;
        const ukFrame *frame = ukIslandFrame(s, island, e->body[body]);
        double *into = rate ? spring->rate : spring->place;
        if (!frame || frame->moving < 0) {
            for (int i = 0; i < spring->n; i++) into[i * spring->n + c % spring->n] = 0;
            continue;
        }
        const ukState kept = state[body];
        const double step = by[(rate ? 2 : 0) + (axis < 3 ? 0 : 1)];
        nudge(&state[body], axis, rate, step);
        status = ukForceEvaluate(spring->f, see, at->time, at->rows.h);
        state[body] = kept;
        column(spring, state, into, c % spring->n, step);
    }
    return status;
}

int ukStiffDifferentiate(ukStepper *s, int index, const ukStepContext *at, double length, double unit)
{
    const ukIsland *island = &s->islands[index];
    const double by[4] = {small * length, small, small * length / unit, small / unit};
    int status = reserve(s, island);
    ukArena arena = memoryOf(s);
    for (int k = 0; k < island->elements && status == ukOk; k++) {
        if (!isForce(s, island, k)) continue;
        Spring spring = springOf(s, island, k, &arena);
        *spring.rank = 0;
        status = differentiate(s, island, &spring, at, by);
    }
    return status;
}

/* ---- rows -------------------------------------------------------------------------------------------------------- */

/* inertia of coordinate i of a force's bodies, in their own frames; 0: nothing moves it */
static double inertiaOf(const ukStepper *s, const ukIsland *island, const Spring *spring, int i)
{
    const ukBody *body = spring->f->element.body[i / 6];
    const ukFrame *frame = ukIslandFrame(s, island, body);
    if (!frame || frame->moving < 0) return 0;
    return i % 6 < 3 ? body->constant.mass : body->constant.inertia[4 * (i % 3)];
}

/* rows of G'G = what is positive of S = -sym(g rate + g^2 place), by Cholesky's factorization with pivots */
static void factor(const ukStepper *s, const ukIsland *island, Spring *spring, double g, double *strength)
{
    const int n = spring->n;
    double *S = spring->work;
    for (int i = 0; i < n; i++)
        for (int k = 0; k < n; k++) {
            const int ik = n * i + k, ki = n * k + i;
            S[ik] =
                -0.5 * (g * (spring->rate[ik] + spring->rate[ki]) + g * g * (spring->place[ik] + spring->place[ki]));
        }
    for (*spring->rank = 0; *spring->rank < n; ++*spring->rank) {
        int pivot = -1;
        double most = weak;
        for (int i = 0; i < n; i++) {
            const double m = inertiaOf(s, island, spring, i);
            if (m > 0 && S[n * i + i] > most * m) most = S[n * i + i] / m, pivot = i;
        }
        if (pivot < 0) return;
        *strength = fmax(*strength, most);
        double *row = spring->rows + n * *spring->rank;
        const double root = sqrt(S[n * pivot + pivot]);
        for (int i = 0; i < n; i++) row[i] = S[n * pivot + i] / root;
        for (int i = 0; i < n; i++)
            for (int k = 0; k < n; k++) S[n * i + k] -= row[i] * row[k];
        for (int i = 0; i < n; i++) S[n * pivot + i] = S[n * i + pivot] = 0;
    }
}

void ukStiffRows(ukStepper *s, int index, double g, double *strength)
{
    const ukIsland *island = &s->islands[index];
    ukArena arena = memoryOf(s);
    *strength = 0;
    for (int k = 0; k < island->elements; k++) {
        if (!isForce(s, island, k)) continue;
        Spring spring = springOf(s, island, k, &arena);
        factor(s, island, &spring, g, strength);
    }
}

/* ---- rows again -------------------------------------------------------------------------------------------------- */

/* x' V of a direction V = row / inertia */
static double along(const ukStepper *s, const ukIsland *island, const Spring *spring, const double *row,
                    const double *x)
{
    double sum = 0;
    for (int i = 0; i < spring->n; i++) {
        const double m = inertiaOf(s, island, spring, i);
        if (m > 0) sum += x[i] * row[i] / m;
    }
    return sum;
}

/* the state moved by `by` row / inertia in velocity, and g times that in place */
static void push(const ukStepper *s, const ukIsland *island, const Spring *spring, const double *row, double g,
                 double by, ukState *state)
{
    for (int i = 0; i < spring->n / 6; i++) {
        double local[6], v[6], angle[3];
        for (int k = 0; k < 6; k++) {
            const double m = inertiaOf(s, island, spring, 6 * i + k);
            local[k] = m > 0 ? by * row[6 * i + k] / m : 0;
        }
        ukRotate(state[i].R, local, v);
        ukRotate(state[i].R, local + 3, v + 3);
        for (int k = 0; k < 6; k++) state[i].v[k] += v[k];
        for (int k = 0; k < 3; k++) state[i].x[k] += g * v[k], angle[k] = g * v[3 + k];
        ukRotateBy(state[i].q, angle);
        ukStateOrient(&state[i]);
    }
}

/* work := S V, a row a direction, of the present state, where the force was evaluated last; then G of S V (V'S V)^-1 V'S */
static int turn(ukStepper *s, const ukIsland *island, Spring *spring, const ukStepContext *at, double g, double speed)
{
    const ukElement *e = &spring->f->element;
    const int n = spring->n;
    ukState here[ukMaxElementBodies], state[ukMaxElementBodies];
    const ukState *see[ukMaxElementBodies];
    memcpy(spring->force, e->force, (size_t)n * sizeof *e->force);
    for (int i = 0; i < e->count; i++) {
        const ukFrame *frame = ukIslandFrame(s, island, e->body[i]);
        here[i] = frame ? frame->state : ukStateOf(e->body[i]);
        see[i] = &state[i];
    }
    for (int r = 0; r < *spring->rank; r++) {
        const double *row = spring->rows + n * r;
        double *Y = spring->work + n * r;
        const double by = small * speed / sqrt(along(s, island, spring, row, row));
        memcpy(state, here, (size_t)e->count * sizeof *state);
        push(s, island, spring, row, g, by, state);
        const int status = ukForceEvaluate(spring->f, see, at->time, at->rows.h);
        if (status != ukOk) return status;
        for (int i = 0; i < n; i += 3) {
            double d[3];
            for (int k = 0; k < 3; k++) d[k] = -g / by * (e->force[i + k] - spring->force[i + k]);
            ukUnrotate(here[i / 6].R, d, Y + i);
        }
        for (int j = 0; j < r; j++) {
            const double part = along(s, island, spring, row, spring->work + n * j);
            for (int i = 0; i < n; i++) Y[i] -= part * spring->work[n * j + i];
        }
        const double square = along(s, island, spring, row, Y);
        if (!(square > 0)) return ukOk; /* it drives: the rows stay what they are */
        for (int i = 0; i < n; i++) Y[i] /= sqrt(square);
    }
    memcpy(spring->rows, spring->work, (size_t)(n * *spring->rank) * sizeof *spring->rows);
    return ukOk;
}

int ukStiffTurn(ukStepper *s, int index, const ukStepContext *at, double g, double speed)
{
    const ukIsland *island = &s->islands[index];
    ukArena arena = memoryOf(s);
    int status = ukOk;
    for (int k = 0; k < island->elements && status == ukOk; k++) {
        if (!isForce(s, island, k)) continue;
        Spring spring = springOf(s, island, k, &arena);
        status = turn(s, island, &spring, at, g, speed);
    }
    return status;
}

/* ---- a pass ------------------------------------------------------------------------------------------------------ */

/* the island's problem with its rows behind it; arrays in the stepper's scratch */
typedef struct Whole {
    ukProblem p;
    ukBlock *block;
    int *body, slots;
    double *A, *b, *softness, *lambda;
    size_t coefficients;
} Whole;

static Whole carve(const ukProblem *p, int blocks, int rows, int slots, size_t coefficients, ukArena *arena)
{
    Whole w = {.p = *p,
               .block = ukArenaBytes(arena, (size_t)(p->blocks + blocks) * sizeof(ukBlock)),
               .body = ukArenaInts(arena, (size_t)slots),
               .A = ukArenaDoubles(arena, coefficients),
               .b = ukArenaDoubles(arena, (size_t)(p->rows + rows)),
               .softness = ukArenaDoubles(arena, (size_t)(p->rows + rows)),
               .lambda = ukArenaDoubles(arena, (size_t)(p->rows + rows))};
    w.p.block = w.block, w.p.body = w.body, w.p.A = w.A, w.p.b = w.b, w.p.softness = w.softness;
    return w;
}

static void addRows(const ukStepper *s, const ukIsland *island, const Spring *spring, const double *a_old, Whole *w)
{
    const ukElement *e = &spring->f->element;
    w->block[w->p.blocks++] =
        (ukBlock){.row = w->p.rows, .rows = *spring->rank, .slot = w->slots, .slots = e->count, .A = w->coefficients};
    for (int r = 0; r < *spring->rank; r++) {
        double *G = w->A + w->coefficients, known = 0;
        for (int i = 0; i < e->count; i++) {
            const ukFrame *frame = ukIslandFrame(s, island, e->body[i]);
            const double *local = spring->rows + spring->n * r + 6 * i;
            const int body = frame ? frame->moving : -1;
            w->body[w->slots + i] = body;
            memset(G + 6 * i, 0, 6 * sizeof *G);
            if (body < 0) continue;
            ukRotate(frame->state.R, local, G + 6 * i);
            ukRotate(frame->state.R, local + 3, G + 6 * i + 3);
            for (int k = 0; k < 6; k++) known += G[6 * i + k] * a_old[6 * body + k];
        }
        w->b[w->p.rows] = known;
        w->softness[w->p.rows++] = 1;
        w->coefficients += (size_t)spring->n;
    }
    w->slots += e->count;
}

int ukStiffSolve(ukStepper *s, int index, const double *a_old)
{
    const ukIsland *island = &s->islands[index];
    const ukProblem *p = &s->problems[index];
    int blocks = 0, rows = 0, slots = 0, more = 0;
    size_t coefficients = 0, extra = 0;
    for (int k = 0; k < p->blocks; k++) {
        slots += p->block[k].slots;
        coefficients += 6 * (size_t)(p->block[k].rows * p->block[k].slots);
    }
    ukArena springs = memoryOf(s);
    for (int k = 0; k < island->elements; k++) {
        if (!isForce(s, island, k)) continue;
        const Spring spring = springOf(s, island, k, &springs);
        if (*spring.rank == 0) continue;
        blocks++, rows += *spring.rank, more += spring.n / 6, extra += (size_t)(*spring.rank * spring.n);
    }
    ukArena arena = ukArenaOver(NULL, 0);
    carve(p, blocks, rows, slots + more, coefficients + extra, &arena);
    if (ukStepperScratch(s, arena.used) != ukOk) return ukErrorMemory;
    arena = ukArenaOver(s->solvers.scratch, s->solvers.scratch_size);
    Whole w = carve(p, blocks, rows, slots + more, coefficients + extra, &arena);
    memcpy(w.block, p->block, (size_t)p->blocks * sizeof *w.block);
    memcpy(w.body, p->body, (size_t)slots * sizeof *w.body);
    memcpy(w.A, p->A, coefficients * sizeof *w.A);
    memcpy(w.b, p->b, (size_t)p->rows * sizeof *w.b);
    memcpy(w.softness, p->softness, (size_t)p->rows * sizeof *w.softness);
    w.slots = slots, w.coefficients = coefficients;
    springs = memoryOf(s);
    for (int k = 0; k < island->elements; k++) {
        if (!isForce(s, island, k)) continue;
        const Spring spring = springOf(s, island, k, &springs);
        if (*spring.rank > 0) addRows(s, island, &spring, a_old, &w);
    }
    ukSolution out = {.qdd = s->bodies.qdd + ukViewOf(s, p).column0, .lambda = w.lambda, .rank = -1};
    const int status = ukSparseSolveMotion(s->solvers.stiff, &w.p, ukRankTolerance(s, p), &out);
    if (status == ukOk) memcpy(s->rows.lambda + ukViewOf(s, p).row0, w.lambda, (size_t)p->rows * sizeof *w.lambda);
    return status == ukOk ? status : ukSolveRefused(s, p, status);
}
