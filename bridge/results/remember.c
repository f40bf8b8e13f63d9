/* SPDX-License-Identifier: BSD-3-Clause */
#include "bridge/results/remember.h"

#include "bridge/island/each.h"
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

/* ---- closed loops ------------------------------------------------------------------------------------------------ */

void ukRememberClosures(const ukIsland *islands, int count)
{
    for (int i = 0; i < count; i++) {
        const ukProblem *p = islands[i].problem;
        const ukOutcome *outcome = islands[i].outcome;
        if (p->bodies == 0 || !outcome->cfm_ignorable) continue;
        for (int k = 0; k < p->blocks; k++) islands[i].rows.owners[k].joint->cfm_aside = outcome->cfm_ignored;
    }
}
