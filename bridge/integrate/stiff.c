/* SPDX-License-Identifier: BSD-3-Clause */
#include "bridge/integrate/stiff.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bridge/base/log.h"
#include "bridge/base/vector.h"
#include "bridge/integrate/continuous.h"
#include "bridge/integrate/stiff_force.h"
#include "bridge/island/budget.h"
#include "bridge/island/spring.h"
#include "bridge/solve/one.h"
#include "bridge/solve/solve.h"
#include "bridge/world/frame.h"
#include "solvers/base/status.h"

enum { Most = ukMostSprings }; /* largest number of rows of an island, whose coupling matrix is dense */

/* Arrays of an island: accelerations that the rows' forces cause at the stages, X = P G' (stages x most x n, n = 6
 * moving bodies), in the frames of its bodies; the matrix that couples the stages, and its right-hand sides; scratch;
 * accelerations and their rates (stages x n); changes of positions and velocities in the frames of the bodies (2 x
 * n). */
typedef struct Whole {
    int n, most, *rows, *pivot;
    double *X, *N, *m, *by[2], *x, *rates, *local;
} Whole;

bool ukStiffAny(const ukIsland *island)
{
    bool any = island->ideal->springs > 0;
    for (int k = 0; k < island->elements; k++) any |= ukStiffIsForce(island, k);
    return any;
}

bool ukStiffPossible(const ukIsland *island)
{
    return island->ideal->laws + island->massless == 0 && ukStiffAny(island);
}

int ukStiffUnchanged(const ukIsland *island)
{
    if (island->ideal->springs == island->solvers->stiff_springs) return ukOk;
    ukLog(
        "the number of springs made of CFM changes within a step of an implicit method, which is taken in the discrete "
        "form");
    return ukNotContinuous;
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

static Whole wholeOf(const ukIsland *island)
{
    ukStiffWalk walk = ukStiffWalkBegin(island);
    int sum = 0;
    while (ukStiffWalkNext(island, &walk)) sum += ukStiffMostRows(&walk.force);
    return carveStiff(island->problem->bodies, sum, &walk.arena);
}

static int reserveStiff(ukIsland *island)
{
    ukStiffWalk walk = {.k = -1, .arena = ukArenaOver(NULL, 0)};
    int sum = 0;
    island->solvers->stiff_springs = island->ideal->springs;
    while (ukStiffWalkNext(island, &walk)) sum += ukStiffMostRows(&walk.force);
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

int ukStiffDifferentiate(ukIsland *island, const ukStepContext *at, double length, double unit)
{
    const double by[4] = {ukStiffStep * length, ukStiffStep, ukStiffStep * length / unit, ukStiffStep / unit};
    int status = reserveStiff(island);
    for (ukStiffWalk walk = ukStiffWalkBegin(island); status == ukOk && ukStiffWalkNext(island, &walk);)
        if (walk.force.f) status = ukBudgetSpend(island, 1 + 2 * walk.force.n);
    for (ukStiffWalk walk = ukStiffWalkBegin(island); status == ukOk && ukStiffWalkNext(island, &walk);)
        if (walk.force.f) status = ukStiffForceDifferentiate(island, &walk.force, at, by);
    return status;
}

/* ---- dense equations --------------------------------------------------------------------------------------------- */

/* P A = L U in place (n x n, row-major), by rows with the largest pivots; false: singular */
static bool factorizePivoted(double *A, int n, int *pivot)
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

static void solveFactorized(const double *LU, int n, const int *pivot, double *x)
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
static void reduceDerivatives(const ukIsland *island, ukStiffForce *force, Whole *w)
{
    const int n = force->n, rank = *force->rank;
    double *V = force->work, *B = w->N; /* V' (rank x n) */
    for (int r = 0; r < rank; r++)
        for (int i = 0; i < n; i++) {
            const double m = ukStiffInertia(island, force, i);
            V[n * r + i] = m > 0 ? force->rows[n * r + i] / m : 0;
        }
    for (int r = 0; r < rank; r++)
        for (int c = 0; c < rank; c++) {
            B[rank * r + c] = 0;
            for (int i = 0; i < n; i++) B[rank * r + c] += force->rows[n * r + i] * V[n * c + i];
        }
    if (!factorizePivoted(B, rank, w->pivot)) {
        *force->rank = 0;
        return;
    }
    for (int i = 0; i < n; i++) {
        for (int r = 0; r < rank; r++) w->m[r] = V[n * r + i];
        solveFactorized(B, rank, w->pivot, w->m);
        for (int r = 0; r < rank; r++) V[n * r + i] = w->m[r];
    }
    for (int r = 0; r < rank; r++)
        for (int c = 0; c < rank; c++) {
            double place = 0, rate = 0;
            for (int i = 0; i < n; i++)
                for (int k = 0; k < n; k++) {
                    const double part = V[n * r + i] * V[n * c + k];
                    place += part * force->place[n * i + k];
                    rate += part * force->rate[n * i + k];
                }
            force->by_place[rank * r + c] = place;
            force->by_rate[rank * r + c] = rate;
        }
}

/* X of one row: the accelerations that its force causes in the assembled island */
static int solveForRow(ukIsland *island, const ukStiffForce *force, int stage, int r, double *push, double *zero,
                       double *X)
{
    ukProblem p = *island->problem;
    memset(push, 0, 6 * (size_t)p.bodies * sizeof *push);
    memset(zero, 0, (size_t)p.rows * sizeof *zero);
    for (int i = 0; i < force->n / 6; i++) {
        const ukFrame *frame = ukIslandFrame(island, force->body[i]);
        if (!frame || frame->moving < 0) continue;
        const double *row = ukStiffRowsAt(force, stage) + force->n * r + 6 * i;
        ukRotate(frame->state.R, row, push + 6 * frame->moving);
        ukRotate(frame->state.R, row + 3, push + 6 * frame->moving + 3);
    }
    p.Q = push, p.C = NULL, p.b = zero;
    ukSolution out = {.qdd = X, .lambda = zero + p.rows, .rank = -1};
    const int status = ukEqualitySolveMotion(island->solvers->equality, &p, ukRankTolerance(island, island->problem),
                                             ukMotionGrowth(island), &island->solvers->motion, &out);
    if (status != ukOk) return ukRefuseSolve(island, island->problem, status);
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
    for (ukStiffWalk walk = ukStiffWalkBegin(island); ukStiffWalkNext(island, &walk);) {
        if (walk.force.f) {
            ukStiffForceFactor(island, &walk.force, g, w.most - *w.rows, &strength);
            reduceDerivatives(island, &walk.force, &w);
        } else {
            ukStiffSpringRow(island, &walk.force, g, w.most - *w.rows, &strength);
        }
        *walk.force.row = *w.rows;
        *w.rows += *walk.force.rank;
    }
    return strength;
}

static double *movedBy(const Whole *w, int stage, int row)
{
    return w->X + (size_t)(stage * w->most + row) * (size_t)w->n;
}

int ukStiffUpdateRows(ukIsland *island, int stage, const ukStepContext *at, double g, double speed)
{
    const ukProblem *p = island->problem;
    const Whole w = wholeOf(island);
    ukArena arena = ukArenaOver(NULL, 0);
    ukArenaDoubles(&arena, 6 * (size_t)p->bodies + 2 * (size_t)p->rows);
    if (ukScratchReserve(island->solvers, arena.used) != ukOk) return ukErrorMemory;
    double *push = island->solvers->scratch;
    int status = ukBudgetSpend(island, *w.rows);
    for (ukStiffWalk walk = ukStiffWalkBegin(island); status == ukOk && ukStiffWalkNext(island, &walk);) {
        if (walk.force.f)
            status = ukStiffForceUpdateRows(island, &walk.force, stage, at, g, speed);
        else
            ukStiffSpringRowAt(island, &walk.force, ukStiffRowsAt(&walk.force, stage));
        for (int r = 0; r < *walk.force.rank && status == ukOk; r++)
            status = solveForRow(island, &walk.force, stage, r, push, push + 6 * p->bodies,
                                 movedBy(&w, stage, *walk.force.row + r));
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
static void varyStates(const ukIsland *island, const Whole *w, const ukStiff *of, int i, int one)
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
static void forceResponse(const ukIsland *island, const Whole *w, const ukStiff *of, int i, int one, double *m)
{
    varyStates(island, w, of, i, one);
    for (ukStiffWalk walk = ukStiffWalkBegin(island); ukStiffWalkNext(island, &walk);) {
        const ukStiffForce *f = &walk.force;
        memset(w->by[0], 0, (size_t)*f->rank * sizeof(double));
        memset(w->by[1], 0, (size_t)*f->rank * sizeof(double));
        for (int b = 0; b < f->n / 6; b++) {
            const ukFrame *frame = ukIslandFrame(island, f->body[b]);
            if (!frame || frame->moving < 0) continue;
            const double *local = w->local + 6 * frame->moving;
            for (int r = 0; r < *f->rank; r++)
                for (int k = 0; k < 6; k++) {
                    const double along = ukStiffRowsAt(f, of->first + i)[f->n * r + 6 * b + k];
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
                forceResponse(island, &w, of, i, j, w.m);
                for (int r = 0; r < R; r++) w.N[all * (R * i + r) + R * j + c] = (i == j && r == c ? 1 : 0) - w.m[r];
            }
        }
    return factorizePivoted(w.N, all, w.pivot) ? ukOk : ukErrorSingular;
}

void ukStiffCorrect(ukIsland *island, const ukStiff *of)
{
    const Whole w = wholeOf(island);
    const int R = *w.rows;
    for (int j = 0; j < of->stages; j++) ratesOf(island, &of->stage[j], of->h, w.x + j * w.n, w.rates + j * w.n);
    for (int i = 0; i < of->stages; i++) forceResponse(island, &w, of, i, -1, w.m + R * i);
    solveFactorized(w.N, of->stages * R, w.pivot, w.m);
    for (int i = 0; i < of->stages; i++)
        for (int r = 0; r < R; r++)
            for (int k = 0; k < w.n; k++) w.x[i * w.n + k] += w.m[R * i + r] * movedBy(&w, of->first + i, r)[k];
}
