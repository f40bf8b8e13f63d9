/* SPDX-License-Identifier: BSD-3-Clause */
#include "bridge/solve/split.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bridge/island/view.h"
#include "bridge/joints/class.h"
#include "bridge/solve/one.h"
#include "solvers/base/status.h"
#include "solvers/problem/tolerance.h"

/* The problem of one island: the rows of its velocities' that bind poses. M is the island's. So is Q: the unknown is
 * u/h + a, a = M^-1 Q, and b has A a more. That changes nothing but what residuals are measured by, which otherwise,
 * where next to nothing is to be corrected, would be next to nothing. */
typedef struct Pose {
    ukProblem p;
    ukBlock *block;
    int *body;
    double *A, *b, *softness, *lo, *hi, *lambda, *a, *w, *free, *check;
    bool reconciled; /* b is no more what was asked for */
} Pose;

/* one layout measures and carves */
static void carve(Pose *pose, ukArena *arena, const ukProblem *p)
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
    pose->b = ukArenaDoubles(arena, rows);
    pose->softness = ukArenaDoubles(arena, rows);
    pose->lo = ukArenaDoubles(arena, rows);
    pose->hi = ukArenaDoubles(arena, rows);
    pose->lambda = ukArenaDoubles(arena, rows);
    pose->a = ukArenaDoubles(arena, n);
    pose->w = ukArenaDoubles(arena, rows);
    pose->free = ukArenaDoubles(arena, rows);
    pose->check = ukArenaDoubles(arena, ukGaussCheckWork(p));
}

static int reserve(ukStepper *s, const ukProblem *p, Pose *pose)
{
    ukArena arena = ukArenaOver(NULL, 0);
    carve(pose, &arena, p);
    const size_t needed = arena.used + 64;
    if (needed > s->solvers.pose_size) {
        const size_t size = (needed + needed / 4 + 127) / 64 * 64;
        void *fresh = aligned_alloc(64, size);
        if (!fresh) return ukErrorMemory;
        free(s->solvers.pose_memory);
        s->solvers.pose_memory = fresh;
        s->solvers.pose_size = size;
    }
    arena = ukArenaOver(s->solvers.pose_memory, s->solvers.pose_size);
    carve(pose, &arena, p);
    return ukOk;
}

/* Position errors, and equalities that are to hold whatever moves; not friction, motors of finite force, springs. */
static bool binds(const ukStepper *s, size_t row)
{
    const bool bounded = s->rows.lo[row] > -INFINITY || s->rows.hi[row] < INFINITY;
    return !s->rows.spring[row] && !(s->rows.velocity[row] && bounded);
}

/* Depth of a contact, seen as an angle over its row's reach, that it may keep. A contact that is pushed out to the last
 * digit is gone with the next stir of its neighbours; what it held then falls for a step, and is pushed out in turn:
 * large piles never rest (a box of 0.2 m keeps 20 micrometres). Only what is twice as deep is pushed, so that a heap at
 * rest, which sinks by what CFM gives way, asks for nothing for hours. */
static const double kept = 1e-4;

static double correction(const ukStepper *s, const ukProblem *p, int k, int i)
{
    const size_t row = ukViewOf(s, p).row0 + (size_t)i;
    const ukJoint *joint = s->rows.owners[ukViewOf(s, p).block0 + (size_t)k].joint;
    const double push = s->rows.push[row], depth = fabs(s->rows.phi[row]);
    if (push == 0 || !joint || !ukIsContact(joint)) return push;
    const double layer = kept * ukRowReach(p, &p->block[k], i);
    return depth > 2 * layer ? push * (1 - layer / depth) : 0;
}

/* What u is asked for: the correction, less the speed (A v+ beyond its right-hand side) at which a row opens by itself.
 */
static double asked(const ukStepper *s, size_t row, double correction, double opening)
{
    const double lambda = s->rows.lambda[row];
    if (lambda <= s->rows.lo[row]) return correction - fmax(opening, 0);
    if (lambda >= s->rows.hi[row]) return correction - fmin(opening, 0);
    return correction;
}

/* the same, noted for the certificate: where nothing is to be solved the force is none */
static double ask(ukStepper *s, size_t row, double correction, double opening)
{
    s->rows.pose_push[row] = correction;
    s->rows.pose_lambda[row] = 0;
    return s->rows.pose_side[row] = asked(s, row, correction, opening);
}

/* The rows that bind, as a problem of their own; whether any of them asks for anything. */
static bool build(ukStepper *s, const ukProblem *from, double h, Pose *pose)
{
    const size_t row0 = ukViewOf(s, from).row0;
    size_t coefficients = 0;
    int rows = 0, slots = 0, blocks = 0;
    bool wants = false, bounded = false;
    ukProblemAccelerate(from, from->Q, pose->a);
    ukProblemApply(from, pose->a, pose->free);
    ukProblemApply(from, s->bodies.qdd + ukViewOf(s, from).column0, pose->w);
    for (int k = 0; k < from->blocks; k++) {
        const ukBlock *block = &from->block[k];
        const size_t width = 6 * (size_t)block->slots, first = coefficients;
        const int row = rows;
        for (int i = 0; i < block->rows; i++) {
            const int at = block->row + i;
            const size_t r = row0 + (size_t)at;
            s->rows.pose[r] = binds(s, r);
            if (!s->rows.pose[r]) continue;
            const double opening = h * (pose->w[at] + s->rows.softness[r] * s->rows.lambda[r] - s->rows.b[r]);
            const double u = ask(s, r, correction(s, from, k, at), opening);
            memcpy(pose->A + coefficients, from->A + block->A + (size_t)i * width, width * sizeof *pose->A);
            coefficients += width;
            pose->b[rows] = u / h + pose->free[at];
            pose->softness[rows] = s->rows.softness[r];
            pose->lo[rows] = s->rows.lo[r];
            pose->hi[rows] = s->rows.hi[r];
            bounded |= s->rows.lo[r] > -INFINITY || s->rows.hi[r] < INFINITY;
            wants |= (u > 0 && s->rows.hi[r] > 0) || (u < 0 && s->rows.lo[r] < 0);
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

/* What rows that depend on one another contradict each other by, their drift, is met half-way: it is no part of what
 * was solved. */
static void reconcile(Pose *pose, const ukSolution *out)
{
    ukProblemApply(&pose->p, out->qdd, pose->w);
    for (int i = 0; i < pose->p.rows; i++) pose->b[i] = pose->w[i] + pose->softness[i] * out->lambda[i];
    pose->reconciled = true;
}

static int solve(ukStepper *s, int index, Pose *pose)
{
    ukLawSolver **set = &s->solvers.pose_set[index % ukSolverSlots];
    ukOutcome *outcome = &s->outcomes[index];
    const ukProblem *p = &pose->p;
    ukSolution out = {
        .qdd = s->bodies.shift + ukViewOf(s, &s->problems[index]).column0, .lambda = pose->lambda, .rank = -1};
    if (!*set) *set = ukLawSolverCreate();
    if (!*set) return ukErrorMemory;
    const ukLawChoice choice = {.law = ukFrictionTwoPhase,
                                .tolerance = ukSolveMargin * s->world->settings.check_tolerance,
                                .rank_tolerance = outcome->rank_tolerance};
    const int status = ukLawSolve(*set, p, &choice, NULL, &out);
    if (status != ukOk) return ukSolveRefused(s, &s->problems[index], status);
    if (!p->lo && out.rank < p->rows) reconcile(pose, &out);
    if (s->world->settings.check == ukCheckOff) return ukOk;
    const ukGaussEvidence evidence = {.qdd = out.qdd, .lambda = out.lambda, .lo = p->lo, .hi = p->hi};
    ukGaussCheck(p, &evidence, pose->check, &outcome->pose);
    return ukOk;
}

/* For the certificate: forces, and the right-hand sides that they go with. */
static void keep(ukStepper *s, const ukProblem *from, const Pose *pose, double h)
{
    const size_t row0 = ukViewOf(s, from).row0;
    for (size_t r = row0, at = 0; r < row0 + (size_t)from->rows; r++) {
        if (!s->rows.pose[r]) continue;
        s->rows.pose_lambda[r] = pose->lambda[at];
        if (pose->reconciled) s->rows.pose_side[r] = h * (pose->b[at] - pose->free[r - row0]);
        at++;
    }
}

int ukSplitSolve(ukStepper *s, int index, double h)
{
    const ukProblem *from = &s->ideal[index].problem;
    double *u = s->bodies.shift + ukViewOf(s, &s->problems[index]).column0;
    const size_t n = 6 * (size_t)from->bodies;
    Pose pose = {.reconciled = false};
    s->outcomes[index].pose = (ukCertificate){0};
    if (from->bodies == 0) return ukOk;
    int status = reserve(s, from, &pose);
    if (status != ukOk) return status;
    if (!build(s, from, h, &pose)) {
        memset(u, 0, n * sizeof *u);
        return ukOk;
    }
    status = solve(s, index, &pose);
    if (status != ukOk) return status;
    for (size_t i = 0; i < n; i++) u[i] = h * (u[i] - pose.a[i]);
    keep(s, from, &pose, h);
    return ukOk;
}
