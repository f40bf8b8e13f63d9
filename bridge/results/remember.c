/* SPDX-License-Identifier: BSD-3-Clause */
#include "bridge/results/remember.h"

#include "bridge/base/vector.h"
#include "bridge/island/each.h"
#include "bridge/joints/contact.h"
#include "bridge/joints/turn.h"

/* ---- turns ------------------------------------------------------------------------------------------------------- */

typedef struct Turns {
    const ukIsland *island;
    double h;
} Turns;

UKODE_INLINE void advanceTurns(void *context, int begin, int end)
{
    const Turns *of = context;
    const ukIsland *const island = of->island;
    for (int j = begin; j < end; j++) {
        ukJoint *joint = island->joint[j];
        if (!joint->class->turns || !joint->handle || !joint->body[0] || !ukTurnsCounted(joint)) continue;
        const ukFrame *const a = ukIslandFrame(island, joint->body[0]);
        const ukFrame *const b = joint->body[1] ? ukIslandFrame(island, joint->body[1]) : NULL;
        if (!a || (joint->body[1] && !b)) continue; /* a callback attached the joint to a body elsewhere */
        const ukState *const from[2] = {&a->start, b ? &b->start : NULL};
        const ukState *const to[2] = {&a->state, b ? &b->state : NULL};
        ukTurnAdvance(joint, from, to, of->h, island->outcome->continuous);
    }
}

void ukRememberTurns(const ukIsland *islands, int count, double h)
{
    for (int i = 0; i < count; i++) ukEach(&islands[i], islands[i].joints, advanceTurns, &(Turns){&islands[i], h});
}

/* ---- contacts ---------------------------------------------------------------------------------------------------- */

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

void ukRememberContacts(ukContactMemory *memory, const ukIsland *islands, int count)
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

/* ---- closed loops ------------------------------------------------------------------------------------------------ */

void ukRememberClosures(const ukIsland *islands, int count)
{
    for (int i = 0; i < count; i++) {
        const ukProblem *p = islands[i].problem;
        const ukOutcome *outcome = islands[i].outcome;
        if (p->bodies == 0 || !outcome->suspect) continue;
        for (int k = 0; k < p->blocks; k++) islands[i].rows.owners[k].joint->cfm_aside = outcome->cfm_aside;
    }
}
