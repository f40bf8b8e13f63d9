/* SPDX-License-Identifier: BSD-3-Clause */
#include "bridge/solve/nonideal.h"

#include <math.h>
#include <string.h>

#include "bridge/base/vector.h"
#include "bridge/island/actuate.h"
#include "bridge/island/island.h"
#include "bridge/solve/actuated.h"
#include "bridge/solve/one.h"
#include "bridge/user/law_rows.h"
#include "bridge/user/prescribe.h"
#include "bridge/world/state.h"
#include "solvers/base/arena.h"
#include "solvers/base/status.h"
#include "solvers/kkt/kkt.h"

/* the problem's index of a law's body; -1: it does not move */
static int bodyOf(const ukIsland *island, const ukLaw *law, int slot)
{
    const ukBody *body = law->joint ? law->joint->body[slot] : law->constraint->element.body[slot];
    return body ? ukFrameOf(island, body)->moving : -1;
}

/* ---- the ideal force and the law's force ------------------------------------------------------------------------- */

/* the ideal force of each law's owner, and of a joint's bearing rows alone, from the ideal multipliers */
static void measureNonideal(ukIsland *island)
{
    const ukProblem *p = &island->ideal->problem;
    const ukBlockOwner *owner = island->rows.owners;
    for (int i = 0; i < ukIslandLawCount(island); i++) {
        ukLaw *law = ukIslandLaw(island, i);
        if (!law) continue;
        memset(law->ideal, 0, 6 * (size_t)law->slots * sizeof(double));
        memset(law->load, 0, sizeof law->load);
        memset(law->stop, 0, sizeof law->stop);
        memset(law->motor, 0, sizeof law->motor);
    }
    for (int k = 0; k < p->blocks; k++) {
        ukLaw *law = owner[k].joint ? owner[k].joint->law : owner[k].constraint->law;
        if (!law) continue;
        const ukBlock *block = &p->block[k];
        const double *A = p->A + block->A;
        const int stride = 6 * block->slots;
        for (int i = block->row; i < block->row + block->rows; i++, A += stride) {
            const double lambda = island->rows.lambda_ideal[i];
            for (int c = 0; c < stride; c++) law->ideal[c] += A[c] * lambda;
            if (!law->joint) continue;
            const bool motors = island->rows.velocity[i], stops = island->rows.discrete_only[i];
            double *part = motors ? law->motor : stops ? law->stop : law->load; /* law->load: of bearings only */
            for (int c = 0; c < (part == law->load ? 6 : stride); c++) part[c] += A[c] * lambda;
        }
    }
}

int ukNonIdealPrescribe(ukIsland *island)
{
    const ukIdeal *ideal = island->ideal;
    measureNonideal(island);
    for (int i = 0; i < ukIslandLawCount(island); i++) {
        ukLaw *law = ukIslandLaw(island, i);
        if (!law) continue;
        const ukState *state[2] = {NULL, NULL};
        for (int k = 0; law->joint && k < 2; k++)
            if (law->joint->body[k]) state[k] = &ukFrameOf(island, law->joint->body[k])->state;
        const int status = ukLawPrescribe(law, state, ideal->time, ideal->h);
        if (status != ukOk) return status;
    }
    return ukOk;
}

void ukNonIdealCollect(ukIsland *island)
{
    const ukProblem *p = island->problem;
    double *C = island->bodies.C;
    memset(C, 0, 6 * (size_t)p->bodies * sizeof *C);
    for (int i = 0; i < ukIslandLawCount(island); i++) {
        const ukLaw *law = ukIslandLaw(island, i);
        for (int k = 0; law && k < law->slots; k++) {
            const int body = bodyOf(island, law, k);
            for (int c = 0; body >= 0 && c < 6; c++) C[6 * body + c] += law->C[6 * k + c];
        }
    }
}

/* Solves the ideal problem: multipliers to lambda_ideal, accelerations to qdd, rank to *rank. lambda_ideal is the
 * initial guess, unless `rigid`. */
static int solveIdeal(ukIsland *island, bool rigid, int *rank)
{
    const ukProblem *p = &island->ideal->problem;
    ukSolution out = {
        .qdd = island->bodies.qdd, .lambda = island->rows.lambda_ideal, .loads = island->rows.loads_ideal, .rank = -1};
    const bool continuous = island->ideal->continuous;
    const int known = continuous ? 0 : p->rows; /* the ideal problem does not include the rows of laws */
    memset(out.lambda + known, 0, (size_t)(island->problem->rows - known) * sizeof(double));
    const double tolerance = continuous ? ukRankTolerance(island, p) : island->world->settings.rank_tolerance;
    const int status = rigid ? ukSolveRigid(island, p, island->solvers->equality, &out)
                             : ukSolveBounded(island, p, island->solvers->ideal_friction, tolerance, out.lambda, &out);
    *rank = out.rank;
    return status;
}

/* ---- rows of slides ---------------------------------------------------------------------------------------------- */

double ukSlideAlong(const ukIsland *island, const ukLaw *law, const ukSlide *slide, int i, const double *x)
{
    double sum = 0;
    for (int k = 0; k < law->slots; k++) {
        const int body = bodyOf(island, law, k);
        if (body < 0) continue;
        if (law->joint)
            for (int c = 0; c < 6; c++) sum += law->J[slide->first + i][6 * k + c] * x[6 * body + c];
        else if (k == slide->first)
            sum += ukDot(slide->axis[i], x + 6 * body);
    }
    return sum;
}

double ukSlideScale(const ukIsland *island, const ukProblem *p, const ukLaw *law, const ukSlide *slide)
{
    double sum = 0;
    for (int i = 0; i < slide->axes; i++) {
        for (int k = 0; k < law->slots; k++) {
            const int body = bodyOf(island, law, k);
            if (body < 0) continue;
            if (!law->joint) {
                sum += k == slide->first ? 1 / p->mass[body] : 0;
                continue;
            }
            const double *J = law->J[slide->first + i] + 6 * k;
            sum += ukProblemMobility(p, body, J, J);
        }
    }
    return sum / slide->axes;
}

/* A qdd - b along the axes: the slide's rate at the end of the step (over h), or its acceleration from rest */
static void updateSlipRate(const ukIsland *island, const ukProblem *p, const ukLaw *law, ukSlide *slide)
{
    const double *b = p->b + law->row + slide->row, *qdd = island->bodies.qdd;
    for (int i = 0; i < slide->axes; i++) slide->slip[i] = ukSlideAlong(island, law, slide, i, qdd) - b[i];
}

/* Sets the bounds of every slide, whose friction radius is known; viscous rows have no bounds. */
static void setSlideBounds(ukIsland *island, const ukProblem *p, ukLaw *law)
{
    double *lo = island->rows.lo + law->row, *hi = island->rows.hi + law->row;
    for (int i = law->viscous_row; i >= 0 && i < law->rows; i++) lo[i] = -INFINITY, hi[i] = INFINITY;
    for (int k = 0; k < law->slides; k++) {
        ukSlide *slide = &law->slide[k];
        if (slide->row < 0) continue;
        slide->scale = ukSlideScale(island, p, law, slide);
        for (int i = slide->row; i < slide->row + slide->axes; i++) lo[i] = -slide->radius, hi[i] = slide->radius;
    }
}

/* ---- solves ------------------------------------------------------------------------------------------------------ */

static int prepareSolvers(ukIsland *island)
{
    if (!island->solvers->ideal_friction) island->solvers->ideal_friction = ukFrictionSolverCreate();
    if (!island->solvers->polish) island->solvers->polish = ukEqualityCreate();
    return island->solvers->ideal_friction && island->solvers->polish && ukSolverOf(island) ? ukOk : ukErrorMemory;
}

/* kinetic friction and viscous drag of the continuous form, to law->C */
static void prescribeFriction(ukLaw *law)
{
    for (int k = 0; k < law->slides; k++) {
        ukSlide *slide = &law->slide[k];
        if (slide->axes == 0 || slide->row >= 0 || law->mu == 0) continue;
        double d[3], ahead = 0;
        for (int i = 0; i < slide->axes; i++) {
            d[i] = ukDot(slide->axis[i], slide->direction);
            ahead += d[i] * slide->rate[i];
        }
        /* One axis: the sign is kept until the event is located. Several: opposite to the rate while it has a positive
         * component along the direction. */
        const double *x = slide->axes > 1 && ahead > 0 && !slide->shared ? slide->rate : d;
        const double size = slide->shared ? 1 : ukSize(x, slide->axes);
        for (int i = 0; i < slide->axes; i++) {
            slide->force[i] = size > 0 ? -slide->radius * x[i] / size : 0;
            ukLawPushSlide(law, slide, i, slide->force[i], law->C);
        }
    }
    for (int i = 0; law->viscous > 0 && i < law->axes; i++) ukLawPushAxis(law, i, -law->viscous * law->rate[i], law->C);
}

/* qdd = M^-1 (Q + C + A' lambda) */
static void accelerateByForces(const ukProblem *p, const ukSolution *out, double *f)
{
    for (size_t i = 0; i < 6 * (size_t)p->bodies; i++) f[i] = p->Q[i] + p->C[i];
    ukProblemApplyTransposed(p, out->lambda, f);
    ukProblemAccelerate(p, f, out->qdd);
}

/* Releases fixed rows whose multipliers violate their bounds. Returns whether there are any. */
static bool releaseNonideal(const ukProblem *p, const ukSolution *out, unsigned char *active)
{
    bool any = false, inside;
    for (int i = 0, rows = 0; i < p->rows; i += rows) {
        rows = ukRowsInside(p, out->lo, out->hi, i, out->lambda, &inside);
        if (!active[i] || inside) continue;
        memset(active + i, 0, (size_t)rows);
        any = true;
    }
    return any;
}

/* workspace of settleFriction() */
typedef struct Settling {
    double *softness, *before; /* (rows) S + eps; the initial lambda */
    double *r, *step, *f;      /* scratch: (rows), (rows), (bodies x 6) */
    unsigned char *active;     /* (rows) 1: fixed, its equation is satisfied */
} Settling;

static int carveNonideal(ukIsland *island, const ukProblem *p, Settling *w)
{
    const size_t m = (size_t)p->rows;
    ukArena arena = ukArenaOver(NULL, 0);
    for (int sweep = 0; sweep < 2; sweep++) {
        double **rows[] = {&w->softness, &w->r, &w->step, &w->before};
        for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) *rows[i] = ukArenaDoubles(&arena, m);
        w->f = ukArenaDoubles(&arena, 6 * (size_t)p->bodies);
        w->active = ukArenaBytes(&arena, m);
        const int status = sweep == 0 ? ukScratchReserve(island->solvers, arena.used + 64) : ukOk;
        if (status != ukOk) return status;
        if (sweep == 0) arena = ukArenaOver(island->solvers->scratch, island->solvers->scratch_size);
    }
    return ukOk;
}

/* Solves the fixed rows to rounding: lambda += (K + eps)^-1 (b - A qdd - S lambda). */
static int correctFixedRows(ukIsland *island, const ukProblem *p, const ukSolution *out, const Settling *w)
{
    enum { Corrections = 2 };
    ukKktFactor factor;
    const int status = ukKktFactorize(ukEqualityKkt(island->solvers->polish), p, w->active, w->softness, &factor);
    for (int iteration = 0; iteration < Corrections && status == ukOk; iteration++) {
        accelerateByForces(p, out, w->f);
        ukProblemApply(p, out->qdd, w->r);
        for (int i = 0; i < p->rows; i++) w->r[i] = p->b[i] - w->r[i] - p->softness[i] * out->lambda[i];
        ukKktSolve(&factor, NULL, w->r, w->f, w->step);
        for (int i = 0; i < p->rows; i++)
            if (w->active[i]) out->lambda[i] += w->step[i];
    }
    return status;
}

/* The active-set solver stops at the tolerance of the check, but sticking slides must not creep: the fixed rows are
 * solved to rounding. If a multiplier then violates its bounds, the solution is left unchanged, since contact rows
 * depend on each other; in the continuous form, where a slide that is not stuck would at once start to move, the
 * violating rows are released and the rest is solved again. */
static int polishFixedRows(ukIsland *island, const ukSolution *out, const Settling *w)
{
    const int trials = island->ideal->continuous ? 3 : 1;
    const ukProblem *p = island->problem;
    const size_t bytes = (size_t)p->rows * sizeof *w->before;
    for (int k = 0; k < p->blocks; k++)
        for (int i = p->block[k].row; i < p->block[k].row + p->block[k].rows; i++)
            w->softness[i] = p->softness[i] + 1e-10 * ukProblemCompliance(p, &p->block[k], i);
    memcpy(w->before, out->lambda, bytes);
    bool left = true;
    int status = ukKktPlan(ukEqualityKkt(island->solvers->polish), p, NULL);
    for (int trial = 0; trial < trials && left && status == ukOk; trial++) {
        status = correctFixedRows(island, p, out, w);
        left = releaseNonideal(p, out, w->active);
        if (left) memcpy(out->lambda, w->before, bytes);
    }
    accelerateByForces(p, out, w->f);
    return status == ukErrorSingular ? ukOk : status;
}

/* Reads force and slip of every slide, and whether it sticks; returns whether any does. */
static bool readSlides(ukIsland *island, const unsigned char *active)
{
    const ukProblem *p = island->problem;
    bool any = false;
    for (int i = 0; i < ukIslandLawCount(island); i++) {
        ukLaw *law = ukIslandLaw(island, i);
        for (int k = 0; law && law->rows > 0 && k < law->slides; k++) {
            ukSlide *slide = &law->slide[k];
            if (slide->row < 0) continue;
            memcpy(slide->force, island->rows.lambda + law->row + slide->row,
                   (size_t)slide->axes * sizeof *slide->force);
            updateSlipRate(island, p, law, slide);
            any |= slide->sticks = active[law->row + slide->row] != 0;
        }
    }
    return any;
}

static int settleFriction(ukIsland *island)
{
    const ukProblem *p = island->problem;
    ukSolution out = ukSolutionOf(island);
    Settling w;
    if (!p->lo) return ukOk; /* there are no rows of laws, or none with a bound */
    out.lo = island->rows.bound_lo;
    out.hi = island->rows.bound_hi;
    int status = carveNonideal(island, p, &w);
    if (status != ukOk) return status;
    ukFindActiveRows(p, &out, out.lo, out.hi, w.r, w.active);
    if (!readSlides(island, w.active) || ukActuated(island)) return ukOk; /* friction may depend on a servo's rows */
    status = polishFixedRows(island, &out, &w);
    if (status == ukOk) readSlides(island, w.active);
    return status;
}

/* ---- servo constraints ------------------------------------------------------------------------------------------- */

static bool isRigid(const ukIsland *island)
{
    return island->ideal->continuous && !island->ideal->problem.lo;
}

static int solveActuatedIdeal(ukIsland *island)
{
    return solveIdeal(island, isRigid(island), &island->outcome->rank);
}

static int solveWholeBounded(ukIsland *island)
{
    const bool continuous = island->ideal->continuous;
    const ukProblem *p = island->problem;
    const double tolerance = continuous ? ukRankTolerance(island, p) : island->world->settings.rank_tolerance;
    ukSolution out = ukSolutionOf(island);
    const int status = ukSolveBounded(island, p, ukSolverOf(island), tolerance, island->rows.lambda0, &out);
    if (status != ukOk) return status;
    *island->outcome = (ukOutcome){
        .active = p->lo ? out.active : p->rows, .pivots = out.pivots, .passes = out.passes, .continuous = continuous};
    return ukOk;
}

/* Sets the bounds of active one-sided rows that this solve may release. Together with dry friction at rest on the same
 * axis their multipliers are not unique, and as equalities they might pull. */
static void boundActive(ukIsland *island)
{
    double *lo = island->rows.lo, *hi = island->rows.hi;
    for (int k = 0; k < island->ideal->stops; k++) {
        const ukStop *stop = &island->stop[k];
        if (stop->joint && stop->limit.releases && stop->limit.row >= 0)
            *(stop->side < 0 ? &lo[stop->limit.row] : &hi[stop->limit.row]) = 0;
    }
    for (int k = 0; k < island->elements; k++) {
        const struct ukConstraint *c = island->element[k]->is_force ? NULL : (struct ukConstraint *)island->element[k];
        for (int i = 0; c && c->limit && i < c->rows; i++) {
            const ukRowBounds *limit = &c->limit[i];
            if (limit->releases && limit->row >= 0) lo[limit->row] = limit->lo, hi[limit->row] = limit->hi;
        }
    }
}

/* Solves the ideal problem. The rows of a servo constraint with actuators are replaced by those of this problem: its
 * own forces, its own active set. */
static int solveFirst(ukIsland *island, bool rigid, int *rank)
{
    if (!ukActuated(island)) return solveIdeal(island, rigid, rank);
    const int status = ukActuatedSolve(island, &island->ideal->problem, solveActuatedIdeal, NULL);
    *rank = island->outcome->rank;
    return status;
}

/* Solves the whole problem. For a servo constraint, the forces C are applied forces, and sticking dry friction is a
 * rigid row. The ideal multipliers become those of its rows then, so that the ideal and the non-ideal force refer to
 * the same equations. */
static int solveSecond(ukIsland *island)
{
    return ukActuated(island) ? ukActuatedSolve(island, island->problem, solveWholeBounded, solveActuatedIdeal)
                              : solveWholeBounded(island);
}

int ukNonIdealSolve(ukIsland *island)
{
    const ukProblem *p = island->problem;
    ukIdeal *ideal = island->ideal;
    int rank = -1, status = prepareSolvers(island);
    if (status == ukOk) status = solveFirst(island, isRigid(island), &rank);
    if (status == ukOk) status = ukNonIdealPrescribe(island);
    if (status != ukOk) return status;
    for (int i = 0; i < ukIslandLawCount(island); i++) {
        ukLaw *law = ukIslandLaw(island, i);
        if (!law) continue;
        if (ideal->continuous) prescribeFriction(law);
        setSlideBounds(island, p, law);
    }
    boundActive(island);
    ukNonIdealCollect(island);
    double *lambda0 = island->rows.lambda0;
    const int known = ideal->continuous ? p->rows : ideal->problem.lo ? 0 : ideal->problem.rows;
    memcpy(lambda0, island->rows.lambda_ideal, (size_t)known * sizeof *lambda0); /* in the continuous form all rows;
                                                                                  * otherwise the ideal rows, if they
                                                                                  * are exact (unbounded) */
    status = solveSecond(island);
    if (status == ukOk) status = settleFriction(island);
    if (status == ukOk) island->outcome->rank = rank;
    return status;
}

/* Solves the whole problem of the continuous form with the present C. */
static int solveWhole(ukIsland *island, int rank)
{
    const ukProblem *p = island->problem;
    ukSolution out = ukSolutionOf(island);
    const bool as_ideal = p->rows == island->ideal->problem.rows;
    const int status = ukSolveRigid(island, p, as_ideal ? island->solvers->equality : island->solvers->polish, &out);
    if (status != ukOk) return status;
    for (int i = 0; i < ukIslandLawCount(island); i++) {
        ukLaw *law = ukIslandLaw(island, i);
        for (int k = 0; law && k < law->slides; k++) {
            ukSlide *slide = &law->slide[k];
            if (slide->axes == 0 || slide->row < 0) continue;
            memcpy(slide->force, out.lambda + law->row + slide->row, (size_t)slide->axes * sizeof(double));
        }
    }
    *island->outcome = (ukOutcome){.rank = rank, .active = p->rows, .continuous = true};
    return ukOk;
}

int ukNonIdealSolveContinuous(ukIsland *island)
{
    int rank = -1, status = prepareSolvers(island);
    if (status == ukOk) status = solveFirst(island, true, &rank);
    if (status == ukOk) status = ukNonIdealPrescribe(island);
    if (status != ukOk) return status;
    for (int i = 0; i < ukIslandLawCount(island); i++) {
        ukLaw *law = ukIslandLaw(island, i);
        if (law) prescribeFriction(law);
    }
    ukNonIdealCollect(island);
    if (ukActuated(island)) { /* as solveSecond, without bounds */
        status = ukActuateUnder(island, island->problem, NULL, NULL, false);
        if (status == ukOk) status = solveActuatedIdeal(island);
    }
    return status == ukOk ? solveWhole(island, rank) : status;
}

int ukNonIdealSolvePrescribed(ukIsland *island)
{
    return solveWhole(island, island->outcome->rank);
}
