/* SPDX-License-Identifier: BSD-3-Clause */
#include "bridge/solve/split.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bridge/island/island.h"
#include "bridge/joints/class.h"
#include "bridge/solve/one.h"
#include "solvers/base/arena.h"
#include "solvers/base/status.h"
#include "solvers/problem/tolerance.h"

/* The problem of one island: those rows of its velocity problem that constrain poses. M and Q are the island's. The
 * unknown is u/h + a with a = M^-1 Q, so A a is added to b. This only sets the scale of the residuals, which would be
 * near zero where the correction is. */
typedef struct Pose {
    ukProblem p;
    ukBlock *block;
    int *body;
    double *A, *b, *softness, *lo, *hi, *lambda, *a, *w, *free, *check;
    bool reconciled; /* b differs from the right-hand side that was assembled */
} Pose;

/* the same layout measures the memory and divides it */
static void carveSplit(Pose *pose, ukArena *arena, const ukProblem *p)
{
    const size_t rows = (size_t)p->rows, n = 6 * (size_t)p->bodies;
    size_t slots = 0, coefficients = 0;
    for (int k = 0; k < p->blocks; k++) {
        slots += (size_t)p->block[k].slots;
        coefficients += 6 * (size_t)(p->block[k].rows * p->block[k].slots);
    }
    pose->block = ukArenaBytes(arena, (size_t)p->blocks * sizeof *pose->block);
    pose->body = ukArenaInts(arena, slots);
    pose->A = ukArenaDoubles(arena, coefficients);
    UKODE_DOUBLES(arena, rows, &pose->b, &pose->softness, &pose->lo, &pose->hi, &pose->lambda);
    pose->a = ukArenaDoubles(arena, n);
    UKODE_DOUBLES(arena, rows, &pose->w, &pose->free);
    pose->check = ukArenaDoubles(arena, ukGaussCheckWork(p));
}

static int reserveSplit(ukIsland *island, const ukProblem *p, Pose *pose)
{
    ukArena arena = ukArenaOver(NULL, 0);
    carveSplit(pose, &arena, p);
    const size_t needed = arena.used + 64;
    if (needed > island->solvers->pose_size) {
        const size_t size = (needed + needed / 4 + 127) / 64 * 64;
        void *fresh = aligned_alloc(64, size);
        if (!fresh) return ukErrorMemory;
        free(island->solvers->pose_memory);
        island->solvers->pose_memory = fresh;
        island->solvers->pose_size = size;
    }
    arena = ukArenaOver(island->solvers->pose_memory, island->solvers->pose_size);
    carveSplit(pose, &arena, p);
    return ukOk;
}

/* Whether a row constrains poses: it has a position error, or is a velocity equality without bounds; not friction,
 * motors of bounded force or springs. */
static bool constrainsPose(const ukIsland *island, int row)
{
    const bool bounded = island->rows.lo[row] > -INFINITY || island->rows.hi[row] < INFINITY;
    return !island->rows.spring[row] && !(island->rows.velocity[row] && bounded);
}

/* Depth that a contact may keep, as an angle over its row's reach. A contact that is pushed out to the last digit
 * separates at the next disturbance by its neighbours; the body that it supported then falls for a step and is pushed
 * out in turn, so that large piles never come to rest (a box of 0.2 m keeps 20 micrometres). Only contacts of twice
 * this depth are corrected, so that a heap at rest, which sinks by the compliance of its CFM, needs no correction for
 * hours. */
static const double kept = 1e-4;

static double poseCorrection(const ukIsland *island, const ukProblem *p, int k, int i)
{
    const ukJoint *joint = island->rows.owners[k].joint;
    const double push = island->rows.push[i], depth = fabs(island->rows.phi[i]);
    if (push == 0 || !joint || !ukIsContact(joint)) return push;
    const double layer = kept * ukRowReach(p, &p->block[k], i);
    return depth > 2 * layer ? push * (1 - layer / depth) : 0;
}

/* The right-hand side for u: the correction, less the rate (A v+ beyond its right-hand side) at which a row with zero
 * force opens. */
static double splitTarget(const ukIsland *island, int row, double correction, double opening)
{
    const double lambda = island->rows.lambda[row];
    if (lambda <= island->rows.lo[row]) return correction - fmax(opening, 0);
    if (lambda >= island->rows.hi[row]) return correction - fmin(opening, 0);
    return correction;
}

/* The same, recorded for the certificate; the multiplier is zero unless the problem is solved. */
static double recordSplitTarget(ukIsland *island, int row, double correction, double opening)
{
    island->rows.pose_push[row] = correction;
    island->rows.pose_lambda[row] = 0;
    return island->rows.pose_side[row] = splitTarget(island, row, correction, opening);
}

/* Builds the problem of the rows that constrain poses; returns whether any of them needs a correction. */
static bool buildPoseProblem(ukIsland *island, const ukProblem *from, double h, Pose *pose)
{
    const ukRowArrays *own = &island->rows;
    size_t coefficients = 0;
    int rows = 0, slots = 0, blocks = 0;
    bool wants = false, bounded = false;
    ukProblemAccelerate(from, from->Q, pose->a);
    ukProblemApply(from, pose->a, pose->free);
    ukProblemApply(from, island->bodies.qdd, pose->w);
    for (int k = 0; k < from->blocks; k++) {
        const ukBlock *block = &from->block[k];
        const size_t width = 6 * (size_t)block->slots, first = coefficients;
        const int row = rows;
        for (int i = 0; i < block->rows; i++) {
            const int at = block->row + i;
            own->pose[at] = constrainsPose(island, at);
            if (!own->pose[at]) continue;
            const double opening = h * (pose->w[at] + own->softness[at] * own->lambda[at] - own->b[at]);
            const double u = recordSplitTarget(island, at, poseCorrection(island, from, k, at), opening);
            memcpy(pose->A + coefficients, from->A + block->A + (size_t)i * width, width * sizeof *pose->A);
            coefficients += width;
            pose->b[rows] = u / h + pose->free[at];
            pose->softness[rows] = own->softness[at];
            pose->lo[rows] = own->lo[at];
            pose->hi[rows] = own->hi[at];
            bounded |= own->lo[at] > -INFINITY || own->hi[at] < INFINITY;
            wants |= (u > 0 && own->hi[at] > 0) || (u < 0 && own->lo[at] < 0);
            rows++;
        }
        if (rows == row) continue;
        pose->block[blocks++] = (ukBlock){row, rows - row, slots, block->slots, first};
        memcpy(pose->body + slots, from->body + block->slot, (size_t)block->slots * sizeof *pose->body);
        slots += block->slots;
    }
    pose->p = (ukProblem){.bodies = from->bodies,
                          .blocks = blocks,
                          .rows = rows,
                          .mass = from->mass,
                          .inertia = from->inertia,
                          .inverse_inertia = from->inverse_inertia,
                          .Q = from->Q,
                          .block = pose->block,
                          .body = pose->body,
                          .A = pose->A,
                          .b = pose->b,
                          .softness = pose->softness,
                          .lo = bounded ? pose->lo : NULL,
                          .hi = bounded ? pose->hi : NULL};
    return wants;
}

/* Dependent rows that contradict each other by their drift are satisfied in the least-squares sense: their residual is
 * removed from b. */
static void reconcilePose(Pose *pose, const ukSolution *out)
{
    ukProblemApply(&pose->p, out->qdd, pose->w);
    for (int i = 0; i < pose->p.rows; i++) pose->b[i] = pose->w[i] + pose->softness[i] * out->lambda[i];
    pose->reconciled = true;
}

static int solveSplit(ukIsland *island, Pose *pose)
{
    ukFrictionSolver **solver = &island->solvers->pose_friction[island->number % ukSolverSlots];
    ukOutcome *outcome = island->outcome;
    const ukProblem *p = &pose->p;
    ukSolution out = {.qdd = island->bodies.shift, .lambda = pose->lambda, .rank = -1};
    if (!*solver) *solver = ukFrictionSolverCreate();
    if (!*solver) return ukErrorMemory;
    const ukFrictionChoice choice = {.law = ukFrictionTwoPhase,
                                     .tolerance = ukSolveAccuracy * island->world->settings.check_tolerance,
                                     .rank_tolerance = outcome->rank_tolerance};
    const int status = ukFrictionSolve(*solver, p, &choice, NULL, &out);
    if (status != ukOk) return ukRefuseSolve(island, island->problem, status);
    if (!p->lo && out.rank < p->rows) reconcilePose(pose, &out);
    if (island->world->settings.check == ukCheckOff) return ukOk;
    const ukGaussEvidence evidence = {.qdd = out.qdd, .lambda = out.lambda, .lo = p->lo, .hi = p->hi};
    ukGaussCheck(p, &evidence, pose->check, &outcome->pose);
    return ukOk;
}

/* Stores the multipliers and the right-hand sides that belong to them, for the certificate. */
static void storePoseSolution(ukIsland *island, const ukProblem *from, const Pose *pose, double h)
{
    const ukRowArrays *own = &island->rows;
    for (int r = 0, at = 0; r < from->rows; r++) {
        if (!own->pose[r]) continue;
        own->pose_lambda[r] = pose->lambda[at];
        if (pose->reconciled) own->pose_side[r] = h * (pose->b[at] - pose->free[r]);
        at++;
    }
}

int ukSplitSolve(ukIsland *island, double h)
{
    const ukProblem *from = &island->ideal->problem;
    double *u = island->bodies.shift;
    const size_t n = 6 * (size_t)from->bodies;
    Pose pose = {.reconciled = false};
    island->outcome->pose = (ukResiduals){0};
    if (from->bodies == 0) return ukOk;
    int status = reserveSplit(island, from, &pose);
    if (status != ukOk) return status;
    if (!buildPoseProblem(island, from, h, &pose)) {
        memset(u, 0, n * sizeof *u);
        return ukOk;
    }
    status = solveSplit(island, &pose);
    if (status != ukOk) return status;
    for (size_t i = 0; i < n; i++) u[i] = h * (u[i] - pose.a[i]);
    storePoseSolution(island, from, &pose, h);
    return ukOk;
}
