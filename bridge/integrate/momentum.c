/* SPDX-License-Identifier: BSD-3-Clause */
#include "bridge/integrate/momentum.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "bridge/base/vector.h"
#include "bridge/island/island.h"
#include "bridge/world/state.h"
#include "solvers/base/status.h"

/* The moving bodies of an island in groups that blocks of rows connect. */
typedef struct Groups {
    ukIsland *island;
    const ukProblem *p;
    double *field; /* (6 x bodies) velocities */
    int *first;    /* (bodies) first body of each body's group */
    int *free;     /* (bodies) 1: the rows of the group admit its rotation; set by findFree */
} Groups;

static ukFrame *frameOf(const Groups *g, int body)
{
    return g->island->bodies.frame[body];
}

/* the first body of a group; shortens the path to it (union-find) */
static int firstOf(int *first, int body)
{
    while (first[body] != body) body = first[body] = first[first[body]];
    return body;
}

static int findGroups(ukIsland *island, const ukProblem *p, Groups *g)
{
    const size_t bodies = (size_t)p->bodies;
    const int status = ukScratchReserve(island->solvers, 6 * bodies * sizeof(double) + 2 * bodies * sizeof(int));
    if (status != ukOk) return status;
    double *const field = island->solvers->scratch;
    *g = (Groups){.island = island, .p = p, .field = field, .first = (int *)(field + 6 * bodies)};
    g->free = g->first + bodies;
    for (int i = 0; i < p->bodies; i++) g->first[i] = i;
    for (int k = 0; k < p->blocks; k++) {
        int joined = -1;
        for (int slot = p->block[k].slot; slot < p->block[k].slot + p->block[k].slots; slot++) {
            if (p->body[slot] < 0) continue;
            const int other = firstOf(g->first, p->body[slot]);
            if (joined >= 0) g->first[joined > other ? joined : other] = joined > other ? other : joined;
            joined = joined < 0 || other < joined ? other : joined;
        }
    }
    for (int i = 0; i < p->bodies; i++) g->first[i] = firstOf(g->first, i);
    return ukOk;
}

/* the centre of mass of a group at the frames' starts or states, and its velocity */
static void centreOf(const Groups *g, int group, bool start, double x[3], double v[3])
{
    double mass = 0;
    memset(x, 0, 3 * sizeof *x);
    memset(v, 0, 3 * sizeof *v);
    for (int i = group; i < g->p->bodies; i++) {
        const ukState *state = start ? &frameOf(g, i)->start : &frameOf(g, i)->state;
        if (g->first[i] != group) continue;
        const double m = frameOf(g, i)->body->constant.mass;
        mass += m;
        for (int k = 0; k < 3; k++) x[k] += m * state->x[k], v[k] += m * state->v[k];
    }
    for (int k = 0; k < 3; k++) x[k] /= mass, v[k] /= mass;
}

/* L += factor times the group's angular momentum about its centre */
static void addMomentum(const Groups *g, int group, bool start, double factor, double L[3])
{
    double centre[3], mean[3];
    centreOf(g, group, start, centre, mean);
    for (int i = group; i < g->p->bodies; i++) {
        const ukFrame *f = frameOf(g, i);
        const ukState *state = start ? &f->start : &f->state;
        double arm[3], v[3], orbit[3], local[3], turned[3], spin[3];
        if (g->first[i] != group) continue;
        for (int k = 0; k < 3; k++) arm[k] = state->x[k] - centre[k], v[k] = state->v[k] - mean[k];
        ukCross(arm, v, orbit);
        ukUnrotate(state->R, state->v + 3, local);
        ukRotate(f->body->constant.inertia, local, turned);
        ukRotate(state->R, turned, spin);
        for (int k = 0; k < 3; k++) L[k] += factor * (f->body->constant.mass * orbit[k] + spin[k]);
    }
}

/* the group's inertia about its centre (9) */
static void inertiaOf(const Groups *g, int group, const double centre[3], double I[9])
{
    memset(I, 0, 9 * sizeof *I);
    for (int i = group; i < g->p->bodies; i++) {
        const ukFrame *f = frameOf(g, i);
        double own[9], arm[3];
        if (g->first[i] != group) continue;
        ukInertiaToWorld(f->state.R, f->body->constant.inertia, own);
        for (int k = 0; k < 3; k++) arm[k] = f->state.x[k] - centre[k];
        const double m = f->body->constant.mass, square = ukDot(arm, arm);
        for (int r = 0; r < 3; r++)
            for (int c = 0; c < 3; c++) I[3 * r + c] += own[3 * r + c] + m * ((r == c ? square : 0) - arm[r] * arm[c]);
    }
}

/* solves I x = y for a symmetric I; false: I is singular */
static bool solveSymmetric(const double I[9], const double y[3], double x[3])
{
    double minor[3][3];
    for (int r = 0; r < 3; r++) ukCross(I + 3 * ((r + 1) % 3), I + 3 * ((r + 2) % 3), minor[r]);
    const double determinant = ukDot(I, minor[0]);
    for (int k = 0; k < 3; k++) x[k] = (y[0] * minor[0][k] + y[1] * minor[1][k] + y[2] * minor[2][k]) / determinant;
    return determinant > 0 && isfinite(x[0] + x[1] + x[2]);
}

/* Writes the velocities of a group's rotation about its centre x into the field. */
static void turnGroup(const Groups *g, int group, bool start, const double x[3], const double turn[3])
{
    for (int i = group; i < g->p->bodies; i++) {
        const ukState *state = start ? &frameOf(g, i)->start : &frameOf(g, i)->state;
        double arm[3];
        if (g->first[i] != group) continue;
        for (int k = 0; k < 3; k++) arm[k] = state->x[k] - x[k];
        ukCross(turn, arm, g->field + 6 * i);
        memcpy(g->field + 6 * i + 3, turn, 3 * sizeof *turn);
    }
}

/* Whether the field violates no row of the group. */
static bool turnsFreely(const Groups *g, int group)
{
    static const double enough = 1e-9; /* relative to the sum of a row's terms */
    const ukProblem *p = g->p;
    for (int k = 0; k < p->blocks; k++) {
        const ukBlock *block = &p->block[k];
        const double *A = p->A + block->A;
        bool own = false;
        for (int slot = block->slot; slot < block->slot + block->slots; slot++)
            own |= p->body[slot] >= 0 && g->first[p->body[slot]] == group;
        for (int i = 0; i < block->rows && own; i++) {
            double sum = 0, size = 0;
            for (int slot = block->slot; slot < block->slot + block->slots; slot++, A += 6)
                for (int c = 0; c < 6 && p->body[slot] >= 0; c++) {
                    const double part = A[c] * g->field[6 * p->body[slot] + c];
                    sum += part;
                    size += fabs(part);
                }
            if (fabs(sum) > enough * size) return false;
        }
    }
    return true;
}

static void restoreGroup(const Groups *g, int group)
{
    double centre[3], mean[3], I[9], missing[3] = {0}, turn[3];
    addMomentum(g, group, true, 1, missing);
    addMomentum(g, group, false, -1, missing);
    centreOf(g, group, false, centre, mean);
    inertiaOf(g, group, centre, I);
    if (!solveSymmetric(I, missing, turn)) return;
    turnGroup(g, group, false, centre, turn);
    if (!turnsFreely(g, group)) return;
    for (int i = group; i < g->p->bodies; i++)
        for (int k = 0; k < 6 && g->first[i] == group; k++) frameOf(g, i)->state.v[k] += g->field[6 * i + k];
}

int ukMomentumRestore(ukIsland *island)
{
    const ukProblem *p = island->problem;
    Groups groups;
    const int status = findGroups(island, p, &groups);
    for (int i = 0; i < p->bodies && status == ukOk; i++)
        if (groups.first[i] == i) restoreGroup(&groups, i);
    return status;
}

/* ---- gyroscopic torques of the discrete form --------------------------------------------------------------------- */

/* finds the groups that rotate freely about every axis, at the starts, where the island is assembled */
static void findFree(const Groups *g)
{
    for (int i = 0; i < g->p->bodies; i++) {
        const int group = g->first[i];
        double centre[3], mean[3];
        if (group != i) {
            g->free[i] = g->free[group]; /* the first body of a group has the lowest index */
            continue;
        }
        centreOf(g, i, true, centre, mean);
        g->free[i] = 1;
        for (int k = 0; k < 3 && g->free[i]; k++) {
            const double turn[3] = {k == 0, k == 1, k == 2};
            turnGroup(g, i, true, centre, turn);
            g->free[i] = turnsFreely(g, i);
        }
    }
}

/* error (world frame): change of the body's own angular momentum in excess of the torques' impulse; returns the size of
 * that angular momentum */
static double spinError(const ukFrame *f, const double *qdd, double h, double error[3])
{
    const double *const I = f->body->constant.inertia;
    double w[3], own[2][3];
    ukState end;
    for (int k = 0; k < 3; k++) w[k] = f->start.v[3 + k] + h * qdd[3 + k];
    memset(error, 0, 3 * sizeof *error);
    if (!ukFrameTurns(f) || memcmp(w, f->state.v + 3, sizeof w) != 0) return 0; /* or capped */
    memcpy(end.q, f->state.q, sizeof end.q);
    ukStateOrient(&end);
    for (int side = 0; side < 2; side++) {
        const double *const R = side ? end.R : f->start.R;
        double local[3], turned[3];
        ukUnrotate(R, w, local);
        ukRotate(I, local, turned);
        ukRotate(R, turned, own[side]);
    }
    for (int k = 0; k < 3; k++) error[k] = own[1][k] - own[0][k] + h * f->turning[k];
    return sqrt(ukDot(own[1], own[1]));
}

/* adds a torque to the gyroscopic torque of a body wherever it is stored */
static void addTurning(const Groups *g, ukFrame *f, const double torque[3])
{
    double *const Q = g->island->bodies.Q + 6 * (size_t)f->moving;
    for (int k = 0; k < 3; k++) {
        f->turning[k] += torque[k];
        f->force[3 + k] += torque[k];
        Q[3 + k] += torque[k];
    }
}

/* restores ODE's gyroscopic torques, with which the step began */
static void restoreGyroscopic(const Groups *g, double h)
{
    for (int i = 0; i < g->p->bodies; i++) {
        ukFrame *const f = frameOf(g, i);
        double torque[3] = {0};
        if (!g->free[i] || !ukFrameTurns(f)) continue;
        ukGyroscopicTorque(g->p->inertia + 9 * i, f->start.v + 3, ukFrameTurningStep(f, h), torque);
        for (int k = 0; k < 3; k++) torque[k] -= f->turning[k];
        addTurning(g, f, torque);
    }
}

/* the largest error of freely rotating bodies; *size: the largest of their own angular momenta */
static double largestError(const Groups *g, const double *qdd, double h, double *size)
{
    double off = 0;
    *size = 0;
    for (int i = 0; i < g->p->bodies; i++) {
        double error[3];
        if (!g->free[i]) continue;
        *size = fmax(*size, spinError(frameOf(g, i), qdd + 6 * i, h, error));
        off = fmax(off, sqrt(ukDot(error, error)));
    }
    return off;
}

int ukMomentumSpin(ukIsland *island, double h, ukSpin *spin)
{
    static const double rounding = 8 * DBL_EPSILON, enough = 1e-12; /* relative to the largest angular momentum */
    static const double shrinks = 0.5;                              /* largest error of an iteration over the last */
    const ukProblem *p = island->problem;
    const double *const qdd = island->bodies.qdd, last = spin->off;
    Groups g;
    double size;
    const int status = findGroups(island, p, &g);
    spin->again = false;
    if (status != ukOk) return status;
    findFree(&g);
    spin->off = largestError(&g, qdd, h, &size);
    if (!(spin->off > rounding * size)) return ukOk;
    spin->again = spin->off < shrinks * last;
    for (int i = 0; i < p->bodies && spin->again; i++) {
        double error[3];
        if (!g.free[i]) continue;
        spinError(frameOf(&g, i), qdd + 6 * i, h, error);
        for (int k = 0; k < 3; k++) error[k] /= -h;
        addTurning(&g, frameOf(&g, i), error);
    }
    if (spin->again || spin->off <= enough * size || spin->withdrawn) return ukOk;
    restoreGyroscopic(&g, h);
    spin->again = spin->withdrawn = true;
    spin->off = 0;
    return ukOk;
}
