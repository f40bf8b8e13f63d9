/* SPDX-License-Identifier: BSD-3-Clause */
#include "bridge/analyze/statics.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bridge/analyze/law_force.h"
#include "bridge/base/log.h"
#include "bridge/island/refuse.h"
#include "bridge/solve/one.h"
#include "solvers/base/status.h"
#include "solvers/problem/tolerance.h"

static void carveStatics(ukStatics *s, ukArena *arena)
{
    const size_t n = (size_t)s->poses->n, most = (size_t)s->poses->s->capacity.rows + 1;
    s->a = ukArenaDoubles(arena, n);
    UKODE_DOUBLES(arena, most, &s->lambda, &s->ideal, &s->unit);
    s->B = ukArenaDoubles(arena, most * n);
    s->row = ukArenaInts(arena, most);
    s->active = ukArenaBytes(arena, most);
    s->inside = ukArenaBytes(arena, most);
}

int ukStaticsBegin(ukStatics *s, ukPoses *poses, double length)
{
    *s = (ukStatics){.poses = poses, .length = length};
    ukArena arena = ukArenaOver(NULL, 0);
    carveStatics(s, &arena);
    s->memory = ukArenaAllocate(&arena);
    if (!s->memory) return ukErrorSet(ukErrorMemory, "no memory for the statics (bodies: %d)", poses->bodies);
    carveStatics(s, &arena);
    return ukOk;
}

void ukStaticsEnd(ukStatics *s)
{
    free(s->memory);
    *s = (ukStatics){0};
}

/* ---- rows at rest ------------------------------------------------------------------------------------------------ */

/* A motor that drives at standstill pushes with all that it has, and has no row. */
static int pushMotor(ukIsland *island, const ukBlock *block, const ukJoint *joint, int i)
{
    const ukRowArrays *r = &island->rows;
    const double force = r->target[i] > 0 ? r->hi[i] : r->lo[i];
    if (!isfinite(force))
        return ukRefuseJoint(joint, ukErrorUnsupported,
                             "its motor has unlimited force and a target velocity, which no equilibrium satisfies");
    const double *J = r->A + block->A + 6 * (size_t)((i - block->row) * block->slots);
    for (int slot = 0; slot < block->slots; slot++, J += 6) {
        const int body = island->problem->body[block->slot + slot];
        for (int c = 0; c < 6 && body >= 0; c++) island->bodies.Q[6 * body + c] += force * J[c];
    }
    r->lo[i] = r->hi[i] = 0;
    return ukOk;
}

/* b = 0; open contacts do not push; motors that drive do. */
static int restBlock(const ukStatics *s, ukIsland *island, int k)
{
    static const double touching = 1e-9;
    const ukBlock *block = &island->problem->block[k];
    const ukJoint *joint = island->rows.owners[k].joint;
    const ukRowArrays *r = &island->rows;
    const bool contact = joint && ukIsContact(joint);
    const bool open = contact && ukPosesContactOf(s->poses, joint)->gap > touching * s->length;
    for (int i = block->row; i < block->row + block->rows; i++) {
        r->softness[i] = 0;
        if (joint) r->b[i] = 0;
        if (open) r->lo[i] = r->hi[i] = 0;
        if (!joint || r->target[i] == 0) continue;
        if (contact && open) continue;
        if (contact)
            return ukRefuseJoint(joint, ukErrorUnsupported,
                                 "its contact surface has a target velocity, which no equilibrium satisfies");
        const int status = r->velocity[i] ? pushMotor(island, block, joint, i) : ukOk;
        if (status != ukOk) return status;
    }
    return ukOk;
}

/* The forces of the program's laws at rest, to bodies.C, for the ideal multipliers (rows). */
static int lawsAtRest(ukIsland *island, const double *ideal)
{
    memset(island->bodies.C, 0, 6 * (size_t)island->problem->bodies * sizeof *island->bodies.C);
    return ukLawForceCalls(island) ? ukLawForceFill(island, ideal, NULL) : ukOk;
}

/* Where these forces depend on the joints' loads, so does the stiffness, in which the multipliers are constant. */
static int refuseLoads(ukIsland *island, double *ideal)
{
    bool depends = false;
    const int status = ukLawForceDepends(island, ideal, NULL, &depends);
    if (status != ukOk || !depends) return status;
    return ukErrorSet(
        ukErrorUnsupported,
        "an equilibrium with a joint law whose force at rest depends on the joint's load is not supported: set its "
        "mu to 0");
}

/* ---- solution ---------------------------------------------------------------------------------------------------- */

static int solveAtRest(ukIsland *island)
{
    ukSolution out = ukSolutionOf(island);
    const ukProblem *p = island->problem;
    const ukFrictionChoice choice = {.law = island->world->settings.friction == ukFrictionCone ? ukFrictionElliptic
                                                                                               : ukFrictionCoupled,
                                     .iterations = ukMostRounds,
                                     .tolerance = 1e-13,
                                     .rank_tolerance = ukRankTolerance(island, p)};
    ukFrictionSolver *const set = ukSolverOf(island);
    if (!set) return ukErrorMemory;
    out.lo = p->lo ? island->rows.bound_lo : NULL;
    out.hi = p->lo ? island->rows.bound_hi : NULL;
    out.loads = NULL;
    const int status = ukFrictionSolve(set, p, &choice, NULL, &out);
    return status == ukOk ? ukOk : ukRefuseProblem(island, p, status, "%s", ukErrorText(status));
}

/* The same with the forces of the program's laws, which follow from the ideal multipliers (bridge/solve/nonideal.h). */
static int solveWithLaws(ukStatics *s, ukIsland *island, int first)
{
    double *const ideal = s->ideal + first;
    memset(island->bodies.C, 0, 6 * (size_t)island->problem->bodies * sizeof *island->bodies.C);
    int status = solveAtRest(island);
    if (status != ukOk || !ukLawForceCalls(island)) return status;
    memcpy(ideal, island->rows.lambda, (size_t)island->problem->rows * sizeof *ideal);
    status = lawsAtRest(island, ideal);
    if (status == ukOk) status = refuseLoads(island, ideal);
    return status == ukOk ? solveAtRest(island) : status;
}

/* f (6 per body) = Q + C */
static void addForces(const ukIsland *island, double *f)
{
    for (int i = 0; i < 6 * island->problem->bodies; i++) f[i] = island->bodies.Q[i] + island->bodies.C[i];
}

/* Marks the active rows; those of a disc are active together. */
static void markActive(const ukStatics *s, const ukIsland *island, int first)
{
    static const double edge = 1e-9; /* of the largest multiplier, and of a disc's radius */
    const ukProblem *p = island->problem;
    const double *lambda = island->rows.lambda, *lo = island->rows.bound_lo, *hi = island->rows.bound_hi;
    double most = 0;
    for (int i = 0; i < p->rows; i++) most = fmax(most, fabs(lambda[i]));
    for (int i = 0; i < p->rows; i++) {
        s->lambda[first + i] = lambda[i];
        s->active[first + i] = !p->lo || (lambda[i] > lo[i] + edge * most && lambda[i] < hi[i] - edge * most);
    }
    for (int i = 0; p->lo && p->cone && i < p->rows; i++) {
        double square = 0;
        const int rows = 1 + p->cone[i];
        if (rows == 1) continue;
        for (int k = i; k < i + rows; k++) square += hi[k] > 0 ? lambda[k] * lambda[k] / (hi[k] * hi[k]) : 2;
        for (int k = i; k < i + rows; k++) s->active[first + k] = square < 1 - edge;
    }
    memcpy(s->inside + first, s->active + first, (size_t)p->rows * sizeof *s->inside);
}

/* The active rows, dense, in the metric of M. */
void ukStaticsGather(ukStatics *s)
{
    const ukStepper *const step = s->poses->s;
    const size_t n = (size_t)s->poses->n;
    int first = 0, column = 0;
    s->actives = 0;
    for (int k = 0; k < step->island_count; k++) {
        const ukProblem *p = step->islands[k].problem;
        for (int j = 0; j < p->blocks; j++) {
            const ukBlock *block = &p->block[j];
            const double *J = p->A + block->A;
            for (int i = block->row; i < block->row + block->rows; i++, J += 6 * block->slots) {
                if (!s->active[first + i]) continue;
                double *const B = s->B + (size_t)s->actives * n;
                memset(B, 0, n * sizeof *B);
                s->unit[s->actives] = ukRowUnit(p, block, i, 0);
                for (int slot = 0; slot < block->slots; slot++) {
                    const int body = p->body[block->slot + slot];
                    for (int c = 0; c < 6 && body >= 0; c++)
                        B[column + 6 * body + c] = s->unit[s->actives] * J[6 * slot + c];
                }
                ukPosesScale(s->poses, false, B);
                s->row[s->actives++] = first + i;
            }
        }
        first += p->rows;
        column += 6 * p->bodies;
    }
    s->rows = first;
}

int ukStaticsSolve(ukStatics *s)
{
    ukStepper *const step = s->poses->s;
    int status = ukPosesAssemble(s->poses), first = 0, column = 0;
    double square = 0, force = 0, mass = 0;
    for (int k = 0; k < step->island_count && status == ukOk; k++) {
        ukIsland *const island = &step->islands[k];
        const ukProblem *p = island->problem;
        for (int j = 0; j < p->blocks && status == ukOk; j++) status = restBlock(s, island, j);
        if (status == ukOk && p->bodies > 0) status = solveWithLaws(s, island, first);
        if (status != ukOk) return status;
        markActive(s, island, first);
        addForces(island, s->a + column);
        for (int body = 0; body < p->bodies; body++) mass += p->mass[body];
        first += p->rows;
        column += 6 * p->bodies;
    }
    if (status != ukOk) return status;
    ukPosesScale(s->poses, false, s->a);
    for (int i = 0; i < s->poses->n; i++) force += s->a[i] * s->a[i];
    for (int k = 0, at = 0; k < step->island_count; at += 6 * step->islands[k++].problem->bodies)
        ukProblemInertia(step->islands[k].problem, step->islands[k].bodies.qdd, s->a + at);
    ukPosesScale(s->poses, false, s->a);
    for (int i = 0; i < s->poses->n; i++) square += s->a[i] * s->a[i];
    s->scale = step->moving_count > 0 ? sqrt(force / mass) / s->length : 0;
    s->residual = force > 0 ? sqrt(square / force) : 0;
    ukStaticsGather(s);
    return isfinite(s->residual) ? ukOk : ukErrorNotFinite;
}

int ukStaticsForce(ukStatics *s, double *F, bool *same)
{
    ukStepper *const step = s->poses->s;
    int status = ukPosesAssemble(s->poses), rows = 0, first = 0, column = 0;
    for (int k = 0; k < step->island_count; k++) rows += step->islands[k].problem->rows;
    *same = rows == s->rows;
    for (int k = 0; k < step->island_count && status == ukOk; k++) {
        ukIsland *const island = &step->islands[k];
        const ukProblem *p = island->problem;
        for (int j = 0; j < p->blocks && status == ukOk; j++) status = restBlock(s, island, j);
        if (status == ukOk) status = lawsAtRest(island, s->ideal + first);
        addForces(island, F + column);
        if (*same) ukProblemApplyTransposed(p, s->lambda + first, F + column);
        first += p->rows;
        column += 6 * p->bodies;
    }
    return status;
}

void ukStaticsWiden(ukStatics *s)
{
    const ukStepper *const step = s->poses->s;
    int first = 0;
    for (int k = 0; k < step->island_count; k++) {
        const ukIsland *island = &step->islands[k];
        for (int i = 0; i < island->problem->rows && island->problem->lo; i++)
            s->active[first + i] |= island->rows.bound_lo[i] < island->rows.bound_hi[i];
        first += island->problem->rows;
    }
    ukStaticsGather(s);
}

void ukStaticsMarkContacts(const ukStatics *s)
{
    const ukStepper *const step = s->poses->s;
    int first = 0;
    for (int k = 0; k < s->poses->contacts; k++) s->poses->contact[k].carries = false;
    for (int k = 0; k < step->island_count; k++) {
        const ukIsland *island = &step->islands[k];
        for (int j = 0; j < island->ideal->problem.blocks; j++) {
            const ukJoint *joint = island->rows.owners[j].joint;
            if (!joint || !ukIsContact(joint)) continue;
            ukPosesContactOf(s->poses, joint)->carries = s->inside[first + island->problem->block[j].row];
        }
        first += island->problem->rows;
    }
}

double ukStaticsAlong(const ukStatics *s, const double *dq)
{
    const ukStepper *const step = s->poses->s;
    double sum = 0;
    for (int k = 0; k < step->island_count; k++) {
        const ukProblem *p = step->islands[k].problem;
        const double *qdd = step->islands[k].bodies.qdd;
        for (int body = 0; body < p->bodies; body++, qdd += 6, dq += 6) {
            const double *const I = p->inertia + 9 * (size_t)body;
            for (int i = 0; i < 3; i++) {
                sum += p->mass[body] * qdd[i] * dq[i];
                for (int j = 0; j < 3; j++) sum += I[3 * i + j] * qdd[3 + j] * dq[3 + i];
            }
        }
    }
    return sum;
}
