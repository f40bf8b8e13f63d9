/* SPDX-License-Identifier: BSD-3-Clause */
#include "bridge/solve/nonideal.h"

#include <math.h>
#include <string.h>

#include "bridge/base/vector.h"
#include "bridge/island/view.h"
#include "bridge/solve/one.h"
#include "bridge/user/constraint.h"
#include "bridge/user/law_rows.h"
#include "bridge/user/prescribe.h"
#include "bridge/world/state.h"
#include "solvers/base/status.h"
#include "solvers/kkt/refine.h"

/* the problem's index of a law's body; -1: it does not move */
static int bodyOf(const ukStepper *s, const ukLaw *law, int slot)
{
    const ukBody *body = law->joint ? law->joint->body[slot] : law->constraint->element.body[slot];
    return body ? s->bodies.frames[body->index].moving : -1;
}

/* ---- the ideal force and what it prescribes ---------------------------------------------------------------------- */

/* ideal force of each law's owner, and of a joint's bearing rows alone, from the ideal multipliers */
static void measure(ukStepper *s, int index)
{
    const ukProblem *p = &s->ideal[index].problem;
    const ukBlockOwner *owner = s->rows.owners + ukViewOf(s, p).block0;
    const size_t row0 = ukViewOf(s, p).row0;
    for (int i = 0; i < ukIslandLawCount(s, index); i++) {
        ukLaw *law = ukIslandLaw(s, index, i);
        if (!law) continue;
        memset(law->ideal, 0, 6 * (size_t)law->slots * sizeof(double));
        memset(law->load, 0, sizeof law->load);
    }
    for (int k = 0; k < p->blocks; k++) {
        ukLaw *law = owner[k].joint ? owner[k].joint->law : owner[k].constraint->law;
        if (!law) continue;
        const ukBlock *block = &p->block[k];
        const double *A = p->A + block->A;
        const int stride = 6 * block->slots;
        for (int i = block->row; i < block->row + block->rows; i++, A += stride) {
            const size_t row = row0 + (size_t)i;
            const double lambda = s->rows.lambda_ideal[row];
            for (int c = 0; c < stride; c++) law->ideal[c] += A[c] * lambda;
            if (s->rows.velocity[row] || s->rows.stop[row]) continue; /* motors and stops press on no bearing */
            for (int c = 0; c < 6; c++) law->load[c] += A[c] * lambda;
        }
    }
}

static int prescribe(ukStepper *s, int index)
{
    const ukIdeal *ideal = &s->ideal[index];
    measure(s, index);
    for (int i = 0; i < ukIslandLawCount(s, index); i++) {
        ukLaw *law = ukIslandLaw(s, index, i);
        if (!law) continue;
        const ukState *state[2] = {NULL, NULL};
        for (int k = 0; law->joint && k < 2; k++)
            if (law->joint->body[k]) state[k] = &s->bodies.frames[law->joint->body[k]->index].state;
        const int status = ukLawPrescribe(law, state, ideal->time, ideal->h);
        if (status != ukOk) return status;
    }
    return ukOk;
}

/* C of the island's bodies from that of its laws */
static void collect(ukStepper *s, int index)
{
    const ukProblem *p = &s->problems[index];
    double *C = s->bodies.C + ukViewOf(s, p).column0;
    memset(C, 0, 6 * (size_t)p->bodies * sizeof *C);
    for (int i = 0; i < ukIslandLawCount(s, index); i++) {
        const ukLaw *law = ukIslandLaw(s, index, i);
        for (int k = 0; law && k < law->slots; k++) {
            const int body = bodyOf(s, law, k);
            for (int c = 0; body >= 0 && c < 6; c++) C[6 * body + c] += law->C[6 * k + c];
        }
    }
}

/* The ideal problem's multipliers to lambda_ideal, its accelerations to qdd; rank. lambda_ideal in: a guess, unless
 * rigid. */
static int solveIdeal(ukStepper *s, int index, bool rigid, int *rank)
{
    const ukProblem *p = &s->ideal[index].problem;
    const size_t row0 = ukViewOf(s, p).row0;
    ukSolution out = {.qdd = s->bodies.qdd + ukViewOf(s, p).column0,
                      .lambda = s->rows.lambda_ideal + row0,
                      .loads = s->rows.loads_ideal + row0,
                      .rank = -1};
    const bool continuous = s->ideal[index].continuous;
    const int known = continuous ? 0 : p->rows; /* the rows of laws have no part in it */
    memset(out.lambda + known, 0, (size_t)(s->problems[index].rows - known) * sizeof(double));
    const double tolerance = continuous ? ukRankTolerance(s, p) : s->world->settings.rank_tolerance;
    const int status = rigid ? ukSolveRigid(s, p, s->solvers.equality, &out)
                             : ukSolveBounded(s, index, p, s->solvers.ideal_set, tolerance, out.lambda, &out);
    *rank = out.rank;
    return status;
}

/* ---- rows of slides ---------------------------------------------------------------------------------------------- */

/* row of axis i of a slide, applied to x (6 a body of the problem) */
static double along(const ukStepper *s, const ukLaw *law, const ukSlide *slide, int i, const double *x)
{
    double sum = 0;
    for (int k = 0; k < law->slots; k++) {
        const int body = bodyOf(s, law, k);
        if (body < 0) continue;
        if (law->joint)
            for (int c = 0; c < 6; c++) sum += law->J[slide->first + i][6 * k + c] * x[6 * body + c];
        else if (k == slide->first)
            sum += ukDot(slide->axis[i], x + 6 * body);
    }
    return sum;
}

double ukSlideScale(const ukStepper *s, const ukProblem *p, const ukLaw *law, const ukSlide *slide)
{
    double sum = 0;
    for (int i = 0; i < slide->axes; i++) {
        for (int k = 0; k < law->slots; k++) {
            const int body = bodyOf(s, law, k);
            if (body < 0) continue;
            if (!law->joint) {
                sum += k == slide->first ? 1 / p->mass[body] : 0;
                continue;
            }
            const double *J = law->J[slide->first + i] + 6 * k;
            double turned[3];
            ukRotate(p->inverse_inertia + 9 * (size_t)body, J + 3, turned);
            sum += ukDot(J, J) / p->mass[body] + ukDot(J + 3, turned);
        }
    }
    return sum / slide->axes;
}

/* A qdd - b along the axes: the slide's rate at the end of the step (over h), or what it would set off with */
static void slip(const ukStepper *s, const ukProblem *p, const ukLaw *law, ukSlide *slide)
{
    const double *b = p->b + law->row + slide->row, *qdd = s->bodies.qdd + ukViewOf(s, p).column0;
    for (int i = 0; i < slide->axes; i++) slide->slip[i] = along(s, law, slide, i, qdd) - b[i];
}

/* Radii are known: the bounds of every slide; what is viscous has none. */
static void prepare(ukStepper *s, const ukProblem *p, ukLaw *law)
{
    const size_t row0 = ukViewOf(s, p).row0 + (size_t)law->row;
    for (int i = law->viscous_row; i >= 0 && i < law->rows; i++)
        s->rows.lo[row0 + (size_t)i] = -INFINITY, s->rows.hi[row0 + (size_t)i] = INFINITY;
    for (int k = 0; k < law->slides; k++) {
        ukSlide *slide = &law->slide[k];
        if (slide->row < 0) continue;
        slide->scale = ukSlideScale(s, p, law, slide);
        for (size_t i = row0 + (size_t)slide->row; i < row0 + (size_t)(slide->row + slide->axes); i++)
            s->rows.lo[i] = -slide->radius, s->rows.hi[i] = slide->radius;
    }
}

/* ---- solves ------------------------------------------------------------------------------------------------------ */

static int ready(ukStepper *s, int index)
{
    if (!s->solvers.ideal_set) s->solvers.ideal_set = ukLawSolverCreate();
    if (!s->solvers.held) s->solvers.held = ukEqualityCreate();
    return s->solvers.ideal_set && s->solvers.held && ukSolverOf(s, index) ? ukOk : ukErrorMemory;
}

/* moving friction and viscous drag of the continuous form, to law->C */
static void drag(ukLaw *law)
{
    for (int k = 0; k < law->slides; k++) {
        ukSlide *slide = &law->slide[k];
        if (slide->axes == 0 || slide->row >= 0 || law->mu == 0) continue;
        double d[3], ahead = 0;
        for (int i = 0; i < slide->axes; i++) {
            d[i] = ukDot(slide->axis[i], slide->direction);
            ahead += d[i] * slide->rate[i];
        }
        /* One axis: the sign stays until the event is located. Several: with the sliding, as long as it goes ahead. */
        const double *x = slide->axes > 1 && ahead > 0 ? slide->rate : d;
        const double size = ukSize(x, slide->axes);
        for (int i = 0; i < slide->axes; i++) {
            slide->force[i] = size > 0 ? -slide->radius * x[i] / size : 0;
            ukLawPushSlide(law, slide, i, slide->force[i], law->C);
        }
    }
    for (int i = 0; law->viscous > 0 && i < law->axes; i++) ukLawPushAxis(law, i, -law->viscous * law->rate[i], law->C);
}

/* qdd = M^-1 (Q + C + A' lambda) */
static void accelerate(const ukProblem *p, const ukSolution *out, double *f)
{
    for (size_t i = 0; i < 6 * (size_t)p->bodies; i++) f[i] = p->Q[i] + p->C[i];
    ukProblemApplyTransposed(p, out->lambda, f);
    ukProblemAccelerate(p, f, out->qdd);
}

/* Rows held whose multipliers have left their bounds: no longer held. Whether there are any. */
static bool release(const ukProblem *p, const ukSolution *out, unsigned char *held)
{
    bool any = false, inside;
    for (int i = 0, rows = 0; i < p->rows; i += rows) {
        rows = ukSolveInside(p, out->lo, out->hi, i, out->lambda, &inside);
        if (!held[i] || inside) continue;
        memset(held + i, 0, (size_t)rows);
        any = true;
    }
    return any;
}

/* what a solve is settled with */
typedef struct Settling {
    double *softness, *before; /* (rows) S + eps; lambda to begin with */
    double *r, *step, *f;      /* scratch: (rows), (rows), (bodies x 6) */
    unsigned char *held;       /* (rows) */
} Settling;

static int carve(ukStepper *s, const ukProblem *p, Settling *w)
{
    const size_t m = (size_t)p->rows;
    ukArena arena = ukArenaOver(NULL, 0);
    for (int pass = 0; pass < 2; pass++) {
        double **rows[] = {&w->softness, &w->r, &w->step, &w->before};
        for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) *rows[i] = ukArenaDoubles(&arena, m);
        w->f = ukArenaDoubles(&arena, 6 * (size_t)p->bodies);
        w->held = ukArenaBytes(&arena, m);
        const int status = pass == 0 ? ukStepperScratch(s, arena.used + 64) : ukOk;
        if (status != ukOk) return status;
        if (pass == 0) arena = ukArenaOver(s->solvers.scratch, s->solvers.scratch_size);
    }
    return ukOk;
}

/* lambda of the rows held solved to rounding: lambda += (K + eps)^-1 (b - A qdd - S lambda) */
static int correct(ukStepper *s, const ukProblem *p, const ukSolution *out, const Settling *w)
{
    enum { Corrections = 2 };
    ukKktFactor factor;
    const int status = ukKktFactorize(ukEqualityKkt(s->solvers.held), p, w->held, w->softness, &factor);
    for (int pass = 0; pass < Corrections && status == ukOk; pass++) {
        accelerate(p, out, w->f);
        ukProblemApply(p, out->qdd, w->r);
        for (int i = 0; i < p->rows; i++) w->r[i] = p->b[i] - w->r[i] - p->softness[i] * out->lambda[i];
        ukKktSolveRefined(&factor, NULL, w->r, w->f, w->step);
        for (int i = 0; i < p->rows; i++)
            if (w->held[i]) out->lambda[i] += w->step[i];
    }
    return status;
}

/* The active set stops at the tolerance of the check, but what sticks must not creep: the rows held are solved to
 * rounding. Where rows leave their bounds with it, all stays as it was, since rows of contacts depend on each other;
 * but in the continuous form, where a slide that does not hold would at once set off again, without them. */
static int polish(ukStepper *s, int index, const ukSolution *out, const Settling *w)
{
    const int trials = s->ideal[index].continuous ? 3 : 1;
    const ukProblem *p = &s->problems[index];
    const size_t bytes = (size_t)p->rows * sizeof *w->before;
    for (int k = 0; k < p->blocks; k++)
        for (int i = p->block[k].row; i < p->block[k].row + p->block[k].rows; i++)
            w->softness[i] = p->softness[i] + 1e-10 * ukProblemCompliance(p, &p->block[k], i);
    memcpy(w->before, out->lambda, bytes);
    bool left = true;
    int status = ukKktPlan(ukEqualityKkt(s->solvers.held), p, NULL);
    for (int trial = 0; trial < trials && left && status == ukOk; trial++) {
        status = correct(s, p, out, w);
        left = release(p, out, w->held);
        if (left) memcpy(out->lambda, w->before, bytes);
    }
    accelerate(p, out, w->f);
    return status == ukErrorSingular ? ukOk : status;
}

/* Every slide's force, slip, and whether it is held; whether any is. */
static bool readSlides(ukStepper *s, int index, const unsigned char *held)
{
    const ukProblem *p = &s->problems[index];
    bool any = false;
    for (int i = 0; i < ukIslandLawCount(s, index); i++) {
        ukLaw *law = ukIslandLaw(s, index, i);
        for (int k = 0; law && law->rows > 0 && k < law->slides; k++) {
            ukSlide *slide = &law->slide[k];
            if (slide->row < 0) continue;
            memcpy(slide->force, s->rows.lambda + ukViewOf(s, p).row0 + law->row + slide->row,
                   (size_t)slide->axes * sizeof *slide->force);
            slip(s, p, law, slide);
            any |= slide->held = held[law->row + slide->row] != 0;
        }
    }
    return any;
}

static int settle(ukStepper *s, int index, const ukSolution *out)
{
    const ukProblem *p = &s->problems[index];
    Settling w;
    if (!p->lo) return ukOk; /* no rows of laws, or none with a bound */
    int status = carve(s, p, &w);
    if (status != ukOk) return status;
    ukSolveHeld(p, out, out->lo, out->hi, w.r, w.held);
    if (!readSlides(s, index, w.held)) return ukOk;
    status = polish(s, index, out, &w);
    if (status == ukOk) readSlides(s, index, w.held);
    return status;
}

int ukNonIdealSolve(ukStepper *s, int index)
{
    const ukProblem *p = &s->problems[index];
    ukIdeal *ideal = &s->ideal[index];
    ukSolution out = ukSolutionOf(s, p);
    int rank = -1, status = ready(s, index);
    if (status == ukOk) status = solveIdeal(s, index, ideal->continuous && !ideal->problem.lo, &rank);
    if (status == ukOk) status = prescribe(s, index);
    if (status != ukOk) return status;
    for (int i = 0; i < ukIslandLawCount(s, index); i++) {
        ukLaw *law = ukIslandLaw(s, index, i);
        if (!law) continue;
        if (ideal->continuous) drag(law);
        prepare(s, p, law);
    }
    collect(s, index);
    double *lambda0 = s->rows.lambda0 + ukViewOf(s, p).row0;
    const int known = ideal->continuous ? p->rows : ideal->problem.lo ? 0 : ideal->problem.rows;
    memcpy(lambda0, s->rows.lambda_ideal + ukViewOf(s, p).row0,
           (size_t)known * sizeof *lambda0); /* exact, or all there is */
    const double tolerance = ideal->continuous ? ukRankTolerance(s, p) : s->world->settings.rank_tolerance;
    status = ukSolveBounded(s, index, p, ukSolverOf(s, index), tolerance, lambda0, &out);
    if (status != ukOk) return status;
    status = settle(s, index, &out);
    if (status != ukOk) return status;
    s->outcomes[index] = (ukOutcome){.rank = rank,
                                     .active = p->lo ? out.active : p->rows,
                                     .pivots = out.pivots,
                                     .passes = out.passes,
                                     .continuous = ideal->continuous};
    return ukOk;
}

/* The whole problem of the continuous form with the C that stands there. */
static int solveWhole(ukStepper *s, int index, int rank)
{
    const ukProblem *p = &s->problems[index];
    ukSolution out = ukSolutionOf(s, p);
    const bool as_ideal = p->rows == s->ideal[index].problem.rows;
    const int status = ukSolveRigid(s, p, as_ideal ? s->solvers.equality : s->solvers.held, &out);
    if (status != ukOk) return status;
    for (int i = 0; i < ukIslandLawCount(s, index); i++) {
        ukLaw *law = ukIslandLaw(s, index, i);
        for (int k = 0; law && k < law->slides; k++) {
            ukSlide *slide = &law->slide[k];
            if (slide->axes == 0 || slide->row < 0) continue;
            memcpy(slide->force, out.lambda + law->row + slide->row, (size_t)slide->axes * sizeof(double));
        }
    }
    s->outcomes[index] = (ukOutcome){.rank = rank, .active = p->rows, .continuous = true};
    return ukOk;
}

int ukNonIdealSolveContinuous(ukStepper *s, int index)
{
    int rank = -1, status = ready(s, index);
    if (status == ukOk) status = solveIdeal(s, index, true, &rank);
    if (status == ukOk) status = prescribe(s, index);
    if (status != ukOk) return status;
    for (int i = 0; i < ukIslandLawCount(s, index); i++) {
        ukLaw *law = ukIslandLaw(s, index, i);
        if (law) drag(law);
    }
    collect(s, index);
    return solveWhole(s, index, rank);
}

int ukNonIdealSolvePrescribed(ukStepper *s, int index)
{
    return solveWhole(s, index, s->outcomes[index].rank);
}

/* ---- what came out ----------------------------------------------------------------------------------------------- */

/* force (6 slots) += A' x of a block's rows */
static void push(const ukProblem *p, const ukBlock *block, const double *x, double *force)
{
    const double *A = p->A + block->A;
    const int stride = 6 * block->slots;
    for (int i = block->row; i < block->row + block->rows; i++, A += stride)
        for (int c = 0; c < stride; c++) force[c] += A[c] * x[i];
}

void ukNonIdealForces(ukStepper *s, int index)
{
    const ukProblem *p = &s->problems[index];
    const ukBlockOwner *owner = s->rows.owners + ukViewOf(s, p).block0;
    const double *lambda = s->rows.lambda + ukViewOf(s, p).row0, *ideal = s->rows.lambda_ideal + ukViewOf(s, p).row0;
    double *answer = s->rows.lambda0 + ukViewOf(s, p).row0;
    for (int i = 0; i < p->rows; i++) answer[i] = lambda[i] - ideal[i];
    for (int i = 0; i < ukIslandLawCount(s, index); i++) { /* also of joints without rows */
        const ukLaw *law = ukIslandLaw(s, index, i);
        if (!law) continue;
        double *to = law->joint ? law->joint->reaction->nonideal[0] : law->constraint->nonideal;
        memcpy(to, law->C, 6 * (size_t)law->slots * sizeof(double));
        if (!law->joint) continue;
        memset(law->joint->reaction->ideal, 0, sizeof law->joint->reaction->ideal);
        if (!law->joint->body[1]) memset(to + 6, 0, 6 * sizeof *to); /* what a law pushes the static world with */
    }
    for (int k = 0; k < p->blocks; k++) {
        ukLaw *law = owner[k].law;
        ukJoint *joint = law ? law->joint : owner[k].joint;
        struct ukConstraint *c = law ? law->constraint : owner[k].constraint;
        double *nonideal = joint ? joint->reaction->nonideal[0] : c->nonideal;
        const size_t bytes = 6 * (size_t)p->block[k].slots * sizeof(double);
        if (law) {
            law->lambda_rows = p->block[k].rows;
            memcpy(law->lambda, lambda + p->block[k].row, (size_t)law->lambda_rows * sizeof(double));
        } else {
            double *force = joint ? joint->reaction->ideal[0] : c->element.force;
            memset(force, 0, bytes);
            push(p, &p->block[k], ideal, force);
            if (joint ? !joint->law : !c->law) memset(nonideal, 0, bytes);
        }
        push(p, &p->block[k], answer, nonideal);
    }
}

void ukNonIdealPrescription(const ukStepper *s, int index, double *C)
{
    const ukProblem *p = &s->problems[index];
    const ukBlockOwner *owner = s->rows.owners + ukViewOf(s, p).block0;
    const double *lambda = s->rows.lambda + ukViewOf(s, p).row0;
    for (int i = 0; p->C && i < 6 * p->bodies; i++) C[i] += p->C[i];
    for (int k = 0; k < p->blocks; k++) {
        const ukBlock *block = &p->block[k];
        if (!owner[k].law) continue;
        for (int slot = 0; slot < block->slots; slot++) {
            const int body = p->body[block->slot + slot];
            if (body < 0) continue;
            const double *A = p->A + block->A + 6 * (size_t)slot;
            for (int i = block->row; i < block->row + block->rows; i++, A += 6 * (size_t)block->slots)
                for (int c = 0; c < 6; c++) C[6 * body + c] += A[c] * lambda[i];
        }
    }
}
