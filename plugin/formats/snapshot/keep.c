/* SPDX-License-Identifier: BSD-3-Clause */
#include "plugin/formats/snapshot/keep.h"

#include <string.h>

#include "bridge/base/contact_memory.h"
#include "bridge/base/log.h"
#include "bridge/island/placed.h"
#include "bridge/island/stepper.h"
#include "bridge/joints/class.h"
#include "bridge/results/ledger.h"
#include "bridge/step/plans.h"
#include "bridge/watch/discover.h"
#include "plugin/formats/snapshot/body.h"
#include "plugin/formats/snapshot/contacts.h"
#include "plugin/formats/snapshot/digest.h"
#include "plugin/formats/snapshot/element.h"
#include "plugin/formats/snapshot/joint.h"
#include "plugin/formats/snapshot/law.h"
#include "plugin/formats/snapshot/names.h"
#include "plugin/formats/snapshot/spaces.h"
#include "plugin/formats/snapshot/world.h"
#include "solvers/base/status.h"

/* A restore or a save in progress; the check allocates objects, which the world receives if the check succeeds. */
typedef struct Keep {
    ukWorld *world;
    ukNames names;
    ukIslandSolvers solvers; /* a save: the world's own */
    ukKeptParts parts;
    bool ledger_created, contacts_match;
} Keep;

/* ---- the records ------------------------------------------------------------------------------------------------- */

/* Compares what the program must have created again, in ODE's order: bodies, joints, users' constraints and forces, the
 * attachments, and the order of the joints of each body, which is that of the islands. */
static void compareStructure(ukTape *t, Keep *k)
{
    const ukWorld *const world = k->world;
    uint64_t joints = 0, number = 0;
    for (const ukJoint *j = world->oldest_joint; j; j = j->newer) joints += !ukIsContact(j);
    if (!ukTapeSame(t, (uint64_t)world->body_count, "the number of bodies of world", 1) ||
        !ukTapeSame(t, joints, "the number of joints of world", 1) ||
        !ukTapeSame(t, (uint64_t)world->element_count, "the number of user constraints and forces of world", 1))
        return;
    for (const ukJoint *j = world->oldest_joint; j; j = j->newer) {
        if (ukIsContact(j)) continue;
        number++;
        ukTapeSame(t, ukNamesNumber(&k->names, j->body[0]), "the first body of joint", number);
        ukTapeSame(t, ukNamesNumber(&k->names, j->body[1]), "the second body of joint", number);
        ukTapeSame(t, j->body[0] && j->reverse, "whether the static world comes first in joint", number);
    }
    number = 0;
    for (const ukBody *b = world->oldest_body; b; b = b->newer) {
        uint64_t order = ++number;
        for (const ukJointNode *n = b->first_joint; n; n = n->next)
            if (!ukIsContact(n->joint)) order = ukDigestMix(order ^ ukNamesNumber(&k->names, n->joint));
        ukTapeSame(t, order, "the order of attachment of the joints of body", number);
    }
}

/* Transfers the reactions of contact joints, which are created again in every step: they are restored if the present
 * ones connect the same bodies in the same order; otherwise contacts start without reactions. */
static void contactJoints(ukTape *t, Keep *k)
{
    ukJoint *j = k->world->oldest_joint;
    uint64_t here = 0;
    for (const ukJoint *c = j; c; c = c->newer) here += ukIsContact(c);
    const size_t count = ukTapeCount(t, here, 16, "contact joints");
    if (t->mode != ukTapeRead) k->contacts_match = count == here;
    for (size_t i = 0; i < count; i++) {
        while (j && !ukIsContact(j)) j = j->newer;
        for (int side = 0; side < 2; side++) {
            const uint64_t body = ukNamesNumber(&k->names, j ? j->body[side] : NULL);
            const uint64_t then = ukTapeWord(t, body);
            if (t->mode != ukTapeRead) k->contacts_match &= then == body;
        }
        ukKeepReaction(t, k->contacts_match ? j : NULL);
        if (j) j = j->newer;
    }
    if (t->mode != ukTapeRead || k->contacts_match) return;
    for (j = k->world->oldest_joint; j; j = j->newer)
        if (ukIsContact(j)) j->reaction->rows = 0;
}

static void transferWorld(ukTape *t, Keep *k)
{
    ukWorld *const world = k->world;
    uint64_t number = 0;
    t->at = ukKeepHeader;
    compareStructure(t, k);
    if (t->status != ukOk) return;
    ukKeepWorld(t, world, &k->ledger_created);
    for (ukBody *b = world->oldest_body; b; b = b->newer) ukKeepBody(t, b);
    for (ukJoint *j = world->oldest_joint; j && t->status == ukOk; j = j->newer)
        if (!ukIsContact(j)) ukKeepJoint(t, j, ++number);
    number = 0;
    for (ukElement *e = world->oldest_element; e && t->status == ukOk; e = e->newer)
        ukKeepElement(t, e, ++number, &k->names, &k->parts);
    if (t->status != ukOk) return;
    contactJoints(t, k);
    ukKeepContacts(t, k->solvers.contacts, &k->names);
    ukKeepPlans(t, &k->solvers);
    ukKeepSpaces(t, &k->names);
}

/* ---- the bytes --------------------------------------------------------------------------------------------------- */

static int refuseKeep(int status, const char *what)
{
    return ukErrorSet(status, "saved state: %s", what);
}

/* ---- the door ---------------------------------------------------------------------------------------------------- */

static int beginKeep(Keep *k, ukWorld *world, bool numbered, ukJournal *geoms)
{
    *k = (Keep){.world = world};
    if (ukWorldWithinStep(world))
        return refuseKeep(ukErrorChanged, "the world is being stepped (called from a callback)");
    if (world->lost > 0) return refuseKeep(ukErrorMemory, "bodies or joints of the world are not recorded");
    int status = world->attached ? ukDiscoverJoints(world) : ukOk;
    if (status == ukOk && !ukStepperOf(world)) status = ukErrorMemory;
    const bool named =
        status == ukOk && (numbered ? ukNamesBeginNumbered(&k->names, world, geoms) : ukNamesBegin(&k->names, world));
    if (status == ukOk && !named) status = ukErrorMemory;
    return status == ukOk ? ukOk : refuseKeep(status, "no memory");
}

static size_t saveWorld(ukWorld *world, ukJournal *geoms, void *buffer, size_t size)
{
    Keep k;
    size_t need = 0;
    if (beginKeep(&k, world, geoms != NULL, geoms) == ukOk) {
        k.solvers = world->stepper->solvers;
        ukTape t = {.mode = ukTapeMeasure};
        transferWorld(&t, &k);
        need = t.at;
        if (buffer && size >= need) {
            const uint64_t header[] = {ukKeepMagic, ukKeepVersion, need};
            t = (ukTape){.mode = ukTapeWrite, .to = buffer, .size = need};
            for (int i = 0; i < 3; i++) ukTapeWord(&t, header[i]);
            transferWorld(&t, &k);
            ukKeepChecksum(buffer, need, (unsigned char *)buffer + ukKeepSumAt);
        }
    }
    ukNamesEnd(&k.names);
    return need;
}

size_t ukKeepSave(ukWorld *world, void *buffer, size_t size)
{
    ukPlacedLook(world); /* a reset after the last step is part of the state */
    return saveWorld(world, NULL, buffer, size);
}

size_t ukKeepSaveNumbered(ukWorld *world, ukJournal *geoms, void *buffer, size_t size)
{
    ukPlacedLook(world);
    return saveWorld(world, geoms, buffer, size);
}

static void destroySolvers(ukIslandSolvers *s)
{
    for (int i = 0; i < ukSolverSlots; i++) {
        ukFrictionSolverDestroy(s->friction[i]);
        ukFrictionSolverDestroy(s->pose_friction[i]);
    }
    ukFrictionSolverDestroy(s->ideal_friction);
    ukEqualityDestroy(s->equality);
    ukEqualityDestroy(s->polish);
    ukContactMemoryDestroy(s->contacts);
}

/* scratch stays where it is */
static void exchangeSolvers(ukIslandSolvers *x, ukIslandSolvers *y)
{
    const ukIslandSolvers old = *x;
    memcpy(x->friction, y->friction, sizeof x->friction);
    memcpy(x->pose_friction, y->pose_friction, sizeof x->pose_friction);
    x->motion = y->motion = (ukMotionFactor){.serves = false};
    x->equality = y->equality, x->ideal_friction = y->ideal_friction, x->polish = y->polish, x->contacts = y->contacts;
    memcpy(y->friction, old.friction, sizeof y->friction);
    memcpy(y->pose_friction, old.pose_friction, sizeof y->pose_friction);
    y->equality = old.equality, y->ideal_friction = old.ideal_friction, y->polish = old.polish,
    y->contacts = old.contacts;
}

/* Checks a state without a change to the world. */
static int checkState(Keep *k, const void *buffer, size_t size)
{
    ukTape t = {.mode = ukTapeCheck, .from = buffer, .size = size};
    k->solvers.equality = ukEqualityCreate();
    k->solvers.contacts = ukContactMemoryCreate();
    if (!k->solvers.equality || !k->solvers.contacts) return refuseKeep(ukErrorMemory, "no memory");
    transferWorld(&t, k);
    if (t.status == ukOk && t.at != size) return refuseKeep(ukErrorArgument, "it is longer than its contents");
    return t.status;
}

/* Reads the checked state into the world. Cannot fail: the check has allocated all memory. */
static void readKeptState(Keep *k, const void *buffer, size_t size)
{
    ukWorld *const world = k->world;
    ukStepper *const s = world->stepper;
    ukTape t = {.mode = ukTapeRead, .from = buffer, .size = size};
    transferWorld(&t, k);
    exchangeSolvers(&s->solvers, &k->solvers);
    s->graph = 0; /* islands are searched for, masses read again, and there are no equations of the last step */
    s->solved = false;
    /* bodies and joints are the same, so the diagnosis of the world stays valid */
    const bool current = world->survey.number != 0 && world->survey.printed == world->changes;
    const bool seen = world->survey.seen == world->changes;
    world->changes++;
    if (current) world->survey.printed = world->changes;
    if (seen) world->survey.seen = world->changes;
}

static int restoreKeptWorld(ukWorld *world, bool numbered, const void *buffer, size_t size)
{
    Keep k = {.world = world};
    int status = ukKeepWhole(buffer, size);
    if (status == ukOk) status = beginKeep(&k, world, numbered, NULL);
    if (status == ukOk) status = checkState(&k, buffer, size);
    if (status == ukOk) readKeptState(&k, buffer, size);
    if (status == ukOk) ukPlacedLeft(world);
    ukKeepLawsMade(world, status == ukOk);
    if (status != ukOk && k.ledger_created) ukLedgerSwitch(world, false);
    destroySolvers(&k.solvers);
    ukKeptPartsFree(&k.parts);
    ukNamesEnd(&k.names);
    return status;
}

int ukKeepRestore(ukWorld *world, const void *buffer, size_t size)
{
    return restoreKeptWorld(world, false, buffer, size);
}

int ukKeepRestoreNumbered(ukWorld *world, const void *buffer, size_t size)
{
    return restoreKeptWorld(world, true, buffer, size);
}

void ukKeepHash(const ukWorld *world, unsigned char hash[16])
{
    ukDigest digest = ukDigestBegin();
    ukDigestReals(&digest, &world->settings.time, 1);
    for (const ukBody *b = world->oldest_body; b; b = b->newer)
        if (b->handle) ukKeepBodyDigest(&digest, b);
    for (const ukJoint *j = world->oldest_joint; j; j = j->newer)
        if (j->handle) ukKeepJointDigest(&digest, j);
    ukDigestEnd(&digest, hash);
}
