/* SPDX-License-Identifier: BSD-3-Clause */
#include "bridge/solve/warm_start.h"

#include "bridge/base/vector.h"
#include "bridge/joints/contact.h"
#include "bridge/user/joint_law.h"

/* The rows of a contact in A: first the normal; each row is a force on body[0], or else a torque. */
typedef struct Rows {
    const double *A; /* rows x width */
    size_t width;
    int count;
} Rows;

static Rows rowsOf(const ukProblem *p, const ukBlock *block)
{
    return (Rows){p->A + block->A, 6 * (size_t)block->slots, block->rows};
}

/* Multipliers of `kinds` kinds from wrenches; the inverse of wrenchesOf (bridge/results/feedback.c). */
static void multipliersOf(Rows rows, const ukContactWrench *const *W, int kinds, double sign, double *const *lambda)
{
    for (int kind = 0; kind < kinds; kind++) lambda[kind][0] = W[kind]->normal;
    for (int i = 1; i < rows.count; i++) {
        const double *A = rows.A + (size_t)i * rows.width;
        const bool torque = ukDot(A, A) == 0;
        const double *u = torque ? A + 3 : A, square = ukDot(u, u), share = square > 0 ? sign / square : 0;
        for (int kind = 0; kind < kinds; kind++)
            lambda[kind][i] = share * ukDot(torque ? W[kind]->torque : W[kind]->force, u);
    }
}

/* the island's array for one kind of initial guess */
static double *guessOf(const ukIsland *island, int kind)
{
    const ukRowArrays *r = &island->rows;
    double *const of[ukGuesses] = {r->lambda0, r->loads, r->lambda_ideal, r->loads_ideal};
    return of[kind];
}

/* the kind of stored multipliers to use for a guess: if no ideal ones are stored, those of the whole problem */
static int storedKind(bool has_ideal, int kind)
{
    return has_ideal ? kind : kind % ukGuessIdeal;
}

/* stored multipliers of the rows that act now; NULL: there are none */
static const double *storedOfConstraint(const struct ukConstraint *c, int rows)
{
    if (!c->limit) return c->lambda_rows == rows ? c->lambda : NULL;
    if (c->lambda_rows != c->rows) return NULL;
    for (int i = 0, at = 0; i < c->rows && at < rows; i++)
        if (c->limit[i].row >= 0) c->guess[at++] = c->lambda[i];
    return c->guess;
}

/* stored multipliers of a block, one kind; NULL: there are none */
static const double *storedOfBlock(const ukBlockOwner *owner, int kind, int rows)
{
    const ukJoint *joint = owner->joint;
    if (owner->law) return owner->law->lambda_rows == rows ? owner->law->lambda : NULL;
    if (owner->constraint) return storedOfConstraint(owner->constraint, rows);
    if (joint->reaction->rows != rows) return NULL;
    return ukReactionLambda(joint, storedKind(joint->reaction->lambda_ideal, kind));
}

/* The stored entry of a contact, found by its pair; NULL: the contact is new, or its joint existed in the last step. */
static const ukRemembered *rememberedOf(ukContactMemory *memory, const ukBlockOwner *owner, int rows, double *sign)
{
    const ukJoint *joint = owner->law ? NULL : owner->joint;
    if (!joint || !ukIsContact(joint) || joint->reaction->rows == rows) return NULL;
    const ukContactKey key = ukContactKeyOf(joint);
    return ukContactMemoryTake(memory, &key, sign);
}

/* stored NULL: zeros, since there are no multipliers */
static void copyMultipliers(double *to, const double *stored, int rows)
{
    for (int i = 0; i < rows; i++) to[i] = stored ? stored[i] : 0;
}

void ukWarmStartGuess(ukIsland *island)
{
    const ukProblem *p = island->problem;
    const ukBlockOwner *owner = island->rows.owners;
    const int kinds = island->ideal->laws > 0 ? ukGuesses : ukGuessIdeal;
    for (int k = 0; k < p->blocks; k++) {
        const int rows = p->block[k].rows;
        double sign = 1;
        const ukRemembered *e = rememberedOf(island->solvers->contacts, &owner[k], rows, &sign);
        double *to[ukGuesses];
        const ukContactWrench *wrench[ukGuesses] = {0};
        for (int kind = 0; kind < kinds; kind++) {
            to[kind] = guessOf(island, kind) + p->block[k].row;
            if (e) wrench[kind] = &e->wrench[storedKind(e->ideal, kind)];
            const double *stored = e ? NULL : storedOfBlock(&owner[k], kind, rows);
            if (!e) copyMultipliers(to[kind], stored, rows);
        }
        if (e) multipliersOf(rowsOf(p, &p->block[k]), wrench, kinds, sign, to);
    }
}
