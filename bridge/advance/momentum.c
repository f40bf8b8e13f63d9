/* SPDX-License-Identifier: BSD-3-Clause */
#include "bridge/advance/momentum.h"

#include <math.h>
#include <string.h>

#include "bridge/base/vector.h"
#include "bridge/island/view.h"
#include "bridge/world/state.h"
#include "solvers/base/status.h"

/* An island's moving bodies in groups. */
typedef struct Groups {
    ukStepper *s;
    const ukProblem *p;
    int *first; /* (bodies) of each body's group */
} Groups;

static ukFrame *frameOf(const Groups *g, int body)
{
    return &g->s->bodies.frames[g->s->bodies.moving_frame[ukViewOf(g->s, g->p).moving0 + (size_t)body]];
}

/* the first body of a group, with the way there shortened */
static int firstOf(int *first, int body)
{
    while (first[body] != body) body = first[body] = first[first[body]];
    return body;
}

static int findGroups(ukStepper *s, const ukProblem *p, Groups *g)
{
    const int status = ukStepperScratch(s, (size_t)p->bodies * sizeof(int));
    if (status != ukOk) return status;
    *g = (Groups){.s = s, .p = p, .first = s->solvers.scratch};
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

/* the centre of a group at the frames' starts, or states; and its velocity */
static void centreOf(const Groups *g, int group, bool start, double x[3], double v[3])
{
    double mass = 0;
    memset(x, 0, 3 * sizeof *x);
    memset(v, 0, 3 * sizeof *v);
    for (int i = group; i < g->p->bodies; i++) {
        const ukState *state = start ? &frameOf(g, i)->start : &frameOf(g, i)->state;
        if (g->first[i] != group) continue;
        mass += g->p->mass[i];
        for (int k = 0; k < 3; k++) x[k] += g->p->mass[i] * state->x[k], v[k] += g->p->mass[i] * state->v[k];
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
        for (int k = 0; k < 3; k++) L[k] += factor * (g->p->mass[i] * orbit[k] + spin[k]);
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
        const double m = g->p->mass[i], square = ukDot(arm, arm);
        for (int r = 0; r < 3; r++)
            for (int c = 0; c < 3; c++) I[3 * r + c] += own[3 * r + c] + m * ((r == c ? square : 0) - arm[r] * arm[c]);
    }
}

/* x of I x = y, for a symmetric I; false: it is singular */
static bool solveSymmetric(const double I[9], const double y[3], double x[3])
{
    double minor[3][3];
    for (int r = 0; r < 3; r++) ukCross(I + 3 * ((r + 1) % 3), I + 3 * ((r + 2) % 3), minor[r]);
    const double determinant = ukDot(I, minor[0]);
    for (int k = 0; k < 3; k++) x[k] = (y[0] * minor[0][k] + y[1] * minor[1][k] + y[2] * minor[2][k]) / determinant;
    return determinant > 0 && isfinite(x[0] + x[1] + x[2]);
}

/* Whether no row of the group hinders it from turning; dv (6 a body): the field of such a turn. */
static bool turnsFreely(const Groups *g, int group, const double *dv)
{
    static const double enough = 1e-9; /* of what a row adds up */
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
                    const double part = A[c] * dv[6 * p->body[slot] + c];
                    sum += part;
                    size += fabs(part);
                }
            if (fabs(sum) > enough * size) return false;
        }
    }
    return true;
}

static void restoreGroup(const Groups *g, int group, double *dv)
{
    double centre[3], mean[3], I[9], missing[3] = {0}, turn[3];
    addMomentum(g, group, true, 1, missing);
    addMomentum(g, group, false, -1, missing);
    centreOf(g, group, false, centre, mean);
    inertiaOf(g, group, centre, I);
    if (!solveSymmetric(I, missing, turn)) return;
    for (int i = group; i < g->p->bodies; i++) {
        double arm[3];
        if (g->first[i] != group) continue;
        for (int k = 0; k < 3; k++) arm[k] = frameOf(g, i)->state.x[k] - centre[k];
        ukCross(turn, arm, dv + 6 * i);
        memcpy(dv + 6 * i + 3, turn, sizeof turn);
    }
    if (!turnsFreely(g, group, dv)) return;
    for (int i = group; i < g->p->bodies; i++)
        for (int k = 0; k < 6 && g->first[i] == group; k++) frameOf(g, i)->state.v[k] += dv[6 * i + k];
}

int ukMomentumRestore(ukStepper *s, int index)
{
    const ukProblem *p = &s->problems[index];
    Groups groups;
    const int status = findGroups(s, p, &groups);
    for (int i = 0; i < p->bodies && status == ukOk; i++)
        if (groups.first[i] == i) restoreGroup(&groups, i, s->bodies.qdd + ukViewOf(s, p).column0);
    return status;
}
