/* SPDX-License-Identifier: BSD-3-Clause */
#include "bridge/results/effort.h"

#include <stdlib.h>
#include <string.h>

#include "bridge/base/log.h"
#include "bridge/base/vector.h"
#include "bridge/results/block_force.h"
#include "bridge/results/nonideal_force.h"
#include "solvers/base/status.h"

void ukEffortPrescription(const ukIsland *island, double *C)
{
    memset(C, 0, 6 * (size_t)island->ideal->problem.bodies * sizeof *C);
    ukPrescriptionOfLaws(island, C);
}

/* f . (qdd - M^-1 Q) of body i: a force times the acceleration that the constraints add */
static double alongDeviation(const ukIsland *island, int i, const double *f)
{
    const ukProblem *p = &island->ideal->problem;
    const double *qdd = island->bodies.qdd + 6 * (size_t)i;
    return ukDot(f, qdd) + ukDot(f + 3, qdd + 3) - ukProblemMobility(p, i, f, p->Q + 6 * (size_t)i);
}

ukEffort ukEffortOfBlock(const ukIsland *island, int k, const double *nonideal, const double *C)
{
    const ukProblem *p = &island->ideal->problem;
    const ukBlock *block = &p->block[k];
    const double *lambda = island->rows.lambda + block->row, *ideal = island->rows.lambda_ideal + block->row;
    ukEffort effort = {0};
    for (int slot = 0; slot < block->slots; slot++) {
        const int body = p->body[block->slot + slot];
        const double *A = p->A + block->A + 6 * (size_t)slot;
        double F[6], T[6];
        if (body < 0 || (island->massless > 0 && island->bodies.massless[body])) continue;
        ukForceTorque f = ukBlockForce(block, A, lambda);
        for (int c = 0; c < 3; c++) ukStorePair(F + 2 * c, f.of[c]);
        const double along = alongDeviation(island, body, F);
        effort.Gni += along;
        if (!C) { /* no non-ideal force: T = F */
            effort.Gi += along;
            continue;
        }
        effort.Gni -= ukProblemMobility(p, body, F, C + 6 * (size_t)body);
        f = ukBlockForce(block, A, ideal);
        for (int c = 0; c < 3; c++) ukStorePair(T + 2 * c, f.of[c]);
        for (int c = 0; c < 6; c++) T[c] += nonideal[6 * slot + c];
        effort.Gi += alongDeviation(island, body, T);
    }
    return effort;
}

ukEffort ukEffortOfLaw(const ukIsland *island, const ukJoint *joint)
{
    ukEffort effort = {0};
    for (int k = 0; k < 2; k++) {
        const ukFrame *frame = joint->body[k] ? ukIslandFrame(island, joint->body[k]) : NULL;
        if (frame && frame->moving >= 0)
            effort.Gi += alongDeviation(island, frame->moving, joint->reaction->nonideal[k]);
    }
    return effort;
}

/* The joint or constraint that is searched for in the last step. Pointers stored by the step are compared and not
 * dereferenced: the objects may have been destroyed since. */
typedef struct Sought {
    const ukJoint *joint; /* either the joint or the constraint is NULL */
    const struct ukConstraint *constraint;
    const double *nonideal;
} Sought;

static int blockOf(const ukIsland *island, const Sought *of)
{
    for (int k = 0; k < island->ideal->problem.blocks; k++) {
        const ukBlockOwner *owner = &island->rows.owners[k];
        if (of->joint ? owner->joint == of->joint : owner->constraint == of->constraint) return k;
    }
    return -1;
}

static int effortInIsland(const ukIsland *island, int k, const Sought *of, ukEffort *effort)
{
    double *C = NULL;
    if (island->ideal->laws > 0) {
        C = malloc(6 * (size_t)island->ideal->problem.bodies * sizeof *C);
        if (!C)
            return ukErrorSet(ukErrorMemory, "no memory for the forces (bodies: %d)", island->ideal->problem.bodies);
        ukEffortPrescription(island, C);
    }
    *effort = ukEffortOfBlock(island, k, of->nonideal, C);
    free(C);
    return ukOk;
}

static int effortIn(const ukWorld *world, const Sought *of, bool rows, ukEffort *effort)
{
    const ukStepper *s = world->stepper;
    *effort = (ukEffort){0};
    if (!s || !s->solved)
        return ukErrorSet(ukErrorArgument, "the world's last step or evaluation failed, or there was none");
    for (int i = 0; i < s->island_count && rows; i++) {
        const int k = s->islands[i].ideal->problem.bodies > 0 ? blockOf(&s->islands[i], of) : -1;
        if (k >= 0) return effortInIsland(&s->islands[i], k, of, effort);
    }
    for (int i = 0; i < s->island_count && of->joint && of->joint->law; i++)
        if (s->islands[i].ideal->laws > 0) {
            const ukEffort part = ukEffortOfLaw(&s->islands[i], of->joint);
            effort->Gi += part.Gi;
        }
    return ukOk;
}

int ukEffortOfJoint(const ukWorld *world, const ukJoint *joint, ukEffort *effort)
{
    return effortIn(world, &(Sought){.joint = joint, .nonideal = joint->reaction->nonideal[0]},
                    joint->reaction->rows > 0, effort);
}

int ukEffortOfConstraint(const struct ukConstraint *c, ukEffort *effort)
{
    return effortIn(c->element.world, &(Sought){.constraint = c, .nonideal = c->nonideal}, c->lambda_rows > 0, effort);
}
