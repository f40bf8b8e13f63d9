/* SPDX-License-Identifier: BSD-3-Clause */
#include "bridge/solve/closure.h"

#include <math.h>
#include <string.h>

#include "bridge/base/log.h"
#include "bridge/island/compromise.h"
#include "bridge/island/view.h"
#include "solvers/base/status.h"
#include "solvers/problem/tolerance.h"

static const struct {
    /* of a world in double precision */
    double default_cfm;
    /* Share of a motion that CFM may hold a step and still count as letting go of it: rows dependent wherever they are,
     * as those of a door's hinges, keep the split of their forces that ODE gives them. */
    double held_share;
    /* Of the accelerations in play: what the velocities asked of rows that are dependent on the constraints contradict
     * one another by is of second order in the drift (Bricard's linkage: 0.2 times it). More is first order, rows that
     * ask for different things, as a fixed joint made anew every step and a ball joint with a gap: CFM is their
     * compromise, as in ODE. */
    double contradiction_per_drift, contradiction_at_rest;
    /* forces of what is missed, of the accelerations in play */
    double force_rounding;
    /* Pivots up to this times the tolerance are looked at (ukRankChoice). */
    double pivots_looked_at;
} bound = {.default_cfm = 1e-10,
           .held_share = 1e-9,
           .contradiction_per_drift = 10,
           .contradiction_at_rest = 1e-9,
           .force_rounding = 1e-12,
           .pivots_looked_at = 3};

static double largestCfm(const ukStepper *s, const ukProblem *p)
{
    const double *cfm = s->rows.cfm + ukViewOf(s, p).row0;
    double largest = 0;
    for (int i = 0; i < p->rows; i++) largest = cfm[i] > largest ? cfm[i] : largest;
    return largest;
}

static void soften(ukStepper *s, const ukProblem *p, double per_cfm)
{
    const size_t row0 = ukViewOf(s, p).row0;
    for (size_t i = row0; i < row0 + (size_t)p->rows; i++) s->rows.softness[i] = s->rows.cfm[i] * per_cfm;
}

/* f' M^-1 f of one body */
static double forceSquare(const ukProblem *p, int body, const double *f)
{
    const double *J = p->inverse_inertia + 9 * (size_t)body, *t = f + 3;
    double sum = (f[0] * f[0] + f[1] * f[1] + f[2] * f[2]) / p->mass[body];
    for (int c = 0; c < 3; c++) sum += t[c] * (J[3 * c] * t[0] + J[3 * c + 1] * t[1] + J[3 * c + 2] * t[2]);
    return sum;
}

/* What the right-hand sides are missed by, as unit rows measure it. */
typedef struct Missed {
    double size, force; /* |missed|; |A' y| in M^-1 for these multipliers y of unit rows */
    double asked;       /* of the velocities asked, along them */
    double play;        /* the accelerations in play */
} Missed;

static Missed measure(const ukStepper *s, const ukProblem *p, const double *missed, double *y, double *f)
{
    const double *asked = s->rows.c + ukViewOf(s, p).row0;
    Missed out = {0};
    double square = 0, force = 0;
    for (int k = 0; k < p->blocks; k++)
        for (int i = p->block[k].row; i < p->block[k].row + p->block[k].rows; i++) {
            const double unit = ukRowUnit(p, &p->block[k], i, 0), own = unit * missed[i];
            y[i] = unit * own;
            square += own * own;
            out.asked += y[i] * asked[i];
            out.play = fmax(out.play, unit * fabs(p->b[i]));
        }
    memset(f, 0, 6 * (size_t)p->bodies * sizeof *f);
    ukProblemApplyTransposed(p, y, f);
    for (int i = 0; i < p->bodies; i++) {
        force += forceSquare(p, i, f + 6 * (size_t)i);
        out.play = fmax(out.play, sqrt(forceSquare(p, i, p->Q + 6 * (size_t)i)));
    }
    out.size = sqrt(square);
    out.force = sqrt(force);
    return out;
}

/* whether `missed` is as small as what dependent rows contradict one another by, and pushes nothing */
static bool pushesNothing(ukStepper *s, const ukProblem *p, const double *missed, double tolerance, double drift,
                          double h)
{
    double *y = (double *)s->solvers.scratch + p->rows, *f = y + p->rows;
    const Missed by = measure(s, p, missed, y, f);
    return fabs(by.asked) / h <=
               (bound.contradiction_per_drift * drift + bound.contradiction_at_rest) * by.play * by.size &&
           by.force <= tolerance * by.size + bound.force_rounding * by.play;
}

/* Right-hand sides that can be met together: what they miss is taken out. False where it is another thing, and there is
 * CFM, in whose hands it is: without, the rows as they are stated would ask for motions of that over a singular value
 * that is nothing but the drift. */
static bool reconcile(ukStepper *s, const ukProblem *p, const ukSolution *out, double tolerance, double drift, double h)
{
    const size_t row0 = ukViewOf(s, p).row0, m = (size_t)p->rows;
    double *missed = s->solvers.scratch;
    ukProblemApply(p, out->qdd, missed);
    for (size_t i = 0; i < m; i++) missed[i] -= p->b[i];
    if (largestCfm(s, p) > 0 && !pushesNothing(s, p, missed, tolerance, drift, h)) return false;
    for (size_t i = 0; i < m; i++) {
        s->rows.b[row0 + i] += missed[i];
        s->rows.c[row0 + i] = s->rows.rate[row0 + i] + h * s->rows.b[row0 + i] + s->rows.cfm[row0 + i] * out->lambda[i];
        missed[i] += s->rows.cfm[row0 + i] / h * out->lambda[i]; /* by the rows as they were stated */
    }
    s->outcomes[p - s->problems].compromise = ukCompromise(p, missed);
    return true;
}

static bool wasAside(const ukStepper *s, const ukProblem *p)
{
    const ukBlockOwner *owner = s->rows.owners + ukViewOf(s, p).block0;
    for (int k = 0; k < p->blocks; k++)
        if (owner[k].joint->cfm_aside) return true;
    return false;
}

static void tell(ukStepper *s, const ukProblem *p, int rank, double cfm)
{
    if (s->cfm_told) return;
    s->cfm_told = true;
    ukLog("ODE's default CFM of %g is ignored in an island of %d bodies: of its %d rows %d are redundant, up to their "
          "drift (docs/ode-differences.md; --cfm ode leaves it)",
          cfm, p->bodies, p->rows, p->rows - rank);
}

int ukClosureSolve(ukStepper *s, int index, ukSolution *out)
{
    const ukProblem *p = &s->problems[index];
    ukOutcome *outcome = &s->outcomes[index];
    const double h = s->ideal[index].h, cfm = largestCfm(s, p);
    const bool may_let_go = cfm > 0 && !wasAside(s, p);
    ukEqualityFactor factor;
    int status = ukStepperScratch(s, (6 * (size_t)p->bodies + 2 * (size_t)p->rows) * sizeof(double));
    if (status != ukOk) return status;
    if (may_let_go) {
        status = ukEqualitySolveBy(s->solvers.equality, p, &(ukRankChoice){0}, &factor, out);
        if (status != ukOk || !ukEqualityIsWeak(&factor, bound.pivots_looked_at * ukRankMost)) return status;
    }
    const double drift = ukDrift(s, p), tolerance = ukRankFollowing(drift), look = bound.pivots_looked_at * tolerance;
    if (may_let_go && !(ukEqualityGrip(&factor, tolerance, look) > bound.held_share)) return ukOk;
    soften(s, p, 0);
    double *springs = s->solvers.scratch;
    for (int i = 0; i < p->rows; i++) springs[i] = s->rows.cfm[ukViewOf(s, p).row0 + (size_t)i] / h;
    const ukRankChoice choice = {tolerance, look, springs};
    status = ukEqualitySolveBy(s->solvers.equality, p, &choice, &factor, out);
    if (status != ukOk || (out->rank == p->rows && cfm == 0)) return status;
    const bool holds = !may_let_go || factor.grip > bound.held_share;
    if (out->rank < p->rows && holds && reconcile(s, p, out, tolerance, drift, h)) {
        outcome->rank_tolerance = tolerance;
        outcome->cfm_aside = cfm > 0;
        if (cfm > 0) tell(s, p, out->rank, cfm);
        return ukOk;
    }
    soften(s, p, 1 / h);
    return ukEqualitySolve(s->solvers.equality, p, 0, out);
}

/* by bridge/solve/soften.h: the problem is decided upon, and another one */
static bool softened(const ukStepper *s, int index)
{
    const ukProblem *p = &s->problems[index];
    const double stated = s->rows.cfm[ukViewOf(s, p).row0] / s->ideal[index].h,
                 now = s->rows.softness[ukViewOf(s, p).row0];
    return p->rows > 0 && fabs(now - stated) > 1e-12 * now;
}

bool ukClosureSuspect(const ukStepper *s, int index)
{
    const ukSettings *settings = &s->world->settings;
    const ukProblem *p = &s->problems[index];
    const ukBlockOwner *owner = s->rows.owners + ukViewOf(s, p).block0;
    if (p->lo || settings->rank_tolerance > 0 || !ukProblemHasLoops(p) || softened(s, index)) return false;
    for (int k = 0; k < p->blocks; k++)
        if (!owner[k].joint) return false;
    return !(largestCfm(s, p) > (settings->cfm_rule == ukCfmOde ? 0 : bound.default_cfm));
}

void ukClosureRemember(ukStepper *s)
{
    for (int i = 0; i < s->island_count; i++) {
        const ukProblem *p = &s->problems[i];
        const ukBlockOwner *owner = s->rows.owners + ukViewOf(s, p).block0;
        if (p->bodies == 0 || !s->outcomes[i].suspect) continue;
        for (int k = 0; k < p->blocks; k++) owner[k].joint->cfm_aside = s->outcomes[i].cfm_aside;
    }
}
