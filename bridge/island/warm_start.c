#include "bridge/island/warm_start.h"

#include "bridge/base/vector.h"
#include "bridge/island/contact_memory.h"
#include "bridge/user/law.h"

#include <string.h>

/* A contact's rows as they stand in A: the normal first; each is a force, or else a torque, on body[0]. */
typedef struct Rows {
    const double *A; /* rows x width */
    size_t width;
    int count;
} Rows;

static Rows rowsOf(const ukProblem *p, const ukBlock *block)
{
    return (Rows){p->A + block->A, 6 * (size_t)block->slots, block->rows};
}

static ukContactWrench wrenchOf(Rows rows, const double *lambda, double sign)
{
    ukContactWrench W = {0};
    if (!lambda) return W;
    W.normal = lambda[0];
    for (int i = 1; i < rows.count; i++) {
        const double *A = rows.A + (size_t)i * rows.width;
        const bool torque = ukDot(A, A) == 0;
        for (int k = 0; k < 3; k++) *(torque ? W.torque + k : W.force + k) += sign * lambda[i] * A[torque ? 3 + k : k];
    }
    return W;
}

static void multipliersOf(Rows rows, const ukContactWrench *W, double sign, double *lambda)
{
    lambda[0] = W->normal;
    for (int i = 1; i < rows.count; i++) {
        const double *A = rows.A + (size_t)i * rows.width;
        const bool torque = ukDot(A, A) == 0;
        const double *u = torque ? A + 3 : A, square = ukDot(u, u);
        lambda[i] = square > 0 ? sign * ukDot(torque ? W->torque : W->force, u) / square : 0;
    }
}

/* the step's array of one kind of guess */
static double *guessOf(const ukStepper *s, int kind)
{
    double *const of[ukGuesses] = {s->lambda0, s->frictionless, s->lambda_ideal, s->frictionless_ideal};
    return of[kind];
}

/* the kind to take where ideal ones are remembered, or not: those of the whole problem serve */
static int among(bool ideal, int kind)
{
    return ideal ? kind : kind % ukGuessIdeal;
}

/* what is remembered of a block, one kind; NULL: nothing */
static const double *knownOf(const ukBlockOwner *owner, int kind, int rows)
{
    const ukJoint *joint = owner->joint;
    if (owner->law) return owner->law->lambda_rows == rows ? owner->law->lambda : NULL;
    if (owner->constraint) return owner->constraint->lambda_rows == rows ? owner->constraint->lambda : NULL;
    if (joint->reaction->rows != rows) return NULL;
    return ukReactionLambda(joint, among(joint->reaction->lambda_ideal, kind));
}

/* what a contact does is found by its pair; NULL: it has not been there, or is the very joint of the last step */
static const ukRemembered *rememberedOf(ukContactMemory *memory, const ukBlockOwner *owner, int rows, double *sign)
{
    const ukJoint *joint = owner->law ? NULL : owner->joint;
    if (!joint || !ukIsContact(joint) || joint->reaction->rows == rows) return NULL;
    return ukContactMemoryTake(memory, joint, sign);
}

void ukWarmStartGuess(ukStepper *s, int index)
{
    const ukProblem *p = &s->problems[index];
    const ukBlockOwner *owner = s->owners + (p->block - s->blocks);
    const int kinds = s->ideal[index].laws > 0 ? ukGuesses : ukGuessIdeal;
    for (int k = 0; k < p->blocks; k++) {
        const int rows = p->block[k].rows;
        const ptrdiff_t at = (p->b - s->b) + p->block[k].row;
        double sign = 1;
        const ukRemembered *e = rememberedOf(s->contacts, &owner[k], rows, &sign);
        for (int kind = 0; kind < kinds; kind++) {
            double *to = guessOf(s, kind) + at;
            const double *known = e ? NULL : knownOf(&owner[k], kind, rows);
            if (e)
                multipliersOf(rowsOf(p, &p->block[k]), &e->wrench[among(e->ideal, kind)], sign, to);
            else if (known)
                memcpy(to, known, (size_t)rows * sizeof *to);
            else
                memset(to, 0, (size_t)rows * sizeof *to);
        }
    }
}

static bool isContact(const ukBlockOwner *owner)
{
    return !owner->law && owner->joint && ukIsContact(owner->joint);
}

void ukWarmStartRemember(ukStepper *s)
{
    int contacts = 0;
    for (int k = 0; k < s->block_count; k++) contacts += isContact(s->owners + k);
    if (!ukContactMemoryRenew(s->contacts, contacts)) return;
    for (int i = 0; i < s->island_count; i++) {
        const ukProblem *p = &s->problems[i];
        const ukBlockOwner *owner = s->owners + (p->block - s->blocks);
        /* last first, so that the chain of a pair runs in the order of the step */
        for (int k = p->blocks - 1; k >= 0; k--) {
            if (!isContact(owner + k)) continue;
            const ukJoint *joint = owner[k].joint;
            const Rows rows = rowsOf(p, &p->block[k]);
            double sign;
            ukRemembered *e = ukContactMemoryAdd(s->contacts, joint, &sign);
            e->ideal = joint->reaction->lambda_ideal;
            for (int kind = 0; kind < (e->ideal ? ukGuesses : ukGuessIdeal); kind++)
                e->wrench[kind] = wrenchOf(rows, ukReactionLambda(joint, kind), sign);
        }
    }
}
