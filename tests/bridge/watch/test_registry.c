/* SPDX-License-Identifier: BSD-3-Clause */
/* The registry mirrors ODE: random creations, attachments and destructions, compared after every call with what ODE
 * itself tells; reuse of addresses; groups; worlds that go while their joints stay; worlds nobody watched. */
#include <string.h>

#include "bridge/joints/class.h"
#include "bridge/ode/ode.h"
#include "bridge/watch/discover.h"
#include "bridge/watch/watch.h"
#include "bridge/world/registry.h"
#include "bridge/world/sleep.h"
#include "solvers/base/status.h"
#include "tests/check.h"
#include "tests/support/random_world.h"

/* ---- random life against a plain list ---------------------------------------------------------------------------- */

enum { MaxBodies = 12, MaxJoints = 40, Groups = 3 };

typedef struct Life {
    dWorldID world;
    dJointGroupID group[Groups]; /* the first stays NULL: ungrouped */
    int bodies, joints;
    dBodyID body[MaxBodies]; /* in order of creation */
    dJointID joint[MaxJoints];
    int in_group[MaxJoints];
} Life;

static void forgetJoint(Life *l, int k)
{
    l->joints--;
    memmove(l->joint + k, l->joint + k + 1, (size_t)(l->joints - k) * sizeof *l->joint);
    memmove(l->in_group + k, l->in_group + k + 1, (size_t)(l->joints - k) * sizeof *l->in_group);
}

static void createJoint(Life *l, Random *r)
{
    if (l->joints == MaxJoints) return;
    const int g = randomBelow(r, Groups);
    const dContact contact = {.geom.depth = randomUniform(r, 0, 1)};
    dJointID j = NULL;
    switch (randomBelow(r, 4)) {
    case 0: j = dJointCreateHinge(l->world, l->group[g]); break;
    case 1: j = dJointCreateBall(l->world, l->group[g]); break;
    case 2: j = dJointCreateNull(l->world, l->group[g]); break;
    default:
        j = dJointCreateContact(l->world, l->group[g], &contact);
        CHECK(ukRegistryJoint(j)->contact.depth == contact.geom.depth);
        break;
    }
    l->in_group[l->joints] = g;
    l->joint[l->joints++] = j;
}

static void attachJoint(const Life *l, Random *r)
{
    if (l->joints == 0 || l->bodies < 2) return;
    const int a = randomBelow(r, l->bodies), b = (a + 1 + randomBelow(r, l->bodies - 1)) % l->bodies;
    const int kind = randomBelow(r, 8);
    dJointAttach(l->joint[randomBelow(r, l->joints)], kind == 0 || kind == 3 ? 0 : l->body[a],
                 kind == 1 || kind == 3 ? 0 : l->body[b]);
}

static void act(Life *l, Random *r)
{
    const int what = randomBelow(r, 100);
    if (what < 12 && l->bodies < MaxBodies) {
        l->body[l->bodies++] = dBodyCreate(l->world);
    } else if (what < 17 && l->bodies > 0) {
        const int k = randomBelow(r, l->bodies--);
        dBodyDestroy(l->body[k]);
        memmove(l->body + k, l->body + k + 1, (size_t)(l->bodies - k) * sizeof *l->body);
    } else if (what < 45) {
        createJoint(l, r);
    } else if (what < 88) {
        attachJoint(l, r);
    } else if (what < 97 && l->joints > 0) {
        const int k = randomBelow(r, l->joints);
        dJointDestroy(l->joint[k]); /* without effect on a grouped one */
        if (l->in_group[k] == 0) forgetJoint(l, k);
    } else if (what < 99) {
        const int g = 1 + randomBelow(r, Groups - 1);
        dJointGroupEmpty(l->group[g]);
        for (int k = l->joints - 1; k >= 0; k--)
            if (l->in_group[k] == g) forgetJoint(l, k);
    }
}

static bool bodyMirrors(dBodyID handle)
{
    const ukBody *body = ukRegistryBody(handle);
    int count = 0;
    for (const ukJointNode *n = body->first_joint, *newer = NULL; n; newer = n, n = n->next, count++)
        if (n->joint->body[n - n->joint->node] != body || n->prev != newer ||
            n->joint->handle != dBodyGetJoint(handle, count))
            return false;
    return count == dBodyGetNumJoints(handle) && count == body->joint_count && body->handle == handle;
}

static bool jointMirrors(dJointID handle)
{
    const ukJoint *joint = ukRegistryJoint(handle);
    const dBodyID first = dJointGetBody(handle, 0), second = dJointGetBody(handle, 1);
    if (joint->handle != handle || joint->class->type != dJointGetType(handle)) return false;
    if ((joint->body[0] != NULL) + (joint->body[1] != NULL) != dJointGetNumBodies(handle)) return false;
    if (!joint->body[0]) return true;
    if (joint->reverse != (!first && second)) return false;
    return joint->body[0]->handle == (first ? first : second) &&
           (!first || !second || joint->body[1]->handle == second);
}

/* the whole world, lists forwards and backwards */
static bool mirrors(const Life *l)
{
    const ukWorld *world = ukRegistryWorld(l->world);
    if (world->body_count != l->bodies || world->joint_count != l->joints) return false;
    const ukBody *body = world->oldest_body;
    for (int i = 0; i < l->bodies; i++, body = body->newer)
        if (!body || body->handle != l->body[i] || !bodyMirrors(l->body[i])) return false;
    if (body) return false;
    body = world->newest_body;
    for (int i = l->bodies; i-- > 0; body = body->older)
        if (!body || body->handle != l->body[i]) return false;
    const ukJoint *joint = world->oldest_joint;
    uint64_t serial[2] = {0}; /* contacts count apart */
    for (int i = 0; i < l->joints; i++, joint = joint->newer) {
        if (!joint || joint->handle != l->joint[i] || !jointMirrors(l->joint[i])) return false;
        uint64_t *last = &serial[ukIsContact(joint)];
        if (joint->serial <= *last) return false;
        *last = joint->serial;
    }
    if (joint) return false;
    joint = world->newest_joint;
    for (int i = l->joints; i-- > 0; joint = joint->older)
        if (!joint || joint->handle != l->joint[i]) return false;
    return true;
}

static void randomLife(uint64_t seed)
{
    Random random = {seed};
    Life l = {.world = dWorldCreate(), .group = {NULL, dJointGroupCreate(0), dJointGroupCreate(0)}};
    for (int step = 0; step < 400; step++) {
        act(&l, &random);
        if (!CHECK(mirrors(&l))) return;
    }
    dJointGroupEmpty(l.group[1]);
    dWorldDestroy(l.world); /* some joints of group 2 stay, detached */
    CHECK(!ukRegistryWorld(l.world));
    for (int k = 0; k < l.joints; k++) {
        const ukJoint *joint = ukRegistryJoint(l.joint[k]);
        if (l.in_group[k] == 2)
            CHECK(joint && !joint->world && !joint->body[0] && dJointGetNumBodies(l.joint[k]) == 0);
        else
            CHECK(!joint);
    }
    for (int i = 0; i < l.bodies; i++) CHECK(!ukRegistryBody(l.body[i]));
    dJointGroupDestroy(l.group[1]);
    dJointGroupDestroy(l.group[2]);
    for (int k = 0; k < l.joints; k++) CHECK(!ukRegistryJoint(l.joint[k]));
}

/* ---- what counts as a change ------------------------------------------------------------------------------------- */

static void changesAreCounted(void)
{
    const dWorldID w = dWorldCreate();
    const dJointGroupID group = dJointGroupCreate(0);
    const ukWorld *world = ukRegistryWorld(w);
    CHECK(world->changes == 1);
    const dBodyID a = dBodyCreate(w), b = dBodyCreate(w);
    const dJointID hinge = dJointCreateHinge(w, 0);
    const dContact contact = {.geom.depth = 1};
    dMass mass;
    dMassSetSphereTotal(&mass, 1, 1);

#define COUNTS(call) (before = world->changes, (call), world->changes > before)
#define DESTROYS(call) (before = world->destructions, (call), world->destructions > before)
    uint64_t before = 0;
    CHECK(COUNTS(dJointAttach(hinge, a, b)));
    CHECK(COUNTS(dJointAttach(hinge, a, 0)));
    CHECK(DESTROYS(dJointAttach(hinge, a, b)));
    CHECK(COUNTS(dJointDisable(hinge)));
    CHECK(COUNTS(dJointEnable(hinge)));
    CHECK(COUNTS(dBodySetMass(a, &mass)));
    CHECK(COUNTS(dBodySetKinematic(a)));
    CHECK(COUNTS(dBodySetDynamic(a)));
    CHECK(COUNTS(dBodyDisable(a)));
    CHECK(COUNTS(dBodyEnable(a)));
    CHECK(COUNTS(dBodyCreate(w)));
    /* what changes nothing is none, however often a program says it */
    dBodySetAutoDisableFlag(a, 1);
    CHECK(!COUNTS((dBodyEnable(a), dBodySetMass(a, &mass), dBodySetDynamic(a))));
    CHECK(!COUNTS((dJointEnable(hinge), dBodySetAutoDisableFlag(a, 0))));
    dBodyDisable(a), dBodySetKinematic(a), dJointDisable(hinge);
    CHECK(!COUNTS((dBodyDisable(a), dBodySetKinematic(a), dJointDisable(hinge))));
    CHECK(COUNTS(dBodySetAutoDisableFlag(a, 0))); /* it wakes */
    /* contacts come and go every step: only their end is counted, and only there */
    dJointID c = NULL;
    CHECK(!COUNTS(c = dJointCreateContact(w, group, &contact)));
    CHECK(!COUNTS(dJointAttach(c, a, b)));
    CHECK(!DESTROYS(c = dJointCreateContact(w, group, &contact)));
    CHECK(!COUNTS(dJointGroupEmpty(group)));
    dJointCreateContact(w, group, &contact);
    CHECK(DESTROYS(dJointGroupEmpty(group)));
    CHECK(COUNTS(dJointDestroy(hinge)));
    CHECK(DESTROYS(dBodyDestroy(b)));
    CHECK(COUNTS(dBodyDestroy(a)));
#undef COUNTS
#undef DESTROYS
    dJointGroupDestroy(group);
    dWorldDestroy(w);
}

/* ---- objects destroyed while their world steps ------------------------------------------------------------------- */

static void recordsOutliveTheStep(void)
{
    const dWorldID w = dWorldCreate();
    const dBodyID body = dBodyCreate(w), other = dBodyCreate(w);
    const dJointID joint = dJointCreateBall(w, 0);
    dJointAttach(joint, body, other);
    ukWorld *world = ukRegistryWorld(w);
    const ukBody *b = ukRegistryBody(body);
    const ukJoint *j = ukRegistryJoint(joint);
    ukWatchStepBegin(world);
    dJointDestroy(joint);
    dBodyDestroy(body);
    CHECK(!j->handle && !b->handle);
    CHECK(world->body_count == 1 && world->joint_count == 0 && ukRegistryBody(other)->joint_count == 0);
    /* what is created meanwhile gets other records, though ODE may give it the same address */
    CHECK(ukRegistryBody(dBodyCreate(w)) != b);
    CHECK(ukRegistryJoint(dJointCreateBall(w, 0)) != j);
    ukWatchStepEnd(world);
    CHECK(ukRegistryBody(dBodyCreate(w)) == b); /* now it serves again */

    ukWatchStepBegin(world);
    dWorldDestroy(w);
    CHECK(!world->handle && !ukRegistryWorld(w));
    ukWatchStepEnd(world);
}

/* ---- worlds that were not watched
 * ------------------------------------------------------------------------------------ */

typedef struct Unseen {
    dWorldID world;
    dBodyID a, b, c;
    dJointID hinge, ball, between, last;
} Unseen;

/* made behind the registry's back, as a program does that got ODE's functions by dlsym */
static Unseen makeUnseen(void)
{
    Unseen u = {.world = ukOde.dWorldCreate()};
    u.a = ukOde.dBodyCreate(u.world);
    u.b = ukOde.dBodyCreate(u.world);
    u.c = ukOde.dBodyCreate(u.world);
    dBodySetPosition(u.b, 1, 0, 0);
    dBodySetPosition(u.c, 2, 0, 0);
    u.hinge = ukOde.dJointCreateHinge(u.world, 0);
    u.ball = ukOde.dJointCreateBall(u.world, 0);
    ukOde.dJointAttach(u.ball, 0, u.a);
    ukOde.dJointAttach(u.hinge, u.a, u.b);
    ukOde.dJointSetHingeAxis(u.hinge, 0, 0, 1);
    u.between = ukOde.dJointCreateNull(u.world, 0); /* not of a, yet in the middle of b's list */
    ukOde.dJointAttach(u.between, u.b, 0);
    u.last = ukOde.dJointCreateNull(u.world, 0);
    ukOde.dJointAttach(u.last, u.b, u.a);
    return u;
}

static void unseenWorldIsDiscovered(void)
{
    const Unseen u = makeUnseen();
    CHECK(!ukRegistryWorld(u.world) && !ukRegistryJoint(u.hinge));
    CHECK(ukWorldAttach(u.world, (const dBodyID[]){u.a}, 1) == 0);
    ukWorld *world = ukRegistryWorld(u.world);
    CHECK(world && world->attached);
    CHECK(world->body_count == 2 && world->joint_count == 4); /* b is found behind the hinge, c is out of reach */
    CHECK(bodyMirrors(u.a) && bodyMirrors(u.b) && jointMirrors(u.hinge) && jointMirrors(u.ball));
    const ukJoint *hinge = ukRegistryJoint(u.hinge), *ball = ukRegistryJoint(u.ball);
    CHECK(!hinge->observed && hinge->assumed && hinge->stale && !ball->observed && ball->reverse);

    /* unseen changes are found at the next step */
    ukOde.dJointAttach(u.hinge, u.c, u.a);
    const dJointID slider = ukOde.dJointCreateSlider(u.world, 0);
    ukOde.dJointAttach(slider, u.b, u.a);
    ukOde.dJointDestroy(u.ball);
    ukRegistryJoint(u.hinge)->stale = false;
    CHECK(ukDiscoverJoints(world) == 0);
    CHECK(world->body_count == 3 && world->joint_count == 4 && !ukRegistryJoint(u.ball));
    CHECK(bodyMirrors(u.a) && bodyMirrors(u.b) && bodyMirrors(u.c));
    CHECK(jointMirrors(u.hinge) && jointMirrors(slider) && ukRegistryJoint(u.hinge)->stale);

    /* the same address as another type */
    ukOde.dJointDestroy(slider);
    const dJointID again = ukOde.dJointCreateUniversal(u.world, 0);
    ukOde.dJointAttach(again, u.b, u.a);
    CHECK(ukDiscoverJoints(world) == 0);
    CHECK(world->joint_count == 4 && jointMirrors(again) && bodyMirrors(u.a));

    /* seen and unseen joints side by side */
    const dJointID seen = dJointCreateBall(u.world, 0);
    dJointAttach(seen, u.a, u.c);
    CHECK(ukDiscoverJoints(world) == 0);
    CHECK(world->joint_count == 5 && ukRegistryJoint(seen)->observed && !ukRegistryJoint(seen)->assumed);
    CHECK(bodyMirrors(u.a) && bodyMirrors(u.c));
    dWorldDestroy(u.world);
    CHECK(!ukRegistryBody(u.a) && !ukRegistryJoint(u.hinge));
}

/* a refused hand-over leaves what was known, and nothing else */
static void refusedWorldStaysUnknown(void)
{
    const Unseen u = makeUnseen();
    const dWorldID other = dWorldCreate();
    const dBodyID both[2] = {u.a, dBodyCreate(other)}, none[2] = {u.a, NULL};
    CHECK(ukWorldAttach(u.world, both, 2) == ukErrorArgument);
    CHECK(ukWorldAttach(u.world, none, 2) == ukErrorArgument);
    CHECK(ukWorldAttach(u.world, both, -1) == ukErrorArgument);
    CHECK(!ukRegistryWorld(u.world) && !ukRegistryBody(u.a));
    CHECK(ukWorldSetThreads(u.world, 1) == ukErrorHandle && ukWorldStep(u.world, 0.01) == 0);
    CHECK(ukWorldAttach(other, both, 2) == ukErrorArgument);
    CHECK(!ukRegistryWorld(other)->attached && ukRegistryWorld(other)->body_count == 1);
    CHECK(ukWorldAttach(u.world, both, 1) == 0 && ukWorldStep(u.world, 0.01) == 1);
    dWorldDestroy(other);
    dWorldDestroy(u.world);
}

/* objects of a world that is not known pass through, and leave nothing */
static void unknownHandlesAreForwarded(void)
{
    const dWorldID w = ukOde.dWorldCreate();
    const dBodyID body = dBodyCreate(w);
    const dJointID joint = dJointCreateHinge(w, 0);
    dJointAttach(joint, body, 0);
    dJointSetHingeAxis(joint, 0, 0, 1);
    dJointSetHingeParam(joint, dParamVel, 1);
    dBodyDisable(body);
    dBodyEnable(body);
    dBodySetMovedCallback(body, NULL);
    dBodySetAutoDisableAverageSamplesCount(body, 4);
    CHECK(!ukRegistryBody(body) && !ukRegistryJoint(joint));
    CHECK(dWorldStep(w, 0.01) == 1 && dWorldQuickStep(w, 0.01) == 1);
    CHECK(dJointGetHingeParam(joint, dParamVel) == 1);
    dJointDestroy(joint);
    dBodyDestroy(body);
    dWorldDestroy(w);
    CHECK(!ukRegistryWorld(NULL) && !ukRegistryBody(NULL) && !ukRegistryJoint(NULL));
}

/* ---- small things
 * ----------------------------------------------------------------------------------------------------- */

static void movedOnce(dBodyID body)
{
    (void)body;
}

static void recordsWhatOdeHides(void)
{
    const dWorldID w = dWorldCreate();
    dWorldSetAutoDisableSteps(w, 7);
    const dBodyID body = dBodyCreate(w);
    const ukBody *b = ukRegistryBody(body);
    dBodySetMovedCallback(body, movedOnce);
    CHECK(b->moved == movedOnce);
    dBodySetMovedCallback(body, NULL);
    CHECK(!b->moved);
    CHECK(b->sleep.steps_left == 7);
    dBodySetPosition(body, 1, 2, 3);
    dBodyAddForce(body, 4, 5, 6);
    CHECK(b->position[2] == 3 && b->force[1] == 5 && b->quaternion[0] == 1 && b->rotation[5] == 1);
    CHECK(ukRegistryWorld(w)->enabled == ukRegistryEnableByDefault);
    CHECK(!ukRegistryEnableByDefault); /* linked, not preloaded */

    const dJointID hinge = dJointCreateHinge(w, 0);
    dJointAttach(hinge, body, 0);
    ukJoint *joint = ukRegistryJoint(hinge);
    CHECK(ukWorldEvaluate(w) == ukOk && !joint->stale);
    dJointSetHingeParam(hinge, dParamVel, 3); /* robots set it before every step: the rest is known as it was */
    CHECK(!joint->stale && joint->motor[0].vel == 3);
    dJointSetHingeParam(hinge, dParamFMax, 3);
    CHECK(joint->stale);
    dWorldDestroy(w);

    /* the next world at the same address is a new one */
    const dWorldID next = dWorldCreate();
    CHECK(ukRegistryWorld(next)->body_count == 0 && ukRegistryWorld(next)->joint_count == 0);
    dWorldDestroy(next);
}

/* a group that is emptied and filled with the same addresses again and again */
static void contactsReuseAddresses(void)
{
    const dWorldID w = dWorldCreate();
    const dJointGroupID group = dJointGroupCreate(0);
    const dBodyID a = dBodyCreate(w), b = dBodyCreate(w);
    int reused = 0;
    dJointID previous = NULL;
    for (int step = 0; step < 50; step++) {
        for (int i = 0; i < 40; i++) {
            const dContact contact = {.geom.depth = step + 0.01 * i};
            const dJointID c = dJointCreateContact(w, group, &contact);
            if (i == 0) reused += c == previous;
            if (i == 0) previous = c;
            dJointAttach(c, i % 3 ? a : 0, i % 3 == 1 ? 0 : b);
            CHECK(ukRegistryJoint(c)->contact.depth == contact.geom.depth);
        }
        CHECK(ukRegistryWorld(w)->joint_count == 40 && bodyMirrors(a) && bodyMirrors(b));
        dJointGroupEmpty(group);
        CHECK(ukRegistryWorld(w)->joint_count == 0 && bodyMirrors(a) && bodyMirrors(b));
    }
    CHECK(reused > 0); /* or the test tests nothing */
    dJointGroupDestroy(group);
    dWorldDestroy(w);
}

static void ignoreMessage(int number, const char *format, va_list args)
{
    (void)number;
    (void)format;
    (void)args;
}

int main(void)
{
    dInitODE2(0);
    dSetMessageHandler(ignoreMessage); /* ODE mentions each grouped joint that outlives its world */
    for (uint64_t seed = 1; seed <= 60; seed++) randomLife(seed * 104729);
    changesAreCounted();
    recordsOutliveTheStep();
    unseenWorldIsDiscovered();
    refusedWorldStaysUnknown();
    unknownHandlesAreForwarded();
    recordsWhatOdeHides();
    contactsReuseAddresses();
    dCloseODE();
    return ukTestEnd();
}
