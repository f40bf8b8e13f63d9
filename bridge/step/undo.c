/* SPDX-License-Identifier: BSD-3-Clause */
#include "bridge/ode/single_body.h"
#include "bridge/step/undo.h"

#include <string.h>

#include "bridge/base/grow.h"
#include "bridge/step/plans.h"
#include "bridge/user/joint_law.h"
#include "solvers/base/status.h"

/* The saved state of one joint or constraint: this header, the data in the order of `copyEntry`, and at the end the
 * size of the whole entry once more, to find it from the next one. */
typedef struct Entry {
    ukJoint *joint; /* either the joint or the constraint is NULL */
    struct ukConstraint *constraint;
    dJointFeedback *feedback; /* the program's; NULL: none, or not saved */
    bool law, read, stale; /* a law follows; the record of a joint that is to be read from ODE follows; it was stale */
    int guesses;           /* how many kinds of multipliers of the reaction follow; 0: no reaction follows */
    size_t bytes;          /* size of the whole entry */
} Entry;

/* position in an entry's data; `back`: copies from the entry to the objects, otherwise into it */
typedef struct Cursor {
    unsigned char *at;
    bool back;
} Cursor;

static void copyEither(Cursor *cursor, void *x, size_t bytes)
{
    if (cursor->back)
        memcpy(x, cursor->at, bytes);
    else
        memcpy(cursor->at, x, bytes);
    cursor->at += bytes;
}

static size_t lawBytes(const ukLaw *law)
{
    return (size_t)law->slides * sizeof *law->slide + sizeof law->lambda_rows +
           (3 * (size_t)law->slots + 6) * sizeof *law->lambda;
}

static void copyLaw(Cursor *cursor, ukLaw *law)
{
    copyEither(cursor, law->slide, (size_t)law->slides * sizeof *law->slide);
    copyEither(cursor, &law->lambda_rows, sizeof law->lambda_rows);
    copyEither(cursor, law->lambda, (3 * (size_t)law->slots + 6) * sizeof *law->lambda);
}

static size_t reactionBytes(const ukJoint *joint, int guesses)
{
    return guesses > 0 ? sizeof(ukReaction) + (size_t)(guesses * joint->class->max_rows) * sizeof(double) : 0;
}

static size_t constraintBytes(const struct ukConstraint *c)
{
    const size_t actuators = c->servo ? (size_t)c->servo->count : 0;
    return sizeof c->lambda_rows + ((size_t)c->rows + actuators + 36 * (size_t)c->element.count) * sizeof(double);
}

static size_t readBytes(const ukJoint *joint)
{
    return ukReadBytes + (joint->class->record == ukRecordRunning ? sizeof joint->of : 0);
}

/* Restores the values that the next evaluation of the joint would read from ODE: read at another pose, they round
 * differently. */
static void copyRead(Cursor *cursor, const Entry *e)
{
    ukJoint *const joint = e->joint;
    copyEither(cursor, (unsigned char *)joint + offsetof(ukJoint, anchor1), ukReadBytes);
    if (joint->class->record == ukRecordRunning) copyEither(cursor, &joint->of, sizeof joint->of);
    if (cursor->back) joint->stale = e->stale;
}

static bool willBeRead(const ukJoint *joint)
{
    return joint->class->refresh && (joint->stale || !joint->observed);
}

static void copyEntry(Cursor *cursor, const Entry *e)
{
    struct ukConstraint *c = e->constraint;
    ukLaw *law = c ? c->law : e->joint->law;
    if (e->law) copyLaw(cursor, law);
    if (e->read) copyRead(cursor, e);
    if (c) {
        copyEither(cursor, &c->lambda_rows, sizeof c->lambda_rows);
        copyEither(cursor, c->lambda, (size_t)c->rows * sizeof(double));
        copyEither(cursor, c->element.force, 6 * (size_t)c->element.count * sizeof(double));
        copyEither(cursor, c->nonideal, 6 * (size_t)c->element.count * sizeof(double));
        copyEither(cursor, c->impulse, 24 * (size_t)c->element.count * sizeof(double));
        if (c->servo) copyEither(cursor, c->servo->force, (size_t)c->servo->count * sizeof(double));
    }
    if (e->guesses > 0) copyEither(cursor, e->joint->reaction, reactionBytes(e->joint, e->guesses));
    if (!e->feedback) return;
    if (cursor->back && (!e->joint->handle || dJointGetFeedback(e->joint->handle) != e->feedback)) return;
    copyEither(cursor, e->feedback, sizeof *e->feedback);
    if (cursor->back && ukOdeSingle) ukSingleWriteFeedback(e->joint->handle);
}

static int saveEntry(ukStepper *s, Entry e)
{
    const ukLaw *law = e.constraint ? e.constraint->law : e.joint->law;
    e.law = law != NULL;
    e.stale = e.joint && e.joint->stale;
    e.bytes = sizeof e + (law ? lawBytes(law) : 0) + (e.constraint ? constraintBytes(e.constraint) : 0) +
              (e.read ? readBytes(e.joint) : 0) + (e.joint ? reactionBytes(e.joint, e.guesses) : 0) +
              (e.feedback ? sizeof *e.feedback : 0) + sizeof e.bytes;
    e.bytes = (e.bytes + sizeof(void *) - 1) / sizeof(void *) * sizeof(void *);
    if (!ukArrayReserve(&s->undo.memory, 1, s->undo.used + e.bytes, &s->undo.size)) return ukErrorMemory;
    unsigned char *at = (unsigned char *)s->undo.memory + s->undo.used;
    memcpy(at, &e, sizeof e);
    copyEntry(&(Cursor){.at = at + sizeof e}, &e);
    memcpy(at + e.bytes - sizeof e.bytes, &e.bytes, sizeof e.bytes);
    s->undo.used += e.bytes;
    return ukOk;
}

int ukUndoBegin(ukStepper *s)
{
    if (!ukPlansLate(&s->solvers)) return ukOk;
    ukTape t = {.mode = ukTapeMeasure};
    ukKeepPlans(&t, &s->solvers);
    if (!ukArrayReserve(&s->undo.memory, 1, t.at, &s->undo.size)) return ukErrorMemory;
    s->undo.used = s->undo.plans = t.at;
    t = (ukTape){.mode = ukTapeWrite, .to = s->undo.memory, .size = t.at};
    ukKeepPlans(&t, &s->solvers);
    return ukOk;
}

/* Replaces a solver, to discard the plan that the failed step may have made; without memory the old solver stays. */
static void renewEquality(ukEquality **equality)
{
    if (!*equality) return;
    ukEquality *const fresh = ukEqualityCreate();
    if (!fresh) return;
    ukEqualityDestroy(*equality);
    *equality = fresh;
}

/* Solvers restart with the plans that existed before the step. */
static void restorePlans(ukStepper *s)
{
    ukStepperForget(s);
    if (s->undo.plans == 0 && !ukPlansLate(&s->solvers)) return;
    s->solvers.motion = (ukMotionFactor){.serves = false};
    renewEquality(&s->solvers.equality);
    renewEquality(&s->solvers.polish);
    ukFrictionSolverDestroy(s->solvers.ideal_friction);
    s->solvers.ideal_friction = NULL;
    ukTape t = {.mode = ukTapeCheck, .from = s->undo.memory, .size = s->undo.plans};
    if (s->undo.plans > 0) ukKeepPlans(&t, &s->solvers);
}

int ukUndoNote(ukStepper *s, const ukIsland *island)
{
    const bool last = island->number + 1 == s->island_count;
    int status = ukOk;
    for (int j = 0; j < island->joints && status == ukOk; j++) {
        ukJoint *joint = island->joint[j];
        const bool read = willBeRead(joint);
        if (last && !joint->law && !read) continue;
        dJointFeedback *feedback = last ? NULL : dJointGetFeedback(joint->handle);
        const int guesses = last ? 0 : joint->reaction->lambda_ideal ? ukGuesses : ukGuessIdeal;
        status = saveEntry(s, (Entry){.joint = joint, .feedback = feedback, .read = read, .guesses = guesses});
    }
    for (int k = 0; k < island->elements && status == ukOk; k++) {
        ukElement *e = island->element[k];
        if (!e->is_force) status = saveEntry(s, (Entry){.constraint = (struct ukConstraint *)e});
    }
    return status;
}

int ukUndoNoteReads(ukStepper *s)
{
    int status = ukOk;
    for (int j = 0; j < s->joint_count && status == ukOk; j++)
        if (willBeRead(s->joints[j])) status = saveEntry(s, (Entry){.joint = s->joints[j], .read = true});
    return status;
}

/* The last entry first: joints may share a dJointFeedback, which the earliest entry contains as it was before the
 * step. */
void ukUndoEntries(ukStepper *s)
{
    for (size_t end = s->undo.used; end > s->undo.plans;) {
        Entry e;
        unsigned char *const past = (unsigned char *)s->undo.memory + end;
        memcpy(&e.bytes, past - sizeof e.bytes, sizeof e.bytes);
        unsigned char *const from = past - e.bytes;
        memcpy(&e, from, sizeof e);
        copyEntry(&(Cursor){.at = from + sizeof e, .back = true}, &e);
        end -= e.bytes;
    }
}

void ukUndoApply(ukStepper *s)
{
    ukUndoEntries(s);
    for (int j = 0; j < s->joint_count; j++) s->joints[j]->reaction->impulse_step = 0; /* the number is used again */
    restorePlans(s);
}

void ukUndoForget(ukStepper *s)
{
    s->undo.used = s->undo.plans = 0;
}
