/* SPDX-License-Identifier: BSD-3-Clause */
#include "bridge/integrate/cap.h"

#include <math.h>
#include <string.h>

#include "bridge/base/vector.h"
#include "bridge/integrate/measure.h"
#include "bridge/island/island.h"
#include "bridge/results/ledger.h"
#include "bridge/solve/one.h"
#include "bridge/solve/solve.h"
#include "bridge/world/frame.h"
#include "solvers/base/arena.h"
#include "solvers/base/status.h"

double ukFrameCap(const ukBody *body, double v[6])
{
    const double cap = dBodyGetMaxAngularSpeed(body->handle), square = ukDot(v + 3, v + 3);
    if (!(square > cap * cap)) return cap;
    const double speed = square < INFINITY ? sqrt(square) : hypot(hypot(v[3], v[4]), v[5]);
    const double scale = cap / speed;
    for (int i = 3; i < 6; i++) v[i] *= scale;
    return cap;
}

/* A spin that exceeds its cap by at most the fraction `at_cap` counts as at its cap. If the joints restore all but the
 * fraction `driven` of the energy of a cut, they drive the spin. */
static const double at_cap = 1e-10, driven = 1e-9;
/* If the correction reduces every spin by at most this fraction of its cut, the energy determines the correction's
 * length. */
static const double reducing = 1e-3;

enum { MaxIterations = 1000 };

/* Per moving body: the changes of velocity d (6) that cut spins to their caps, the forces Q (6) of the projection,
 * which are 0, and the change x (6) that the projection adds. Per row: the projection's right-hand side b and its
 * multiplier lambda. */
typedef struct Cut {
    double *d, *Q, *b, *x, *lambda;
} Cut;

static int carveCap(ukIsland *island, const ukProblem *p, Cut *cut)
{
    const size_t n = 6 * (size_t)p->bodies, m = (size_t)p->rows;
    const size_t alignment = 5 * 8; /* doubles: each of the five arrays begins at a multiple of 64 bytes */
    const size_t bytes = (3 * n + 2 * m + alignment) * sizeof(double);
    const int status = ukScratchReserve(island->solvers, bytes);
    ukArena arena = ukArenaOver(island->solvers->scratch, bytes);
    if (status != ukOk) return status;
    *cut = (Cut){.d = ukArenaDoubles(&arena, n),
                 .Q = ukArenaDoubles(&arena, n),
                 .b = ukArenaDoubles(&arena, m),
                 .x = ukArenaDoubles(&arena, n),
                 .lambda = ukArenaDoubles(&arena, m)};
    return ukOk;
}

/* Computes the changes of velocity d that reduce spins beyond their caps to them; false: no spin exceeds its cap. */
static bool computeCapCorrection(const ukIsland *island, double *d)
{
    bool any = false;
    for (int i = 0; i < island->frames; i++) {
        const ukFrame *f = &island->frame[i];
        if (f->moving < 0) continue;
        double v[6], *own = d + 6 * (size_t)f->moving;
        memcpy(v, f->state.v, sizeof v);
        const double cap = ukFrameCap(f->body, v), beyond = cap * (1 + at_cap);
        const bool cuts = ukDot(f->state.v + 3, f->state.v + 3) > beyond * beyond;
        for (int k = 0; k < 6; k++) own[k] = cuts ? v[k] - f->state.v[k] : 0;
        any |= cuts;
    }
    return any;
}

/* |d + x|^2 / |d|^2 in the metric of M, the fraction of the cuts d that the joints leave: d + x is their projection. */
static double fractionLeft(const ukIsland *island, const Cut *cut)
{
    const ukProblem *p = island->problem;
    double before = 0, after = 0;
    for (int i = 0; i < p->bodies; i++) {
        const double *d = cut->d + 6 * (size_t)i, *x = cut->x + 6 * (size_t)i;
        double e[6];
        for (int k = 0; k < 6; k++) e[k] = d[k] + x[k];
        before += ukMeasureSquare(p, i, d);
        after += ukMeasureSquare(p, i, e);
    }
    return before > 0 ? after / before : 0;
}

/* The joints leave d + x of the cuts d. Returns the factor, at least 1, by which d + x must be scaled to bring the
 * first spin to its cap, or, if d + x hardly reduces any spin to first order, to reduce the energy by as much as d
 * alone; 0: the joints restore the cuts, all but the fraction `driven` of their energy. */
static double cutScale(const ukIsland *island, const Cut *cut)
{
    double most = 0;
    for (int i = 0; i < island->frames; i++) {
        const ukFrame *f = &island->frame[i];
        if (f->moving < 0) continue;
        const double *d = cut->d + 6 * (size_t)f->moving, *x = cut->x + 6 * (size_t)f->moving;
        const double square = ukDot(d + 3, d + 3);
        if (square > 0) most = fmax(most, 1 + ukDot(d + 3, x + 3) / square);
    }
    const double left = fractionLeft(island, cut);
    if (!(left > driven)) return 0;
    return fmax(1 / (most > reducing ? most : left), 1);
}

int ukCapIsland(ukIsland *island)
{
    ukProblem p = *island->problem;
    Cut cut = {0};
    int status = carveCap(island, &p, &cut);
    ukLedgerMark(island, ukMarkIntegration);
    for (int iteration = 0;
         status == ukOk && p.rows > 0 && iteration < MaxIterations && computeCapCorrection(island, cut.d);
         iteration++) {
        memset(cut.Q, 0, 6 * (size_t)p.bodies * sizeof *cut.Q);
        ukProblemApply(&p, cut.d, cut.b);
        for (int i = 0; i < p.rows; i++) cut.b[i] = -cut.b[i];
        p.Q = cut.Q, p.C = NULL, p.b = cut.b, p.lo = p.hi = NULL;
        ukSolution out = {.qdd = cut.x, .lambda = cut.lambda, .rank = -1};
        status = ukEqualitySolveMotion(island->solvers->equality, &p, ukRankTolerance(island, island->problem),
                                       ukMotionGrowth(island), &island->solvers->motion, &out);
        if (status != ukOk) return ukRefuseSolve(island, island->problem, status);
        const double times = cutScale(island, &cut);
        if (times == 0) break;
        for (int i = 0; i < island->frames; i++) {
            ukFrame *f = &island->frame[i];
            const size_t own = 6 * (size_t)(f->moving >= 0 ? f->moving : 0);
            for (int k = 0; k < 6 && f->moving >= 0; k++)
                f->state.v[k] += times * (cut.d[own + (size_t)k] + cut.x[own + (size_t)k]);
        }
    }
    for (int i = 0; i < island->frames; i++) ukFrameCap(island->frame[i].body, island->frame[i].state.v);
    ukLedgerMark(island, ukMarkDamping);
    return status;
}
