/* SPDX-License-Identifier: BSD-3-Clause */
#include "bridge/results/feedback.h"

#include <string.h>

#include "bridge/base/contact_memory.h"
#include "bridge/base/vector.h"
#include "bridge/island/each.h"
#include "bridge/island/island.h"
#include "bridge/island/spring.h"
#include "bridge/island/user_row.h"
#include "bridge/joints/contact.h"
#include "bridge/ode/single_body.h"
#include "bridge/results/block_force.h"
#include "bridge/results/impulse.h"
#include "bridge/results/nonideal_force.h"
#include "bridge/user/joint_law.h"
#include "bridge/user/servo.h"
#include "solvers/problem/block.h"

static void writeFeedback(const ukJoint *joint, dJointFeedback *feedback, double force[2][6])
{
    for (int i = 0; i < 3; i++) {
        feedback->f1[i] = force[0][i];
        feedback->t1[i] = force[0][3 + i];
        if (!joint->body[1]) continue;
        feedback->f2[i] = force[1][i];
        feedback->t2[i] = force[1][3 + i];
    }
    if (ukOdeSingle) ukSingleWriteFeedback(joint->handle);
}

/* writes the total force, which a sensor in the joint would measure, to dJointFeedback */
static void writeJointFeedback(const ukJoint *joint)
{
    dJointFeedback *feedback = dJointGetFeedback(joint->handle);
    const ukReaction *reaction = joint->reaction;
    double force[2][6];
    if (!feedback) return;
    for (int k = 0; k < 2; k++)
        for (int i = 0; i < 6; i++) force[k][i] = reaction->ideal[k][i] + reaction->nonideal[k][i];
    writeFeedback(joint, feedback, force);
}

/* writes the mean of the total force over a step of h */
static void writeMeanFeedback(const ukIsland *island, const ukJoint *joint, double h)
{
    dJointFeedback *feedback = dJointGetFeedback(joint->handle);
    ukImpulse impulse;
    if (!feedback || !ukImpulseOf(island->impulses, joint, &impulse)) return;
    for (int k = 0; k < 2; k++)
        for (int i = 0; i < 6; i++) impulse.total[k][i] /= h;
    writeFeedback(joint, feedback, impulse.total);
}

/* Reports the impulses that the island's joints and constraints exerted over the step; feedback is their mean force. */
static void reportImpulses(ukIsland *island, double h)
{
    for (int j = 0; j < island->joints; j++) writeMeanFeedback(island, island->joint[j], h);
    for (int k = 0; k < island->elements; k++)
        if (!island->element[k]->is_force)
            ukImpulseOfConstraint((struct ukConstraint *)island->element[k],
                                  ((struct ukConstraint *)island->element[k])->impulse);
}

/* The impulse of a user constraint whose forces are constant over the step. */
static void keepImpulse(struct ukConstraint *c, double h)
{
    for (int i = 0; i < 6 * c->element.count && h > 0; i++) c->impulse[i] = h * (c->element.force[i] + c->nonideal[i]);
}

/* force (6 per body) of one block: A' lambda */
static void blockForce(const ukBlock *block, const double *A, const double *lambda, double *force)
{
    for (int slot = 0; slot < block->slots; slot++, A += 6, force += 6) {
        const ukForceTorque f = ukBlockForce(block, A, lambda);
        for (int k = 0; k < 3; k++) ukStorePair(force + 2 * k, f.of[k]);
    }
}

/* Prefetches the records to which the joint a few places ahead is written; they are scattered (see assemble.c). */
enum { ahead = 6, line = 64 };

static void prefetchReaction(const ukJoint *joint)
{
    if (!joint) return;
    const char *first = (const char *)joint->reaction, *end = (const char *)ukReactionLambda(joint, ukGuessIdeal);
    for (; first < end; first += line) __builtin_prefetch(first, 1);
    __builtin_prefetch(joint->handle);
}

static void clearReaction(ukReaction *reaction)
{
    memset(reaction->ideal, 0, sizeof reaction->ideal);
    memset(reaction->nonideal, 0, sizeof reaction->nonideal);
}

/* Clears the reactions of joints that have a motor at its maximum force or a spring: both act without a row, and the
 * joint may have no row at all, so that the last step's reaction would remain. */
static void forgetDriven(ukIsland *island)
{
    for (int j = 0; island->ideal->mean && j < island->joints; j++)
        clearReaction(island->joint[j]->reaction); /* contacts and stops that were left out have no rows */
    for (int i = 0; i < island->ideal->springs; i++) clearReaction(ukSpringOf(island, i)->joint->reaction);
    for (ukModalMotor *modal_motor = NULL; (modal_motor = ukNextModalMotor(island, modal_motor));) {
        if (modal_motor->mode == ukMotorFull) clearReaction(ukModalMotorJoint(island, modal_motor)->reaction);
    }
}

/* Adds the forces of rows of user constraints at a bound, which the continuous form has as forces. */
static void addBounds(ukIsland *island)
{
    for (int k = 0; island->ideal->continuous && island->ideal->modal_rows > 0 && k < island->elements; k++) {
        struct ukConstraint *c = island->element[k]->is_force ? NULL : (struct ukConstraint *)island->element[k];
        if (!c || !c->limit) continue;
        ukUserRowForces(c, 1, c->element.force);
        for (int i = 0; i < c->rows; i++)
            if (c->limit[i].mode == ukRowFull) c->lambda[i] = ukUserRowBound(&c->limit[i]);
    }
}

/* Adds the forces of springs and of motors at their maximum to their joints' reactions. */
static void addDrives(ukIsland *island)
{
    for (int i = 0; i < island->ideal->springs; i++) {
        const ukSpring *spring = ukSpringOf(island, i);
        for (int c = 0; c < 12; c++) spring->joint->reaction->ideal[c / 6][c % 6] += spring->lambda * spring->J[c];
        writeJointFeedback(spring->joint);
    }
    for (ukModalMotor *modal_motor = NULL; (modal_motor = ukNextModalMotor(island, modal_motor));) {
        ukJoint *joint = ukModalMotorJoint(island, modal_motor);
        if (modal_motor->mode != ukMotorFull) continue;
        for (int c = 0; c < 12; c++)
            joint->reaction->ideal[c / 6][c % 6] += ukModalMotorForce(modal_motor) * modal_motor->J[c];
        writeJointFeedback(joint);
    }
}

/* Clears the forces of constraints with bounds: if none of the rows acts, the constraint has no block and exerts no
 * force. */
static void forgetSlack(ukIsland *island, double h)
{
    for (int k = 0; k < island->elements; k++) {
        struct ukConstraint *c = (struct ukConstraint *)island->element[k];
        if (c->element.is_force || !c->limit) continue;
        memset(c->lambda, 0, (size_t)c->rows * sizeof *c->lambda);
        c->lambda_rows = c->rows;
        memset(c->element.force, 0, 6 * (size_t)c->element.count * sizeof(double));
        memset(c->nonideal, 0, 6 * (size_t)c->element.count * sizeof(double));
        keepImpulse(c, h);
    }
}

static void rememberMultipliers(struct ukConstraint *c, const double *lambda, const ukBlock *block)
{
    if (!c->limit) {
        memcpy(c->lambda, lambda + block->row, (size_t)block->rows * sizeof *lambda);
        c->lambda_rows = block->rows;
        return;
    }
    for (int i = 0; i < c->rows; i++)
        if (c->limit[i].row >= 0) c->lambda[i] = lambda[c->limit[i].row];
}

/* Joints with a law may have no ideal row at all (an AMotor that is off): their feedback is the friction. */
static void writeLawFeedback(ukIsland *island)
{
    for (int i = 0; i < ukIslandLawCount(island); i++) {
        const ukLaw *law = ukIslandLaw(island, i);
        if (law && law->joint) writeJointFeedback(law->joint);
    }
}

typedef struct Feedback {
    ukIsland *island;
    double h;
} Feedback;

/* forces of the blocks begin ... end - 1 */
UKODE_INLINE void writeBlocks(void *context, int begin, int end)
{
    ukIsland *const island = ((const Feedback *)context)->island;
    const double h = ((const Feedback *)context)->h;
    const ukProblem *p = &island->ideal->problem;
    const ukBlockOwner *owner = island->rows.owners;
    const double *lambda = island->rows.lambda;
    /* in the discrete form, problems with friction also have multipliers of the phase without friction */
    const bool first = island->problem->normal && !island->ideal->continuous, first_ideal = first && p->normal;
    const double *ideal = island->rows.lambda_ideal;
    const double *remember[ukGuesses] = {lambda, first ? island->rows.loads : lambda, ideal,
                                         first_ideal ? island->rows.loads_ideal : ideal};
    const bool laws = island->ideal->laws > 0;
    for (int k = begin; k < end; k++) {
        const ukBlock *block = &p->block[k];
        const size_t bytes = (size_t)block->rows * sizeof(double);
        if (k + ahead < end) prefetchReaction(owner[k + ahead].joint);
        if (owner[k].constraint) {
            struct ukConstraint *c = owner[k].constraint;
            if (!laws) {
                blockForce(block, p->A + block->A, lambda + block->row, c->element.force);
                memset(c->nonideal, 0, 6 * (size_t)block->slots * sizeof(double));
            }
            rememberMultipliers(c, lambda, block);
            ukServoForces(c);
            keepImpulse(c, h);
            continue;
        }
        const ukJoint *joint = owner[k].joint;
        ukReaction *reaction = joint->reaction;
        if (!laws) {
            blockForce(block, p->A + block->A, lambda + block->row, reaction->ideal[0]);
            if (block->slots == 1) memset(reaction->ideal[1], 0, sizeof reaction->ideal[1]);
            memset(reaction->nonideal, 0, sizeof reaction->nonideal);
        }
        for (int kind = 0; kind < (laws ? ukGuesses : ukGuessIdeal); kind++)
            memcpy(ukReactionLambda(joint, kind), remember[kind] + block->row, bytes);
        reaction->rows = block->rows;
        reaction->lambda_ideal = laws;
    }
}

void ukFeedbackIsland(ukIsland *island, double h)
{
    const int blocks = island->ideal->problem.blocks;
    Feedback all = {island, h};
    forgetDriven(island);
    forgetSlack(island, h);
    if (island->ideal->laws > 0) ukForcesOfLaws(island);
    if (island->elements > 0)
        writeBlocks(&all, 0, blocks); /* as in the assembly, not divided among threads */
    else
        ukEach(island, blocks, writeBlocks, &all);
    for (int k = 0; k < blocks; k++) /* in their order: two joints may have one dJointFeedback */
        if (!island->rows.owners[k].constraint) writeJointFeedback(island->rows.owners[k].joint);
    if (island->ideal->laws > 0) writeLawFeedback(island);
    addDrives(island);
    addBounds(island);
    if (island->ideal->mean && h > 0) reportImpulses(island, h);
}

/* ---- contacts of the next step ----------------------------------------------------------------------------------- */

_Static_assert((int)ukContactKinds == (int)ukGuesses && (int)ukContactWhole == (int)ukGuessIdeal,
               "kinds of multipliers");

static bool isContact(const ukBlockOwner *owner)
{
    return !owner->law && owner->joint && ukIsContact(owner->joint);
}

/* Converts the contact's last multipliers of `kinds` kinds to wrenches, a force or a torque on body[0] per row. */
static void wrenchesOf(const ukProblem *p, const ukBlock *block, const ukJoint *joint, int kinds, double sign,
                       ukContactWrench *W)
{
    const double *lambda[ukGuesses];
    for (int kind = 0; kind < kinds; kind++) {
        lambda[kind] = ukReactionLambda(joint, kind);
        W[kind] = (ukContactWrench){.normal = lambda[kind][0]};
    }
    for (int i = 1; i < block->rows; i++) {
        const double *A = p->A + block->A + (size_t)i * 6 * (size_t)block->slots;
        const bool torque = ukDot(A, A) == 0;
        const double *u = torque ? A + 3 : A;
        for (int kind = 0; kind < kinds; kind++) {
            double *f = torque ? W[kind].torque : W[kind].force;
            const double share = sign * lambda[kind][i];
            for (int k = 0; k < 3; k++) f[k] += share * u[k];
        }
    }
}

void ukFeedbackContacts(ukContactMemory *memory, const ukIsland *islands, int count)
{
    int contacts = 0;
    for (int i = 0; i < count; i++)
        for (int k = 0; k < islands[i].problem->blocks; k++) contacts += isContact(islands[i].rows.owners + k);
    if (!ukContactMemoryRenew(memory, contacts)) return;
    for (int i = 0; i < count; i++) {
        const ukProblem *p = islands[i].problem;
        const ukBlockOwner *owner = islands[i].rows.owners;
        /* last block first, so that the list of a pair has the order of the step */
        for (int k = p->blocks - 1; k >= 0; k--) {
            if (!isContact(owner + k)) continue;
            const ukJoint *joint = owner[k].joint;
            const ukContactKey key = ukContactKeyOf(joint);
            double sign;
            ukRemembered *e = ukContactMemoryAdd(memory, &key, &sign);
            e->ideal = joint->reaction->lambda_ideal;
            wrenchesOf(p, &p->block[k], joint, e->ideal ? ukGuesses : ukGuessIdeal, sign, e->wrench);
        }
    }
}
