/* SPDX-License-Identifier: BSD-3-Clause */
#include "bridge/analyze/equilibrium.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bridge/analyze/approach.h"
#include "bridge/analyze/carried.h"
#include "bridge/analyze/stiffness.h"
#include "bridge/base/log.h"
#include "bridge/base/progress.h"
#include "bridge/island/refuse.h"
#include "bridge/world/frame.h"
#include "solvers/base/status.h"

typedef struct Search {
    ukPoses poses;
    ukApproach approach;
    ukStatics statics;
    ukStiffness stiffness;
    double tolerance, gap;
    double *dq;     /* (n) */
    ukState *start; /* (bodies) */
    int iterations;
    double step_limit; /* largest motion of a body per step: displacement / world's length, or [rad] */
} Search;

static int beginSearch(Search *s, ukWorld *world)
{
    int status = ukPosesBegin(&s->poses, world, true);
    if (status == ukOk) status = ukApproachBegin(&s->approach, &s->poses);
    s->approach.errors.contacts = true;
    if (status == ukOk) status = ukStaticsBegin(&s->statics, &s->poses, s->approach.errors.length);
    if (status == ukOk) status = ukStiffnessBegin(&s->stiffness, &s->statics);
    if (status != ukOk) return status;
    s->dq = calloc((size_t)s->poses.n + 1, sizeof *s->dq);
    s->start = calloc((size_t)s->poses.bodies + 1, sizeof *s->start);
    if (s->dq && s->start) return ukOk;
    return ukErrorSet(ukErrorMemory, "no memory for a search (bodies: %d)", s->poses.bodies);
}

static void endSearch(Search *s)
{
    free(s->dq);
    free(s->start);
    ukStiffnessEnd(&s->stiffness);
    ukStaticsEnd(&s->statics);
    ukApproachEnd(&s->approach);
    ukPosesEnd(&s->poses);
}

/* Backtracking line search along dq, along which the energy has the initial slope `slope`. Each trial pose is projected
 * onto the joints, and the forces are balanced there. A trial is accepted (*taken) if it lowers the energy, by the
 * trapezoidal rule for the slopes, or halves the residual; if none is, the poses are restored. */
static int searchLine(Search *s, double slope, bool *taken)
{
    enum { Halves = 25 };
    /* A trial is accepted if minus the slope at its end is below 0.9 of the initial slope; after a full step whose
     * final slope is above half of the initial one, the step limit is doubled, up to 2 (units of `step_limit`). */
    static const double slope_accepted = 0.9, slope_kept = 0.5, step_limit_most = 2;
    double factor = 1;
    const double before = s->statics.residual;
    int status = ukOk;
    ukPosesKeep(&s->poses, s->start);
    ukStaticsMarkContacts(&s->statics);
    *taken = false;
    for (int k = 0; k < Halves && status == ukOk && !*taken; k++, factor *= 0.5) {
        bool met;
        ukPosesMove(&s->poses, s->dq, factor);
        status = ukApproachNearJoints(&s->approach, &met);
        const double gap = s->approach.errors.gap;
        if (status == ukOk && met) status = ukStaticsSolve(&s->statics);
        if (status != ukOk) return status;
        *taken =
            met && (-ukStaticsAlong(&s->statics, s->dq) < slope_accepted * slope || s->statics.residual < 0.5 * before);
        /* if the energy still falls at the end of a full step, the next step may be longer */
        if (*taken && k == 0 && s->poses.contacts == 0 && ukStaticsAlong(&s->statics, s->dq) > slope_kept * slope)
            s->step_limit = fmin(step_limit_most, 2 * s->step_limit);
        if (*taken)
            s->gap = gap;
        else
            ukPosesReturn(&s->poses, s->start);
    }
    return *taken ? ukOk : ukStaticsSolve(&s->statics);
}

/* Newton steps until the forces balance, and one more; or until no trial step lowers the energy. */
static int descendEnergy(Search *s)
{
    enum { Most = 300 };
    /* with contacts small steps: bodies that overlap more would be separated along a wrong normal */
    s->step_limit = s->poses.contacts > 0 ? 0.1 : 0.5;
    bool taken = true, polished = false;
    int status = ukStaticsSolve(&s->statics);
    for (s->iterations = 0; s->iterations < Most && status == ukOk && taken && !polished; s->iterations++) {
        ukProgressStore(ukProgressBalancing, s->iterations, Most);
        polished = s->statics.residual <= s->tolerance;
        const double before = s->statics.residual;
        if (before <= 4 * DBL_EPSILON) break;
        status = ukStiffnessFind(&s->stiffness);
        if (status != ukOk || s->stiffness.free == 0) break;
        const double slope = ukStiffnessStep(&s->stiffness, s->step_limit, s->dq);
        status = searchLine(s, slope, &taken);
        if (status != ukOk || !polished || s->statics.residual <= before) continue;
        ukPosesReturn(&s->poses, s->start); /* rounding */
        status = ukStaticsSolve(&s->statics);
    }
    return status;
}

static int describeStability(const ukStiffness *k, ukEquilibrium *out)
{
    static const double zero_curvature = 1e-7, symmetry_error = 1e-5; /* errors of the finite differences, relative */
    double largest = 0;
    out->freedoms = k->free;
    out->conservative = !(k->skew > symmetry_error * k->statics->scale);
    for (int i = 0; i < k->free; i++) largest = fmax(largest, fabs(k->kappa[i]));
    largest = fmax(largest, k->statics->scale);
    for (int i = 0; i < k->free; i++) {
        out->unstable += k->kappa[i] < -zero_curvature * largest;
        out->neutral += fabs(k->kappa[i]) <= zero_curvature * largest;
    }
    out->stable = out->unstable == 0 && out->neutral == 0;
    return ukStiffnessSoftest(k, &out->softest);
}

static dBodyID mostUnbalanced(const Search *s)
{
    int worst = 0;
    double most = -1;
    for (int k = 0; k < s->poses.bodies; k++) {
        double square = 0;
        for (int i = 0; i < 6; i++) square += s->statics.a[6 * k + i] * s->statics.a[6 * k + i];
        if (square > most) most = square, worst = k;
    }
    return s->poses.bodies > 0 ? ukPosesFrame(&s->poses, worst)->body->handle : NULL;
}

/* Copies the result into arrays that the stepper owns. */
static int keepEquilibrium(Search *s, ukEquilibrium *out)
{
    const ukPoses *const poses = &s->poses;
    const size_t bodies = (size_t)poses->bodies;
    out->carriers = ukCarriedCount(poses);
    double *const x =
        calloc(1, bodies * (sizeof(dBodyID) + 7 * sizeof(double)) + (size_t)out->carriers * sizeof(ukCarried) + 1);
    if (!x) return ukErrorSet(ukErrorMemory, "no memory for the equilibrium (bodies: %d)", poses->bodies);
    double *const q = x + 3 * bodies;
    ukCarried *const carried = (ukCarried *)(q + 4 * bodies);
    dBodyID *const body = (dBodyID *)(carried + out->carriers);
    for (int k = 0; k < poses->bodies; k++) {
        const ukFrame *const frame = ukPosesFrame(poses, k);
        if (!ukFiniteAll(frame->state.x, 3) || !ukFiniteAll(frame->state.q, 4)) {
            free(x);
            return ukRefuseBody(frame->body, ukErrorNotFinite, "its new pose is not finite");
        }
        body[k] = frame->body->handle;
        memcpy(x + 3 * k, frame->state.x, 3 * sizeof *x);
        memcpy(q + 4 * k, frame->state.q, 4 * sizeof *q);
    }
    ukStaticsWiden(&s->statics);
    const int status = ukStiffnessSplit(&s->stiffness);
    if (status != ukOk) {
        free(x);
        return status;
    }
    ukCarriedFill(&s->stiffness, carried);
    free(poses->s->analysis[ukAnalysisEquilibrium]);
    poses->s->analysis[ukAnalysisEquilibrium] = x;
    out->count = poses->bodies;
    out->bodies = body;
    out->positions = x;
    out->orientations = q;
    out->carried = carried;
    return ukOk;
}

static int findBalance(Search *s, ukEquilibrium *out)
{
    enum { Starts = 40 };
    int starts;
    bool met;
    int status = ukApproachFromMany(&s->approach, Starts, &met, &starts);
    s->gap = s->approach.errors.gap;
    if (status == ukOk && met) status = descendEnergy(s);
    if (status == ukOk && !met) status = ukStaticsSolve(&s->statics);
    if (status == ukOk) status = ukStiffnessFind(&s->stiffness);
    if (status != ukOk) return status;
    *out = (ukEquilibrium){.found = met && s->statics.residual <= s->tolerance,
                           .residual = s->statics.residual,
                           .gap = s->gap,
                           .passes = s->iterations};
    status = describeStability(&s->stiffness, out);
    if (status != ukOk) return status;
    if (!out->found) out->unbalanced = mostUnbalanced(s), out->stable = 0;
    return keepEquilibrium(s, out);
}

int ukEquilibriumFind(ukWorld *world, double tolerance, ukEquilibrium *out)
{
    static const double usual = 1e-12;
    Search s = {.tolerance = tolerance > 0 ? tolerance : usual};
    ukEquilibrium found = {0};
    int status = beginSearch(&s, world);
    if (status == ukOk) status = findBalance(&s, &found);
    endSearch(&s);
    if (status == ukOk) *out = found;
    return status;
}
