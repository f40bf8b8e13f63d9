/* SPDX-License-Identifier: BSD-3-Clause */
#include "bridge/integrate/stiff.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bridge/base/log.h"
#include "bridge/base/vector.h"
#include "bridge/island/budget.h"
#include "bridge/island/island.h"
#include "bridge/island/spring.h"
#include "bridge/solve/one.h"
#include "bridge/solve/solve.h"
#include "bridge/user/constraint.h"
#include "bridge/world/frame.h"
#include "solvers/base/arena.h"
#include "solvers/base/status.h"

/* Pivots below this fraction of a body's inertia are left to the Newton iterations, which reduce errors by this
 * factor. */
static const double weak = 0.03;

static const double small = 1e-7; /* step of the differences, relative to a length or a speed */

enum { Most = ukMostSprings }; /* largest number of rows of an island, whose coupling matrix is dense */

/* A force of an island and its derivatives (n x n, n = 6 bodies) in the frames of its bodies; `force` is its value
 * where it was differentiated. Its rows G (rank x n), of which the first is the island's row `row`, also at the stages,
 * and the derivatives in the rows' coordinates (rank x rank). For a spring made of CFM (`f` NULL) the row and the
 * derivatives of its force are known. */
typedef struct Spring {
    struct ukForce *f;
    const ukSpring *made;
    ukBody *const *body;
    int n, *rank, *row;
    double *place, *rate, *force, *work;
    double *rows, *by_place, *by_rate;
} Spring;

/* Arrays of an island: accelerations that the rows' forces cause at the stages, X = P G' (stages x most x n, n = 6
 * moving bodies), in the frames of its bodies; the matrix that couples the stages, and its right-hand sides; scratch;
 * accelerations and their rates (stages x n); changes of positions and velocities in the frames of the bodies (2 x
 * n). */
typedef struct Whole {
    int n, most, *rows, *pivot;
    double *X, *N, *m, *by[2], *x, *rates, *local;
} Whole;

static bool isForce(const ukIsland *island, int k)
{
    return island->element[k]->is_force && !ukElementIsSwitch(island->element[k]);
}

bool ukStiffAny(const ukIsland *island)
{
    bool any = island->ideal->springs > 0;
    for (int k = 0; k < island->elements; k++) any |= isForce(island, k);
    return any;
}

bool ukStiffPossible(const ukIsland *island)
{
    return island->ideal->laws + island->massless == 0 && ukStiffAny(island);
}

/* the rows at a stage (0 ...), stored after those at the state of differentiation */
static double *rowsAt(const Spring *spring, int stage)
{
    return spring->rows + (stage + 1) * spring->n * (spring->f ? spring->n : 1);
}

/* force k of the island; its arrays follow those of the previous force in the arena */
static Spring springOf(const ukIsland *island, int k, ukArena *arena)
{
    struct ukForce *f = (struct ukForce *)island->element[k];
    const size_t n = 6 * (size_t)f->element.count;
    return (Spring){.f = f,
                    .body = f->element.body,
                    .n = (int)n,
                    .rank = ukArenaInts(arena, 1),
                    .row = ukArenaInts(arena, 1),
                    .place = ukArenaDoubles(arena, n * n),
                    .rate = ukArenaDoubles(arena, n * n),
                    .force = ukArenaDoubles(arena, n),
                    .work = ukArenaDoubles(arena, n * n),
                    .rows = ukArenaDoubles(arena, (1 + ukStiffStages) * n * n),
                    .by_place = ukArenaDoubles(arena, n * n),
                    .by_rate = ukArenaDoubles(arena, n * n)};
}

/* the same for a spring made of CFM, of the island assembled last */
static Spring madeOf(const ukSpring *made, ukArena *arena)
{
    const size_t n = made->joint->body[1] ? 12 : 6;
    return (Spring){.made = made,
                    .body = made->joint->body,
                    .n = (int)n,
                    .rank = ukArenaInts(arena, 1),
                    .row = ukArenaInts(arena, 1),
                    .rows = ukArenaDoubles(arena, (1 + ukStiffStages) * n),
                    .by_place = ukArenaDoubles(arena, 1),
                    .by_rate = ukArenaDoubles(arena, 1)};
}

/* iterates over the forces of an island, then its springs */
typedef struct Walk {
    int k;
    ukArena arena;
    Spring spring;
} Walk;

static Walk beginStiff(const ukIsland *island)
{
    return (Walk){.k = -1, .arena = ukArenaOver(island->solvers->stiff_memory, island->solvers->stiff_size)};
}

static bool next(const ukIsland *island, Walk *walk)
{
    while (++walk->k < island->elements && !isForce(island, walk->k)) continue;
    if (walk->k - island->elements >= island->solvers->stiff_springs) return false;
    walk->spring = walk->k < island->elements ? springOf(island, walk->k, &walk->arena)
                                              : madeOf(ukSpringOf(island, walk->k - island->elements), &walk->arena);
    return true;
}

/* arrays after those of the forces; `sum` is the sum of their n */
static Whole carveStiff(int bodies, int sum, ukArena *arena)
{
    const size_t most = (size_t)(sum < Most ? sum : Most), n = 6 * (size_t)bodies, all = ukStiffStages * most;
    return (Whole){.n = (int)n,
                   .most = (int)most,
                   .rows = ukArenaInts(arena, 1),
                   .pivot = ukArenaInts(arena, all),
                   .X = ukArenaDoubles(arena, ukStiffStages * most * n),
                   .N = ukArenaDoubles(arena, all * all),
                   .m = ukArenaDoubles(arena, all),
                   .by = {ukArenaDoubles(arena, most), ukArenaDoubles(arena, most)},
                   .x = ukArenaDoubles(arena, ukStiffStages * n),
                   .rates = ukArenaDoubles(arena, ukStiffStages * n),
                   .local = ukArenaDoubles(arena, 2 * n)};
}

/* the largest number of its rows */
static int mostOf(const Spring *spring)
{
    return spring->f ? spring->n : 1;
}

static Whole wholeOf(const ukIsland *island)
{
    Walk walk = beginStiff(island);
    int sum = 0;
    while (next(island, &walk)) sum += mostOf(&walk.spring);
    return carveStiff(island->problem->bodies, sum, &walk.arena);
}

static int reserveStiff(ukIsland *island)
{
    Walk walk = {.k = -1, .arena = ukArenaOver(NULL, 0)};
    int sum = 0;
    island->solvers->stiff_springs = island->ideal->springs;
    while (next(island, &walk)) sum += mostOf(&walk.spring);
    carveStiff(island->problem->bodies, sum, &walk.arena);
    if (walk.arena.used <= island->solvers->stiff_size) return ukOk;
    void *fresh = aligned_alloc(64, (walk.arena.used + 63) / 64 * 64);
    if (!fresh) return ukErrorMemory;
    free(island->solvers->stiff_memory);
    island->solvers->stiff_memory = fresh;
    island->solvers->stiff_size = walk.arena.used;
    return ukOk;
}

/* ---- differences ------------------------------------------------------------------------------------------------- */

/* writes column c of the derivatives, d / by, rotated into the bodies' frames (3 and 3 numbers per body) */
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

/* changes the state along its own axis c: position, angle, or (`rate`) the corresponding velocity */
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

static int differentiate(ukIsland *island, Spring *spring, const ukStepContext *at, const double by[4])
{
    const ukElement *e = &spring->f->element;
    ukState state[ukMaxElementBodies];
    const ukState *see[ukMaxElementBodies];
    for (int i = 0; i < e->count; i++) {
        const ukFrame *frame = ukIslandFrame(island, e->body[i]);
        state[i] = frame ? frame->state : ukStateOf(e->body[i]);
        see[i] = &state[i];
    }
    int status = ukForceEvaluate(spring->f, see, at->time, at->rows.h);
    memcpy(spring->force, e->force, (size_t)spring->n * sizeof *e->force);
    for (int c = 0; c < 2 * spring->n && status == ukOk; c++) {
        const bool rate = c >= spring->n;
        const int body = c % spring->n / 6, axis = c % 6;
        const ukFrame *frame = ukIslandFrame(island, e->body[body]);
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

int ukStiffDifferentiate(ukIsland *island, const ukStepContext *at, double length, double unit)
{
    const double by[4] = {small * length, small, small * length / unit, small / unit};
    int status = reserveStiff(island);
    for (Walk walk = beginStiff(island); status == ukOk && next(island, &walk);)
        if (walk.spring.f) status = ukBudgetSpend(island, 1 + 2 * walk.spring.n);
    for (Walk walk = beginStiff(island); status == ukOk && next(island, &walk);)
        if (walk.spring.f) status = differentiate(island, &walk.spring, at, by);
    return status;
}

/* ---- rows -------------------------------------------------------------------------------------------------------- */

/* inertia of coordinate i of a force's bodies, in their own frames; 0: the body does not move */
static double inertiaOf(const ukIsland *island, const Spring *spring, int i)
{
    const ukBody *body = spring->body[i / 6];
    const ukFrame *frame = ukIslandFrame(island, body);
    if (!frame || frame->moving < 0) return 0;
    return i % 6 < 3 ? body->constant.mass : body->constant.inertia[4 * (i % 3)];
}

/* rows of G'G = positive part of S = -sym(g rate + g^2 place), at most most_rows, by Cholesky's factorization with
 * pivoting */
static void factorStiff(const ukIsland *island, Spring *spring, double g, int most_rows, double *strength)
{
    const int n = spring->n;
    double *S = spring->work;
    for (int i = 0; i < n; i++)
        for (int k = 0; k < n; k++) {
            const int ik = n * i + k, ki = n * k + i;
            S[ik] =
                -0.5 * (g * (spring->rate[ik] + spring->rate[ki]) + g * g * (spring->place[ik] + spring->place[ki]));
        }
    for (*spring->rank = 0; *spring->rank < n && *spring->rank < most_rows; ++*spring->rank) {
        int pivot = -1;
        double most = weak;
        for (int i = 0; i < n; i++) {
            const double m = inertiaOf(island, spring, i);
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

/* x' V of a direction V = row / inertia */
static double along(const ukIsland *island, const Spring *spring, const double *row, const double *x)
{
    double sum = 0;
    for (int i = 0; i < spring->n; i++) {
        const double m = inertiaOf(island, spring, i);
        if (m > 0) sum += x[i] * row[i] / m;
    }
    return sum;
}

/* the row of a spring made of CFM, at the present state, in the frames of its bodies */
static void lookStiff(const ukIsland *island, const Spring *spring, double *row)
{
    for (int i = 0; i < spring->n; i += 3)
        ukUnrotate(ukIslandFrame(island, spring->body[i / 6])->state.R, spring->made->J + i, row + i);
}

/* computes this row and its strength, the change of its force over g relative to its inertia; keeps it if strong
 * enough */
static void take(const ukIsland *island, Spring *spring, double g, int most_rows, double *strength)
{
    lookStiff(island, spring, spring->rows);
    const double change =
        (g * spring->made->kd + g * g * spring->made->kp) * along(island, spring, spring->rows, spring->rows);
    *strength = fmax(*strength, change);
    *spring->rank = change > weak && most_rows > 0;
    *spring->by_place = -spring->made->kp;
    *spring->by_rate = -spring->made->kd;
}

/* ---- rows at the stages ------------------------------------------------------------------------------------------ */

/* changes the velocities of the state by `by` row / inertia, and its position by g times as much */
static void pushStiff(const ukIsland *island, const Spring *spring, const double *row, double g, double by,
                      ukState *state)
{
    for (int i = 0; i < spring->n / 6; i++) {
        double local[6], v[6], angle[3];
        for (int k = 0; k < 6; k++) {
            const double m = inertiaOf(island, spring, 6 * i + k);
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

/* rows of a stage := S V, one row per direction, at the present state, where the force was evaluated last; then G from
 * S V (V'S V)^-1 V'S */
static int stiffTurn(ukIsland *island, Spring *spring, int stage, const ukStepContext *at, double g, double speed)
{
    const ukElement *e = &spring->f->element;
    const int n = spring->n;
    ukState here[ukMaxElementBodies], state[ukMaxElementBodies];
    const ukState *see[ukMaxElementBodies];
    double *const now = rowsAt(spring, stage);
    memcpy(spring->force, e->force, (size_t)n * sizeof *e->force);
    for (int i = 0; i < e->count; i++) {
        const ukFrame *frame = ukIslandFrame(island, e->body[i]);
        here[i] = frame ? frame->state : ukStateOf(e->body[i]);
        see[i] = &state[i];
    }
    for (int r = 0; r < *spring->rank; r++) {
        const double *row = spring->rows + n * r;
        double *Y = now + n * r;
        const double by = small * speed / sqrt(along(island, spring, row, row));
        memcpy(state, here, (size_t)e->count * sizeof *state);
        pushStiff(island, spring, row, g, by, state);
        const int status = ukForceEvaluate(spring->f, see, at->time, at->rows.h);
        if (status != ukOk) return status;
        for (int i = 0; i < n; i += 3) {
            double d[3];
            for (int k = 0; k < 3; k++) d[k] = -g / by * (e->force[i + k] - spring->force[i + k]);
            ukUnrotate(here[i / 6].R, d, Y + i);
        }
        for (int j = 0; j < r; j++) {
            const double part = along(island, spring, row, now + n * j);
            for (int i = 0; i < n; i++) Y[i] -= part * now[n * j + i];
        }
        const double square = along(island, spring, row, Y);
        if (!(square > 0)) { /* the force supplies energy: the previous rows are kept */
            memcpy(now, spring->rows, (size_t)(n * *spring->rank) * sizeof *now);
            return ukOk;
        }
        for (int i = 0; i < n; i++) Y[i] /= sqrt(square);
    }
    return ukOk;
}

/* ---- dense equations --------------------------------------------------------------------------------------------- */

/* P A = L U in place (n x n, row-major), by rows with the largest pivots; false: singular */
static bool decompose(double *A, int n, int *pivot)
{
    for (int k = 0; k < n; k++) {
        pivot[k] = k;
        for (int i = k + 1; i < n; i++)
            if (fabs(A[i * n + k]) > fabs(A[pivot[k] * n + k])) pivot[k] = i;
        for (int j = 0; j < n && pivot[k] != k; j++) {
            const double kept = A[k * n + j];
            A[k * n + j] = A[pivot[k] * n + j];
            A[pivot[k] * n + j] = kept;
        }
        if (!(fabs(A[k * n + k]) > 0)) return false;
        for (int i = k + 1; i < n; i++) {
            const double part = A[i * n + k] /= A[k * n + k];
            for (int j = k + 1; j < n; j++) A[i * n + j] -= part * A[k * n + j];
        }
    }
    return true;
}

static void substitute(const double *LU, int n, const int *pivot, double *x)
{
    for (int k = 0; k < n; k++) {
        const double kept = x[k];
        x[k] = x[pivot[k]];
        x[pivot[k]] = kept;
    }
    for (int i = 0; i < n; i++)
        for (int j = 0; j < i; j++) x[i] -= LU[i * n + j] * x[j];
    for (int i = n - 1; i >= 0; i--) {
        for (int j = i + 1; j < n; j++) x[i] -= LU[i * n + j] * x[j];
        x[i] /= LU[i * n + i];
    }
}

/* ---- rows of an island ------------------------------------------------------------------------------------------- */

/* The derivatives in the coordinates of the rows, V'D V with G V = 1 and V = M^-1 G'(G M^-1 G')^-1. */
static void reduce(const ukIsland *island, Spring *spring, Whole *w)
{
    const int n = spring->n, rank = *spring->rank;
    double *V = spring->work, *B = w->N; /* V' (rank x n) */
    for (int r = 0; r < rank; r++)
        for (int i = 0; i < n; i++) {
            const double m = inertiaOf(island, spring, i);
            V[n * r + i] = m > 0 ? spring->rows[n * r + i] / m : 0;
        }
    for (int r = 0; r < rank; r++)
        for (int c = 0; c < rank; c++) {
            B[rank * r + c] = 0;
            for (int i = 0; i < n; i++) B[rank * r + c] += spring->rows[n * r + i] * V[n * c + i];
        }
    if (!decompose(B, rank, w->pivot)) {
        *spring->rank = 0;
        return;
    }
    for (int i = 0; i < n; i++) {
        for (int r = 0; r < rank; r++) w->m[r] = V[n * r + i];
        substitute(B, rank, w->pivot, w->m);
        for (int r = 0; r < rank; r++) V[n * r + i] = w->m[r];
    }
    for (int r = 0; r < rank; r++)
        for (int c = 0; c < rank; c++) {
            double place = 0, rate = 0;
            for (int i = 0; i < n; i++)
                for (int k = 0; k < n; k++) {
                    const double part = V[n * r + i] * V[n * c + k];
                    place += part * spring->place[n * i + k];
                    rate += part * spring->rate[n * i + k];
                }
            spring->by_place[rank * r + c] = place;
            spring->by_rate[rank * r + c] = rate;
        }
}

/* X of one row: the accelerations that its force causes in the assembled island */
static int move(ukIsland *island, const Spring *spring, int stage, int r, double *push, double *zero, double *X)
{
    ukProblem p = *island->problem;
    memset(push, 0, 6 * (size_t)p.bodies * sizeof *push);
    memset(zero, 0, (size_t)p.rows * sizeof *zero);
    for (int i = 0; i < spring->n / 6; i++) {
        const ukFrame *frame = ukIslandFrame(island, spring->body[i]);
        if (!frame || frame->moving < 0) continue;
        const double *row = rowsAt(spring, stage) + spring->n * r + 6 * i;
        ukRotate(frame->state.R, row, push + 6 * frame->moving);
        ukRotate(frame->state.R, row + 3, push + 6 * frame->moving + 3);
    }
    p.Q = push, p.C = NULL, p.b = zero;
    ukSolution out = {.qdd = X, .lambda = zero + p.rows, .rank = -1};
    const int status = ukEqualitySolveMotion(island->solvers->equality, &p, ukRankTolerance(island, island->problem),
                                             ukMotionGrowth(island), &island->solvers->motion, &out);
    if (status != ukOk) return ukSolveRefused(island, island->problem, status);
    for (int i = 0; i < island->frames; i++) {
        const ukFrame *frame = &island->frame[i];
        if (frame->moving < 0) continue;
        double local[6], *x = X + 6 * frame->moving;
        ukUnrotate(frame->state.R, x, local);
        ukUnrotate(frame->state.R, x + 3, local + 3);
        memcpy(x, local, sizeof local);
    }
    return ukOk;
}

double ukStiffRows(ukIsland *island, double g)
{
    Whole w = wholeOf(island);
    double strength = 0;
    *w.rows = 0;
    for (Walk walk = beginStiff(island); next(island, &walk);) {
        if (walk.spring.f) {
            factorStiff(island, &walk.spring, g, w.most - *w.rows, &strength);
            reduce(island, &walk.spring, &w);
        } else {
            take(island, &walk.spring, g, w.most - *w.rows, &strength);
        }
        *walk.spring.row = *w.rows;
        *w.rows += *walk.spring.rank;
    }
    return strength;
}

static double *movedBy(const Whole *w, int stage, int row)
{
    return w->X + (size_t)(stage * w->most + row) * (size_t)w->n;
}

int ukStiffTurn(ukIsland *island, int stage, const ukStepContext *at, double g, double speed)
{
    const ukProblem *p = island->problem;
    const Whole w = wholeOf(island);
    ukArena arena = ukArenaOver(NULL, 0);
    ukArenaDoubles(&arena, 6 * (size_t)p->bodies + 2 * (size_t)p->rows);
    if (ukScratchReserve(island->solvers, arena.used) != ukOk) return ukErrorMemory;
    if (island->ideal->springs != island->solvers->stiff_springs) {
        ukErrorSet(ukErrorChanged, "the number of springs made of CFM changed within a step");
        return ukErrorChanged;
    }
    double *push = island->solvers->scratch;
    int status = ukBudgetSpend(island, *w.rows);
    for (Walk walk = beginStiff(island); status == ukOk && next(island, &walk);) {
        if (walk.spring.f)
            status = stiffTurn(island, &walk.spring, stage, at, g, speed);
        else
            lookStiff(island, &walk.spring, rowsAt(&walk.spring, stage));
        for (int r = 0; r < *walk.spring.rank && status == ukOk; r++)
            status = move(island, &walk.spring, stage, r, push, push + 6 * p->bodies,
                          movedBy(&w, stage, *walk.spring.row + r));
    }
    return status;
}

double *ukStiffVectors(const ukIsland *island)
{
    return wholeOf(island).x;
}

/* rates (n) of the accelerations x (n), given in the frames of the bodies, at a stage */
static void ratesOf(const ukIsland *island, const ukStage *stage, double h, const double *x, double *rates)
{
    for (int i = 0; i < island->frames; i++) {
        const int moving = island->frame[i].moving;
        if (moving >= 0) ukNystromRate(island, i, stage, h, x + 6 * moving, rates + 6 * moving);
    }
}

/* the changes of the bodies' positions and velocities at stage i that follow from changes of w->rates; one: of that
 * stage alone, -1: of all stages */
static void vary(const ukIsland *island, const Whole *w, const ukStiff *of, int i, int one)
{
    for (int f = 0; f < island->frames; f++) {
        const int moving = island->frame[f].moving;
        double change[2][6] = {{0}}, local[2][6];
        if (moving < 0) continue;
        for (int j = one < 0 ? 0 : one; j < (one < 0 ? of->stages : one + 1); j++)
            for (int k = 0; k < 6; k++) {
                const double rate = w->rates[j * w->n + 6 * moving + k];
                change[0][k] += of->by_place[of->stages * i + j] * rate;
                change[1][k] += of->by_rate[of->stages * i + j] * rate;
            }
        ukNystromVary(island, f, &of->stage[i], of->h, change, local);
        memcpy(w->local + 6 * moving, local[0], sizeof local[0]);
        memcpy(w->local + w->n + 6 * moving, local[1], sizeof local[1]);
    }
}

/* m (rows): the resulting changes of the forces along the rows */
static void respond(const ukIsland *island, const Whole *w, const ukStiff *of, int i, int one, double *m)
{
    vary(island, w, of, i, one);
    for (Walk walk = beginStiff(island); next(island, &walk);) {
        const Spring *f = &walk.spring;
        memset(w->by[0], 0, (size_t)*f->rank * sizeof(double));
        memset(w->by[1], 0, (size_t)*f->rank * sizeof(double));
        for (int b = 0; b < f->n / 6; b++) {
            const ukFrame *frame = ukIslandFrame(island, f->body[b]);
            if (!frame || frame->moving < 0) continue;
            const double *local = w->local + 6 * frame->moving;
            for (int r = 0; r < *f->rank; r++)
                for (int k = 0; k < 6; k++) {
                    const double along = rowsAt(f, of->first + i)[f->n * r + 6 * b + k];
                    w->by[0][r] += along * local[k];
                    w->by[1][r] += along * local[w->n + k];
                }
        }
        for (int r = 0; r < *f->rank; r++) {
            m[*f->row + r] = 0;
            for (int c = 0; c < *f->rank; c++)
                m[*f->row + r] +=
                    f->by_place[*f->rank * r + c] * w->by[0][c] + f->by_rate[*f->rank * r + c] * w->by[1][c];
        }
    }
}

int ukStiffCouple(ukIsland *island, const ukStiff *of)
{
    const Whole w = wholeOf(island);
    const int R = *w.rows, all = of->stages * R;
    const double products = (double)all * (all * all / 3.0 + of->stages * (100.0 * island->problem->bodies + 30.0 * R));
    const int status = ukBudgetSpend(island, ukBudgetOfProducts(island, products));
    if (status != ukOk) return status;
    for (int j = 0; j < of->stages; j++)
        for (int c = 0; c < R; c++) {
            ratesOf(island, &of->stage[j], of->h, movedBy(&w, of->first + j, c), w.rates + j * w.n);
            for (int i = 0; i < of->stages; i++) {
                respond(island, &w, of, i, j, w.m);
                for (int r = 0; r < R; r++) w.N[all * (R * i + r) + R * j + c] = (i == j && r == c ? 1 : 0) - w.m[r];
            }
        }
    return decompose(w.N, all, w.pivot) ? ukOk : ukErrorSingular;
}

void ukStiffCorrect(ukIsland *island, const ukStiff *of)
{
    const Whole w = wholeOf(island);
    const int R = *w.rows;
    for (int j = 0; j < of->stages; j++) ratesOf(island, &of->stage[j], of->h, w.x + j * w.n, w.rates + j * w.n);
    for (int i = 0; i < of->stages; i++) respond(island, &w, of, i, -1, w.m + R * i);
    substitute(w.N, of->stages * R, w.pivot, w.m);
    for (int i = 0; i < of->stages; i++)
        for (int r = 0; r < R; r++)
            for (int k = 0; k < w.n; k++) w.x[i * w.n + k] += w.m[R * i + r] * movedBy(&w, of->first + i, r)[k];
}
