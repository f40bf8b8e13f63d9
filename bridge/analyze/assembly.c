/* SPDX-License-Identifier: BSD-3-Clause */
#include "bridge/analyze/assembly.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bridge/analyze/contradiction.h"
#include "bridge/analyze/targets.h"
#include "bridge/base/log.h"
#include "bridge/base/progress.h"
#include "bridge/island/refuse.h"
#include "bridge/user/constraint.h"
#include "bridge/world/frame.h"
#include "solvers/base/status.h"

static int refuseTarget(int index, const char *why)
{
    return ukErrorSet(ukErrorArgument, "target %d: %s", index, why);
}

static int checkTarget(const ukPoses *poses, const ukTarget *t, int index)
{
    const double weights[2] = {t->position_weight, t->orientation_weight};
    double size = 0;
    if (ukPosesBody(poses, t->body) < 0) return refuseTarget(index, "its body does not move, or is not of the world");
    if (!ukFiniteAll(weights, 2) || weights[0] < 0 || weights[1] < 0)
        return refuseTarget(index, "a weight is not >= 0");
    if (!ukFiniteAll(t->point, 3) || !ukFiniteAll(t->position, 3)) return refuseTarget(index, "a number is not finite");
    for (int i = 0; i < 4; i++) size += t->orientation[i] * t->orientation[i];
    if (weights[1] > 0 && !(size > 0 && size < INFINITY))
        return refuseTarget(index, "its orientation is zero or not finite");
    return ukOk;
}

/* The arrays of a result, one block: the stepper's, replaced by the next assembly's. */
typedef struct Found {
    dBodyID *body;
    double *x, *q;
    ukContradiction *contradiction;
} Found;

static int keepPoses(const ukApproach *a, const unsigned char *in, const double *error, ukAssembly *out)
{
    const ukPoses *const poses = a->poses;
    const size_t bodies = (size_t)poses->bodies;
    for (int k = 0; in && k < a->errors.parts; k++) out->contradictions += in[k];
    const size_t bytes =
        (size_t)out->contradictions * sizeof(ukContradiction) + bodies * (sizeof(dBodyID) + 7 * sizeof(double));
    char *const memory = malloc(bytes + 1);
    if (!memory) return ukErrorSet(ukErrorMemory, "no memory for the poses (bodies: %d)", poses->bodies);
    Found f = {.x = (double *)memory};
    f.q = f.x + 3 * bodies;
    f.body = (dBodyID *)(f.q + 4 * bodies);
    f.contradiction = (ukContradiction *)(f.body + bodies);
    for (int k = 0; k < poses->bodies; k++) {
        const ukFrame *const frame = ukPosesFrame(poses, k);
        if (!ukFiniteAll(frame->state.x, 3) || !ukFiniteAll(frame->state.q, 4)) {
            free(memory);
            return ukRefuseBody(frame->body, ukErrorNotFinite, "its new pose is not finite");
        }
        f.body[k] = frame->body->handle;
        memcpy(f.x + 3 * k, frame->state.x, 3 * sizeof(double));
        memcpy(f.q + 4 * k, frame->state.q, 4 * sizeof(double));
    }
    for (int k = 0, i = 0; in && k < a->errors.parts; k++) {
        struct ukConstraint *constraint;
        if (!in[k]) continue;
        const ukJoint *const joint = ukErrorsPart(&a->errors, k, &constraint);
        f.contradiction[i++] = (ukContradiction){.joint = joint ? joint->handle : NULL,
                                                 .constraint = constraint ? constraint->element.handle : NULL,
                                                 .error = error[k]};
    }
    free(poses->s->analysis[ukAnalysisAssembly]);
    poses->s->analysis[ukAnalysisAssembly] = memory;
    out->count = poses->bodies;
    out->bodies = f.body;
    out->positions = f.x;
    out->orientations = f.q;
    out->contradiction = f.contradiction;
    return ukOk;
}

/* Reports the joints' errors at the compromise, and the joints that contradict each other. */
static int nameContradiction(ukApproach *a, ukAssembly *out)
{
    const size_t parts = (size_t)a->errors.parts;
    unsigned char *const in = calloc(parts + 1, 1);
    double *const error = calloc(parts + 1, sizeof *error);
    int status = in && error ? ukOk : ukErrorMemory;
    if (status != ukOk) ukErrorSet(status, "no memory for %d joints", a->errors.parts);
    if (status == ukOk) status = ukContradictionFind(a, in, error);
    if (status == ukOk) status = keepPoses(a, in, error, out);
    free(in);
    free(error);
    return status;
}

/* The targets from the poses at which the joints were met, and, as long as they are not met, from other ones, scattered
 * from where the search began and from the best ones by turns. Ends at the least error. */
static int approachTargets(ukApproach *a, const ukTarget *target, int count, ukTargetsLeft *left, int *starts)
{
    enum { Others = 20 };
    static const double less = 1 - 1e-6; /* of an error: others that are no better do not replace the first poses */
    uint64_t random = 2;
    int status = ukTargetsApproach(a, target, count, left);
    ukPosesKeep(a->poses, a->best);
    for (int k = 0; k < Others && status == ukOk && !left->met; k++, ++*starts) {
        ukTargetsLeft other;
        bool met;
        ukProgressStore(ukProgressAssembling, k, Others);
        ukPosesReturn(a->poses, k % 2 == 0 ? a->best : a->begin);
        status = ukApproachScattered(a, &random, &met);
        if (status != ukOk || !met) continue;
        status = ukTargetsApproach(a, target, count, &other);
        if (status != ukOk || !(other.met || other.error < less * left->error)) continue;
        *left = other;
        ukPosesKeep(a->poses, a->best);
    }
    if (status != ukOk) return status;
    ukPosesReturn(a->poses, a->best);
    return ukApproachRefill(a);
}

static int findPoses(ukApproach *a, const ukTarget *target, int count, ukAssembly *out)
{
    enum { Starts = 40 };
    ukTargetsLeft left = {.met = true};
    bool met;
    int status = ukApproachFromMany(a, Starts, &met, &out->starts);
    if (status == ukOk && met && count > 0) status = approachTargets(a, target, count, &left, &out->starts);
    if (status == ukOk) status = ukApproachDecompose(a);
    if (status != ukOk) return status;
    out->met = met;
    out->gap = a->errors.gap;
    out->rows = a->errors.rows;
    out->rank = a->rank;
    out->freedoms = a->poses->n - a->rank;
    out->target_error = left.error;
    out->targets_met = met && left.met;
    status = met ? keepPoses(a, NULL, NULL, out) : nameContradiction(a, out);
    out->passes = a->decompositions;
    return status;
}

int ukAssemblyFind(ukWorld *world, const ukTarget *target, int count, ukAssembly *out)
{
    ukPoses poses;
    ukApproach approach = {0};
    ukAssembly found = {0};
    int status = ukPosesBegin(&poses, world, false);
    for (int k = 0; k < count && status == ukOk; k++) status = checkTarget(&poses, target + k, k);
    if (status == ukOk) status = ukApproachBegin(&approach, &poses);
    if (status == ukOk) status = findPoses(&approach, target, count, &found);
    ukApproachEnd(&approach);
    ukPosesEnd(&poses);
    if (status == ukOk) *out = found;
    return status;
}
