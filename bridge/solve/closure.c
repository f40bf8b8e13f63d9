/* SPDX-License-Identifier: BSD-3-Clause */
#include "bridge/solve/closure.h"

#include <math.h>
#include <string.h>

#include "bridge/base/log.h"
#include "bridge/island/compromise.h"
#include "bridge/island/island.h"
#include "solvers/base/status.h"
#include "solvers/problem/tolerance.h"

static const struct {
    /* ODE's default CFM of a world in double precision */
    double default_cfm, default_single_cfm;
    /* Dependent combinations of rows count as left to CFM, which stays, if the rows, softened by it, remove at most
     * this share of a motion along them per step (ukEqualityRigidity). Rows that are dependent at every pose, such as
     * those of a door's hinges, thus keep the distribution of forces that ODE gives them. */
    double rigid_share;
    /* Relative to the largest acceleration: limit of the contradiction between the velocities prescribed along
     * dependent combinations of rows. Drift makes it of second order (Bricard's linkage: 0.2 times the drift). A larger
     * contradiction is of first order: the rows demand different things, such as a fixed joint made again every step
     * and a ball joint with a gap. Their compromise is left to CFM, as in ODE. */
    double contradiction_per_drift, contradiction_at_rest;
    /* limit of the forces of the residual, relative to the largest acceleration */
    double force_rounding;
    /* Pivots up to this multiple of the tolerance are examined (ukRankChoice). */
    double pivots_looked_at;
} bound = {.default_cfm = 1e-10,
           .default_single_cfm = 1e-5f,
           .rigid_share = 1e-9,
           .contradiction_per_drift = 10,
           .contradiction_at_rest = 1e-9,
           .force_rounding = 1e-12,
           .pivots_looked_at = 3};

static double largestCfm(const ukIsland *island, const ukProblem *p)
{
    const double *cfm = island->rows.cfm;
    double largest = 0;
    for (int i = 0; i < p->rows; i++) largest = cfm[i] > largest ? cfm[i] : largest;
    return largest;
}

static void setSoftness(ukIsland *island, const ukProblem *p, double per_cfm)
{
    for (int i = 0; i < p->rows; i++) island->rows.softness[i] = island->rows.cfm[i] * per_cfm;
}

/* The residual of the right-hand sides, measured in unit rows. */
typedef struct Missed {
    double size, force;        /* |missed|; |A' y| in M^-1 for these multipliers y of unit rows */
    double prescribed;         /* component of the prescribed velocities along y */
    double acceleration_scale; /* the largest acceleration of forces and right-hand sides */
} Missed;

static Missed measureClosure(const ukIsland *island, const ukProblem *p, const double *missed, double *y, double *f)
{
    const double *prescribed = island->rows.c;
    Missed out = {0};
    double square = 0, force = 0;
    for (int k = 0; k < p->blocks; k++)
        for (int i = p->block[k].row; i < p->block[k].row + p->block[k].rows; i++) {
            const double unit = ukRowUnit(p, &p->block[k], i, 0), own = unit * missed[i];
            y[i] = unit * own;
            square += own * own;
            out.prescribed += y[i] * prescribed[i];
            out.acceleration_scale = fmax(out.acceleration_scale, unit * fabs(p->b[i]));
        }
    memset(f, 0, 6 * (size_t)p->bodies * sizeof *f);
    ukProblemApplyTransposed(p, y, f);
    for (int i = 0; i < p->bodies; i++) {
        const double *own = f + 6 * (size_t)i, *Q = p->Q + 6 * (size_t)i;
        force += ukProblemMobility(p, i, own, own);
        out.acceleration_scale = fmax(out.acceleration_scale, sqrt(ukProblemMobility(p, i, Q, Q)));
    }
    out.size = sqrt(square);
    out.force = sqrt(force);
    return out;
}

/* whether `missed` is no larger than the contradiction of dependent rows, and A' y exerts no force */
static bool pushesNothing(ukIsland *island, const ukProblem *p, const double *missed, double tolerance, double drift,
                          double h)
{
    double *y = (double *)island->solvers->scratch + p->rows, *f = y + p->rows;
    const Missed by = measureClosure(island, p, missed, y, f);
    return fabs(by.prescribed) / h <= (bound.contradiction_per_drift * drift + bound.contradiction_at_rest) *
                                          by.acceleration_scale * by.size &&
           by.force <= tolerance * by.size + bound.force_rounding * by.acceleration_scale;
}

/* If the right-hand sides are consistent up to their drift, removes the residual from them. Returns false if the
 * residual has another cause and there is CFM, which then determines the compromise: without it, the rows as stated
 * would demand motions of residual / singular value, where the singular value is only drift. */
static bool reconcileDrift(ukIsland *island, const ukProblem *p, const ukSolution *out, double tolerance, double drift,
                           double h)
{
    const ukRowArrays *r = &island->rows;
    const size_t m = (size_t)p->rows;
    double *missed = island->solvers->scratch;
    ukProblemApply(p, out->qdd, missed);
    for (size_t i = 0; i < m; i++) missed[i] -= p->b[i];
    if (largestCfm(island, p) > 0 && !pushesNothing(island, p, missed, tolerance, drift, h)) return false;
    for (size_t i = 0; i < m; i++) {
        r->b[i] += missed[i];
        r->c[i] = r->rate[i] + h * r->b[i] + r->cfm[i] * out->lambda[i];
        missed[i] += r->cfm[i] / h * out->lambda[i]; /* residual of the rows as they were stated */
    }
    island->outcome->compromise = ukCompromise(p, missed);
    return true;
}

static bool wasCfmIgnored(const ukIsland *island, const ukProblem *p)
{
    const ukBlockOwner *owner = island->rows.owners;
    for (int k = 0; k < p->blocks; k++)
        if (owner[k].joint->cfm_aside) return true;
    return false;
}

static void logIgnoredCfm(ukIsland *island, const ukProblem *p, int rank, double cfm)
{
    if (island->solvers->cfm_reported) return;
    island->solvers->cfm_reported = true;
    ukLog("ODE's default CFM of %g is ignored in an island of %d bodies: of its %d rows %d are redundant, up to their "
          "drift (docs/ode-differences.md; --cfm ode applies it)",
          cfm, p->bodies, p->rows, p->rows - rank);
}

int ukClosureSolve(ukIsland *island, ukSolution *out)
{
    const ukProblem *p = island->problem;
    ukOutcome *outcome = island->outcome;
    const double h = island->ideal->h, cfm = largestCfm(island, p);
    const bool may_ignore_cfm = cfm > 0 && !wasCfmIgnored(island, p);
    ukEqualityFactor factor;
    int status = ukScratchReserve(island->solvers, (6 * (size_t)p->bodies + 2 * (size_t)p->rows) * sizeof(double));
    if (status != ukOk) return status;
    if (may_ignore_cfm) {
        status = ukEqualitySolveBy(island->solvers->equality, p, &(ukRankChoice){0}, &factor, out);
        if (status != ukOk || !ukEqualityIsWeak(&factor, bound.pivots_looked_at * ukRankMost)) return status;
    }
    const double drift = ukDrift(island, p), tolerance = ukRankFollowing(drift),
                 look = bound.pivots_looked_at * tolerance;
    if (may_ignore_cfm && !(ukEqualityRigidity(&factor, tolerance, look) > bound.rigid_share)) return ukOk;
    setSoftness(island, p, 0);
    double *springs = island->solvers->scratch;
    for (int i = 0; i < p->rows; i++) springs[i] = island->rows.cfm[i] / h;
    const ukRankChoice choice = {tolerance, look, springs};
    status = ukEqualitySolveBy(island->solvers->equality, p, &choice, &factor, out);
    if (status != ukOk || (out->rank == p->rows && cfm == 0)) return status;
    const bool is_rigid = !may_ignore_cfm || factor.rigidity > bound.rigid_share;
    if (out->rank < p->rows && is_rigid && reconcileDrift(island, p, out, tolerance, drift, h)) {
        outcome->rank_tolerance = tolerance;
        outcome->cfm_ignored = cfm > 0;
        if (cfm > 0) logIgnoredCfm(island, p, out->rank, cfm);
        return ukOk;
    }
    setSoftness(island, p, 1 / h);
    return ukEqualitySolve(island->solvers->equality, p, 0, out);
}

/* Whether bridge/solve/soften.h has softened the rows: the problem is then a different one, and its rank is decided. */
static bool isSoftened(const ukIsland *island)
{
    const ukProblem *p = island->problem;
    const double stated = island->rows.cfm[0] / island->ideal->h, now = island->rows.softness[0];
    return p->rows > 0 && fabs(now - stated) > 1e-12 * now;
}

bool ukClosureIsCandidate(const ukIsland *island)
{
    const ukSettings *settings = &island->world->settings;
    const ukProblem *p = island->problem;
    const ukBlockOwner *owner = island->rows.owners;
    if (settings->rank_tolerance > 0 || isSoftened(island)) return false;
    for (int k = 0; k < p->blocks; k++)
        if (!owner[k].joint) return false;
    const double usual = ukOdeSingle ? bound.default_single_cfm : bound.default_cfm;
    return !(largestCfm(island, p) > (settings->cfm_rule == ukCfmOde ? 0 : usual));
}
