/* SPDX-License-Identifier: BSD-3-Clause */
#include "bridge/integrate/projection.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "bridge/results/impulse.h"
#include "bridge/base/log.h"
#include "bridge/island/refuse.h"
#include "bridge/island/view.h"
#include "bridge/user/constraint.h"
#include "bridge/solve/solve.h"
#include "solvers/base/status.h"
#include "solvers/problem/tolerance.h"

/* x = A_M^+ b for the b and softness that stand in the stepper's arrays, to stepper->bodies.qdd; Q there is then 0. Of
 * rows that depend on others, up to the island's drift, some are left out. */
static int solve(ukStepper *s, int index, double drift)
{
    ukProblem p = s->problems[index];
    double *x = s->bodies.qdd + ukViewOf(s, &p).column0;
    double *Q = s->bodies.Q + ukViewOf(s, &p).column0;
    for (int i = 0; i < 6 * p.bodies; i++) Q[i] = 0;
    p.lo = p.hi = NULL;
    p.C = NULL;
    ukSolution out = {.qdd = x, .lambda = s->rows.lambda + ukViewOf(s, &p).row0, .rank = -1};
    return ukEqualitySolveMotion(s->solvers.equality, &p, ukRankToleranceAt(s, drift), ukMotionGrowth(s),
                                 &s->solvers.motion, &out);
}

/* A row that must not bind: as soft as 1e12 times what it would be held with. */
static void freeRow(ukStepper *s, const ukProblem *p, const ukBlock *block, int i)
{
    const double k = ukProblemCompliance(p, block, i);
    s->rows.softness[ukViewOf(s, p).row0 + (size_t)i] = k > 0 ? 1e12 * k : 1;
}

void ukProjectTargetPose(ukStepper *s, const ukProblem *p)
{
    const size_t row0 = ukViewOf(s, p).row0;
    for (int k = 0; k < p->blocks; k++) {
        for (int i = p->block[k].row; i < p->block[k].row + p->block[k].rows; i++) {
            s->rows.b[row0 + (size_t)i] = -s->rows.phi[row0 + (size_t)i];
            if (!s->rows.velocity[row0 + (size_t)i]) continue;
            s->rows.b[row0 + (size_t)i] = 0;
            freeRow(s, p, &p->block[k], i);
        }
    }
}

void ukProjectMovePose(ukStepper *s, int index, const double *dq)
{
    const ukIsland *island = &s->islands[index];
    for (int i = island->frame; i < island->frame + island->frames; i++) {
        ukFrame *f = &s->bodies.frames[i];
        if (f->moving < 0) continue;
        const double *d = dq + 6 * (size_t)f->moving;
        for (int k = 0; k < 3; k++) f->state.x[k] += d[k];
        ukRotateBy(f->state.q, d + 3);
        ukStateOrient(&f->state);
    }
}

/* The velocities that solve() found, and the impulses that make them. */
static void pushVelocity(ukStepper *s, int index)
{
    const ukIsland *island = &s->islands[index];
    const ukProblem *p = &s->problems[index];
    const double *dv = s->bodies.qdd + ukViewOf(s, p).column0;
    ukImpulseRows(s, index, p->A, s->rows.lambda + ukViewOf(s, p).row0, 1);
    for (int i = island->frame; i < island->frame + island->frames; i++) {
        ukFrame *f = &s->bodies.frames[i];
        for (int k = 0; k < 6 && f->moving >= 0; k++) f->state.v[k] += dv[6 * (size_t)f->moving + (size_t)k];
    }
}

static const double least = 8 * DBL_EPSILON; /* of the following, at the origin */

/* what the drift cannot be told from zero by, for positions of this size */
static double rounding(const ukStepper *s, const ukProblem *p)
{
    double most = 0;
    for (int k = 0; k < p->blocks; k++) {
        const ukBlock *block = &p->block[k];
        const double *J = p->A + block->A;
        for (int i = block->row; i < block->row + block->rows; i++) {
            double sum = 0;
            for (int slot = block->slot; slot < block->slot + block->slots; slot++, J += 6) {
                if (p->body[slot] < 0) continue;
                const double *x =
                    s->bodies.frames[s->bodies.moving_frame[ukViewOf(s, p).moving0 + (size_t)p->body[slot]]].state.x;
                for (int c = 0; c < 3; c++) sum += fabs(J[c] * x[c]);
            }
            if (sum == 0) continue; /* it only turns */
            const double reach = ukRowReach(p, block, i);
            if (sum > most * reach && reach > 0) most = sum / reach;
        }
    }
    return least * (1 + most);
}

double ukProjectRounding(const ukStepper *s, int index)
{
    return rounding(s, &s->problems[index]);
}

/* how many times what rounding leaves may be left of a pose's Newton steps */
static const double slack = 1e3;

bool ukProjectedAt(const ukStepper *s, int index, double drift)
{
    return drift <= slack * least || drift <= slack * rounding(s, &s->problems[index]);
}

bool ukProjected(const ukStepper *s, int index)
{
    return ukProjectedAt(s, index, ukDrift(s, &s->problems[index]));
}

const ukBlockOwner *ukProjectWorst(const ukStepper *s, int index, double *largest)
{
    const ukProblem *p = &s->problems[index];
    const size_t row0 = ukViewOf(s, p).row0;
    const ukBlockOwner *owner = s->rows.owners + ukViewOf(s, p).block0, *worst = NULL;
    double off = -1;
    for (int k = 0; k < p->blocks; k++)
        for (int i = p->block[k].row; i < p->block[k].row + p->block[k].rows; i++) {
            const double phi = fabs(s->rows.phi[row0 + (size_t)i]);
            if (owner[k].law || s->rows.velocity[row0 + (size_t)i] || phi <= off) continue;
            off = phi, worst = owner + k;
        }
    *largest = off;
    return worst;
}

int ukProjectRefuse(const ukStepper *s, int index)
{
    double off;
    const ukBlockOwner *worst = ukProjectWorst(s, index, &off);
    if (worst && worst->joint)
        return ukRefuseJoint(worst->joint, ukErrorNotConverged, "the projection does not converge (error %.2g)", off);
    ukErrorSet(ukErrorNotConverged, "the projection does not converge for user constraint %llu (error %.2g)",
               (unsigned long long)(worst && worst->constraint ? worst->constraint->element.serial : 0), off);
    return ukErrorNotConverged;
}

int ukProjectAdvise(const ukStepper *s, int index, int status, const char *remedy)
{
    char why[300];
    double off;
    if (status != ukErrorNotConverged) return status;
    const ukBlockOwner *worst = ukProjectWorst(s, index, &off);
    const char *const needs = worst && worst->joint ? ukRefuseNeeds(worst->joint) : NULL;
    if (!needs && !remedy) return status;
    snprintf(why, sizeof why, "%s", ukErrorMessage());
    ukErrorSet(status, "%s; %s", why, needs ? needs : remedy);
    return status;
}

static int assembleAgain(ukStepper *s, int index, const ukIslandStart *start, const ukStepContext *context)
{
    ukAssembleRewind(s, start);
    return ukAssembleIsland(s, index, context);
}

int ukProjectRates(ukStepper *s, int index, double drift)
{
    return solve(s, index, drift);
}

int ukProjectStuck(ukStepper *s, int index)
{
    const ukProblem *p = &s->problems[index];
    const size_t row0 = ukViewOf(s, p).row0, ideal = (size_t)s->ideal[index].problem.rows;
    for (size_t i = 0; i < (size_t)p->rows; i++) s->rows.b[row0 + i] = i < ideal ? 0 : -s->rows.rate[row0 + i];
    const int status = solve(s, index, ukDrift(s, p));
    if (status == ukOk) pushVelocity(s, index);
    return status;
}

/* what A has, in doubles */
static size_t coefficientsOf(const ukProblem *p)
{
    if (p->blocks == 0) return 0;
    const ukBlock *last = &p->block[p->blocks - 1];
    return last->A + 6 * (size_t)(last->rows * last->slots);
}

int ukProjectAssembleMoving(ukStepper *s, int index, const ukIslandStart *start, const ukStepContext *context)
{
    const ukProblem *p = &s->problems[index];
    const size_t bytes = coefficientsOf(p) * sizeof(double);
    const int rows = p->rows;
    if (!ukGrow(&s->solvers.still_memory, &s->solvers.still_size, bytes)) return ukErrorMemory;
    if (bytes > 0) memcpy(s->solvers.still_memory, p->A, bytes);
    const int status = assembleAgain(s, index, start, context);
    s->projected =
        status == ukOk && p->rows == rows && (bytes == 0 || memcmp(s->solvers.still_memory, p->A, bytes) == 0);
    return status;
}

int ukProjectIsland(ukStepper *s, int index, double drift, const ukIslandStart *start, const ukStepContext *context)
{
    enum { MaxNewton = 30, MaxHalves = 8 };
    static const double nearer = 0.9; /* the part of an error that a Newton step may leave; the part f of one, where */
    static const double far = 1e-3;   /* errors are as large as this: an angle: 1 - f/10 */
    const ukProblem *p = &s->problems[index];
    int status = ukOk;
    if (p->rows == 0) return ukOk;
    const double enough = rounding(s, p);
    double error = drift, last = INFINITY, *x = s->bodies.qdd + ukViewOf(s, p).column0;
    double part = nearer; /* of the error, that the last step may leave */
    for (int k = 0; k < MaxNewton && status == ukOk && error > enough && error < part * last; k++) {
        ukProjectTargetPose(s, p);
        status = solve(s, index, error);
        if (status != ukOk) return status;
        ukProjectMovePose(s, index, x);
        status = assembleAgain(s, index, start, context);
        last = error;
        error = ukDrift(s, p);
        part = nearer;
        for (int half = 0; half < MaxHalves && status == ukOk && error > far && !(error < part * last); half++) {
            for (int i = 0; i < 6 * p->bodies; i++) x[i] *= half == 0 ? -0.5 : 0.5;
            ukProjectMovePose(s, index, x);
            status = assembleAgain(s, index, start, context);
            error = ukDrift(s, p);
            part = 0.5 * (1 + part);
        }
    }
    if (status != ukOk) return status;
    const size_t row0 = ukViewOf(s, p).row0;
    for (size_t i = row0; i < row0 + (size_t)p->rows; i++) s->rows.b[i] = s->rows.target[i] - s->rows.rate[i];
    status = solve(s, index, error);
    if (status != ukOk) return status;
    pushVelocity(s, index);
    return ukProjectAssembleMoving(s, index, start, context);
}
