/* SPDX-License-Identifier: BSD-3-Clause */
#include "bridge/island/massless.h"

#include <math.h>
#include <string.h>

#include "bridge/base/disjoint.h"
#include "bridge/base/vector.h"
#include "bridge/island/budget.h"
#include "bridge/island/metric.h"
#include "bridge/island/refuse.h"
#include "bridge/island/weigh.h"
#include "solvers/base/arena.h"
#include "solvers/base/status.h"

static const struct {
    double share; /* auxiliary mass and inertia, relative to the least of the island */
    double rank;  /* norm of a row's independent part, relative to the row, up to which the row counts as dependent */
    double met;   /* change per iteration, relative to the accelerations, at which the iteration has converged */
    double rounding; /* the same, relative to accelerations and forces, if the change no longer falls */
    double stalls;   /* least ratio of two successive changes that shows rounding errors */
    int most;        /* iterations */
} massless = {.share = 0.01, .rank = 1e-8, .met = 1e-15, .rounding = 1e-11, .stalls = 0.9, .most = 200};

int ukMasslessAdmit(const ukIsland *island)
{
    if (island->world->settings.integrator != ukIntegratorRattle) return ukOk;
    for (int i = 0; i < island->frames; i++)
        if (ukFrameIsMassless(&island->frame[i]))
            return ukRefuseBody(island->frame[i].body, ukErrorUnsupported,
                                "it has no mass (ukBodySetMassless), which RATTLE does not support; Euler, RK4 and "
                                "adaptive do");
    return ukOk;
}

/* ---- auxiliary masses -------------------------------------------------------------------------------------------- */

/* the least mass and moment of inertia of the island's bodies; 1 where no body has a mass */
static void leastMassAndInertia(const ukIsland *island, double *mass, double *inertia)
{
    const ukProblem *p = island->problem;
    *mass = *inertia = INFINITY;
    for (int i = 0; i < p->bodies; i++) {
        const double *const I = island->bodies.frame[i]->body->constant.inertia;
        if (island->bodies.massless[i]) continue;
        *mass = fmin(*mass, p->mass[i]);
        *inertia = fmin(*inertia, fmin(I[0], fmin(I[4], I[8])));
    }
    if (*mass == INFINITY) *mass = *inertia = 1;
}

/* The smallest squared lever arm of the blocks on bodies without mass: the sum of the squared angular coefficients of a
 * block's rows over that of the linear ones. INFINITY: all blocks act on the centres. Lever arms that are rounding
 * relative to `radius`, the smallest squared radius of gyration, are left out. */
static double leastLever(const ukIsland *island, double radius)
{
    static const double centred = 1e-12, short_lever = 1e-4;
    const ukProblem *p = island->problem;
    double least = INFINITY, most = 0;
    for (int sweep = 0; sweep < 2; sweep++)
        for (int k = 0; k < p->blocks; k++)
            for (int slot = 0; slot < p->block[k].slots; slot++) {
                const ukBlock *block = &p->block[k];
                const int body = p->body[block->slot + slot], stride = 6 * block->slots;
                const double *J = p->A + block->A + 6 * slot;
                double linear = 0, angular = 0;
                if (body < 0 || !island->bodies.massless[body]) continue;
                for (int i = 0; i < block->rows; i++, J += stride) {
                    if (ukDot(J, J) == 0) continue;
                    linear += ukDot(J, J), angular += ukDot(J + 3, J + 3);
                }
                if (linear == 0) continue;
                if (sweep == 0) most = fmax(most, angular / linear);
                if (sweep == 1 && angular / linear > fmax(centred * most, short_lever * radius))
                    least = fmin(least, angular / linear);
            }
    return least;
}

static void giveMasses(ukIsland *island)
{
    double mass, inertia;
    leastMassAndInertia(island, &mass, &inertia);
    inertia = massless.share * fmin(inertia, mass * leastLever(island, inertia / mass));
    mass *= massless.share;
    for (int i = 0; i < island->problem->bodies; i++) {
        if (!island->bodies.massless[i]) continue;
        island->bodies.mass[i] = mass;
        for (int k = 0; k < 3; k++) {
            island->bodies.inertia[9 * i + 4 * k] = inertia;
            island->bodies.inverse_inertia[9 * i + 4 * k] = 1 / inertia;
        }
    }
}

double ukMasslessCompliance(const ukIsland *island, const ukProblem *p, const ukBlock *block, int row)
{
    const double *A = p->A + block->A + 6 * (size_t)((row - block->row) * block->slots);
    double k = ukProblemCompliance(p, block, row);
    for (int s = block->slot; island->massless > 0 && s < block->slot + block->slots; s++, A += 6) {
        const int body = p->body[s];
        if (body < 0 || !island->bodies.massless[body]) continue;
        k -= (1 - massless.share) * ukProblemMobility(p, body, A, A);
    }
    return k;
}

/* ---- motions without inertia ------------------------------------------------------------------------------------- */

/* Bodies without mass that blocks connect with each other; their rows in the metric of the auxiliary masses. */
typedef struct Group {
    ukIsland *island;
    int *root;             /* (bodies of the problem) the first body of its group; -1: it has a mass */
    int *place;            /* (bodies) its number in the present group; -1: it is in another one */
    int bodies, rank;      /* of the present group */
    double *K, *x, *along; /* (6 bodies x 6 bodies) an orthonormal basis of the rows; (6 bodies) each */
} Group;

/* Finds the groups; returns the number of bodies of the largest one. */
static int findMasslessGroups(Group *g)
{
    const ukProblem *p = g->island->problem;
    int most = 0;
    for (int i = 0; i < p->bodies; i++) g->root[i] = g->island->bodies.massless[i] ? i : -1, g->place[i] = 0;
    for (int k = 0; k < p->blocks; k++) {
        int first = -1;
        for (int slot = p->block[k].slot; slot < p->block[k].slot + p->block[k].slots; slot++) {
            const int body = p->body[slot];
            if (body < 0 || g->root[body] < 0) continue;
            if (first < 0)
                first = ukDisjointRoot(g->root, body);
            else
                g->root[ukDisjointRoot(g->root, body)] = first;
        }
    }
    for (int i = 0; i < p->bodies; i++) {
        if (g->root[i] < 0) continue;
        g->root[i] = ukDisjointRoot(g->root, i);
        const int size = ++g->place[g->root[i]];
        most = size > most ? size : most;
    }
    return most;
}

/* Adds a row to the basis, unless it depends on those before it. */
static void addGroupRow(Group *g, const ukBlock *block, const double *J)
{
    const ukProblem *p = g->island->problem;
    const int n = 6 * g->bodies;
    double whole = 0;
    memset(g->x, 0, (size_t)n * sizeof *g->x);
    for (int slot = 0; slot < block->slots; slot++, J += 6) {
        const int body = p->body[block->slot + slot];
        double own[6];
        if (body < 0) continue;
        memcpy(own, J, sizeof own);
        ukMetricRow(p, body, own);
        whole += ukDotRows(own, own, 6);
        if (g->place[body] >= 0) memcpy(g->x + 6 * g->place[body], own, sizeof own);
    }
    if (g->rank == n || !(ukDotRows(g->x, g->x, n) > massless.rank * massless.rank * whole)) return;
    ukMetricProjectOut(g->K, g->rank, n, g->x, g->along);
    const double left = sqrt(ukDotRows(g->x, g->x, n));
    if (!(left > massless.rank * sqrt(whole))) return;
    double *const to = g->K + (size_t)g->rank++ * (size_t)n;
    for (int c = 0; c < n; c++) to[c] = g->x[c] / left;
}

/* Reports a motion of the present group that no row constrains, with the body that it moves most. */
static int refuseMotion(Group *g)
{
    const int n = 6 * g->bodies;
    double most = 0;
    int at = 0, body = 0;
    for (int c = 0; c < n; c++) {
        double left = 1;
        for (int j = 0; j < g->rank; j++) left -= g->K[j * n + c] * g->K[j * n + c];
        if (left > most) most = left, at = c;
    }
    memset(g->x, 0, (size_t)n * sizeof *g->x);
    g->x[at] = 1;
    ukMetricProjectOut(g->K, g->rank, n, g->x, g->along);
    while (g->place[body] != at / 6) body++;
    const double *const v = g->x + at / 6 * 6, turn = sqrt(ukDot(v + 3, v + 3));
    const bool turns = turn > sqrt(massless.rank) * sqrt(ukDot(v, v));
    const double *const d = turns ? v + 3 : v, size = turns ? turn : sqrt(ukDot(v, v));
    return ukRefuseBody(g->island->bodies.frame[body]->body, ukErrorMass,
                        "it has no mass (ukBodySetMassless), and no joint or constraint determines its %s "
                        "(%.3g %.3g %.3g)",
                        turns ? "rotation about" : "translation along", d[0] / size, d[1] / size, d[2] / size);
}

/* Whether the rows without bounds determine every motion of the group of body `first`. */
static int judgeGroup(Group *g, int first)
{
    const ukIsland *island = g->island;
    const ukProblem *p = island->problem;
    g->bodies = g->rank = 0;
    for (int i = 0; i < p->bodies; i++) g->place[i] = g->root[i] == first ? g->bodies++ : -1;
    for (int k = 0; k < p->blocks && g->rank < 6 * g->bodies; k++) {
        const ukBlock *block = &p->block[k];
        const double *J = p->A + block->A;
        bool sees = false;
        for (int slot = block->slot; slot < block->slot + block->slots; slot++)
            sees |= p->body[slot] >= 0 && g->place[p->body[slot]] >= 0;
        for (int i = block->row; sees && i < block->row + block->rows; i++, J += 6 * block->slots)
            if (!p->lo || (p->lo[i] == -INFINITY && p->hi[i] == INFINITY)) addGroupRow(g, block, J);
    }
    return g->rank < 6 * g->bodies ? refuseMotion(g) : ukOk;
}

static bool carveGroup(Group *g, ukArena *arena, int most)
{
    const size_t bodies = (size_t)g->island->problem->bodies, n = 6 * (size_t)most;
    g->root = ukArenaInts(arena, bodies);
    g->place = ukArenaInts(arena, bodies);
    if (most == 0) return !arena->exhausted;
    g->K = ukArenaDoubles(arena, n * n);
    UKODE_DOUBLES(arena, n, &g->x, &g->along);
    return !arena->exhausted;
}

static bool reserveGroup(Group *g, int most)
{
    ukIslandSolvers *const solvers = g->island->solvers;
    ukArena arena = ukArenaOver(NULL, 0);
    carveGroup(g, &arena, most);
    if (!ukWeighReserve(solvers, (arena.used + 63) / 64 * 64)) return false;
    arena = ukArenaOver(solvers->weigh_memory, solvers->weigh_size);
    return carveGroup(g, &arena, most);
}

static int judgeMotions(ukIsland *island)
{
    Group g = {.island = island};
    int status = ukOk;
    if (!reserveGroup(&g, 0)) return ukErrorMemory;
    const int most = findMasslessGroups(&g);
    if (!reserveGroup(&g, most)) return ukErrorMemory;
    findMasslessGroups(&g);
    for (int i = 0; i < island->problem->bodies && status == ukOk; i++)
        if (g.root[i] == i) status = judgeGroup(&g, i);
    return status;
}

int ukMasslessAssemble(ukIsland *island)
{
    const ukProblem *p = island->problem;
    for (int i = 0; i < p->bodies; i++) {
        island->bodies.massless[i] = ukFrameIsMassless(island->bodies.frame[i]);
        memcpy(island->bodies.impressed + 6 * i, p->Q + 6 * i, 6 * sizeof *p->Q);
    }
    giveMasses(island);
    return judgeMotions(island);
}

void ukMasslessPush(ukIsland *island, int body, const double *J, double amount)
{
    for (int c = 6 * body; body >= 0 && c < 6 * body + 6; c++) {
        const double force = amount * J[c - 6 * body];
        island->bodies.Q[c] += force;
        if (island->massless > 0) island->bodies.impressed[c] += force;
    }
}

/* ---- iterations -------------------------------------------------------------------------------------------------- */

/* x . x' of a body, of accelerations in the metric of its mass and of forces in the inverse */
static double squareOf(const ukProblem *p, int i, const double *x, bool force)
{
    const double *const I = (force ? p->inverse_inertia : p->inertia) + 9 * (size_t)i;
    double turned[3];
    ukRotate(I, x + 3, turned);
    return (force ? 1 / p->mass[i] : p->mass[i]) * ukDot(x, x) + ukDot(x + 3, turned);
}

/* Q := impressed force + M0 qdd of the bodies without mass. Returns the size of what changed; *size: of the
 * accelerations of all bodies. */
static double updateForces(ukIsland *island, const double *qdd, double *size)
{
    const ukProblem *p = island->problem;
    double change = 0, sum = 0;
    for (int i = 0; i < p->bodies; i++, qdd += 6) {
        double *const Q = island->bodies.Q + 6 * i, *const impressed = island->bodies.impressed + 6 * i, d[6];
        sum += squareOf(p, i, qdd, false);
        if (!island->bodies.massless[i]) continue;
        for (int c = 0; c < 6; c++) {
            const double next = impressed[c] + (c < 3 ? p->mass[i] : p->inertia[9 * i]) * qdd[c];
            d[c] = next - Q[c];
            Q[c] = next;
        }
        change += squareOf(p, i, d, true);
    }
    *size = sqrt(sum);
    return sqrt(change);
}

/* The size of the forces, impressed ones and those of every row: what cancels in a mechanism at rest. */
static double sizeOfForces(const ukProblem *p, const double *lambda)
{
    double size = 0;
    for (int i = 0; i < p->bodies; i++) size += sqrt(squareOf(p, i, p->Q + 6 * i, true));
    for (int k = 0; k < p->blocks; k++) {
        const ukBlock *block = &p->block[k];
        const double *J = p->A + block->A;
        for (int i = block->row; i < block->row + block->rows; i++)
            for (int slot = block->slot; slot < block->slot + block->slots; slot++, J += 6)
                if (p->body[slot] >= 0) size += fabs(lambda[i]) * sqrt(squareOf(p, p->body[slot], J, true));
    }
    return size;
}

bool ukMasslessAgain(ukIsland *island, const ukProblem *p, ukMasslessLoop *loop, const ukSolution *out, int *status)
{
    if (island->massless == 0) return false;
    double size;
    const double before = loop->change, change = loop->change = updateForces(island, out->qdd, &size);
    loop->iterations++;
    if (change <= massless.met * size) return false;
    if (loop->iterations > 1 && change > massless.stalls * before &&
        change <= massless.rounding * (size + sizeOfForces(p, out->lambda)))
        return false;
    if (change * 0 == 0 && loop->iterations < massless.most) {
        *status = ukBudgetSpend(island, 1);
        return *status == ukOk;
    }
    for (int i = 0; i < island->problem->bodies; i++)
        if (island->bodies.massless[i]) {
            *status = ukRefuseBody(island->bodies.frame[i]->body, ukErrorNotConverged,
                                   "it or another body without mass (ukBodySetMassless) has a motion that is nearly "
                                   "undetermined by joints and masses");
            break;
        }
    return false;
}
