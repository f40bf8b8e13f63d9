/* SPDX-License-Identifier: BSD-3-Clause */
/* What a world says of its joints in the log when it has come to rest: ranks, reactions that are not unique, what is in
 * conflict, users' constraints by name, and when it is too large to be asked. */
#include <string.h>
#include <unistd.h>

#include <ukode/ukode.h>

#include "bridge/base/log.h"
#include "demos/scenes.h"
#include "tests/check.h"
#include "tests/support/plain_world.h"

static char text[65536];

/* the log of so many steps; between them, the state is saved and restored where `restores` */
static void listenTo(dWorldID world, int steps, bool restores)
{
    static char state[1 << 16];
    int ends[2];
    const int saved = dup(STDERR_FILENO);
    if (!CHECK(pipe(ends) == 0)) return;
    dup2(ends[1], STDERR_FILENO);
    ukLogSetVerbose(true);
    for (int i = 0; i < steps; i++) {
        ukWorldStep(world, 0.001);
        const size_t size = restores ? ukWorldSave(world, state, sizeof state) : 0;
        CHECK(!restores || (size > 0 && size <= sizeof state && ukWorldRestore(world, state, size) == ukOk));
    }
    ukLogSetVerbose(false);
    dup2(saved, STDERR_FILENO);
    close(ends[1]);
    close(saved);
    const ssize_t n = read(ends[0], text, sizeof text - 1);
    close(ends[0]);
    text[n > 0 ? n : 0] = 0;
}

/* the log of a few steps */
static void listen(dWorldID world)
{
    listenTo(world, 3, false);
}

static int diagnoses(void)
{
    int count = 0;
    for (const char *at = text; (at = strstr(at, "user constraints")); at++) count++;
    return count;
}

static bool says(const char *what)
{
    if (strstr(text, what)) return true;
    printf("not said: %s\nbut: %s\n", what, text);
    return false;
}

static dJointID hinge(dWorldID w, dBodyID a, dBodyID b, double x, double z)
{
    const dJointID j = dJointCreateHinge(w, NULL);
    dJointAttach(j, a, b);
    dJointSetHingeAnchor(j, x, 0, z);
    dJointSetHingeAxis(j, 0, 0, 1);
    return j;
}

static void unique(void)
{
    const dWorldID w = newWorld(0);
    hinge(w, ball(w, 1, 1, 0, 0), NULL, 0, 0);
    listen(w);
    CHECK(says("bodies 1, joints 1, user constraints 0, rigid rows 5, rank 5"));
    CHECK(says("every reaction is unique; singular values: largest "));
    CHECK(!strstr(text, "conflict") && !strstr(text, "redundant"));
    dWorldDestroy(w);
}

/* a door on two hinges */
static void redundant(void)
{
    const dWorldID w = newWorld(0);
    const dBodyID door = ball(w, 1, 1, 0, 0);
    hinge(w, door, NULL, 0, 0), hinge(w, door, NULL, 0, 1);
    listen(w);
    CHECK(says("rigid rows 10, rank 5"));
    CHECK(says("5 of 10 rows are redundant; singular values: largest "));
    CHECK(says("hinge joint 2: 5 of 5 rows redundant; reaction not unique: force x, force y, force z, torque x"));
    dWorldDestroy(w);
}

/* z' = 1, which the joint beside it forbids */
static int rise(const struct ukConstraintContext *c, dReal *A, dReal *b, void *data)
{
    (void)c, (void)data;
    A[2] = 1;
    b[0] = 0;
    return 0;
}

static int riseError(const struct ukConstraintContext *c, dReal *phi, dReal *psi, void *data)
{
    (void)data;
    phi[0] = 0;
    psi[0] = c->bodies[0].velocity[2] - 1;
    return 0;
}

static void conflict(void)
{
    const dWorldID w = newWorld(0);
    const dBodyID b = ball(w, 1, 0, 0, 0);
    const dJointID fixed = dJointCreateFixed(w, NULL);
    dJointAttach(fixed, b, NULL);
    dJointSetFixed(fixed);
    const ukConstraintID c = ukConstraintCreate(w, 1, &b, 1, rise, NULL);
    CHECK(c != NULL && ukConstraintSetError(c, riseError, NULL) == 0);
    listen(w);
    CHECK(says("user constraints 1, rigid rows 7, rank 6"));
    CHECK(says("conflict: these joints contradict each other in rates by 1 m/s:"));
    CHECK(says("    fixed joint 1") && says("    user constraint 1"));
    dWorldDestroy(w);
}

static void large(void)
{
    Scene *s = sceneByName("chain", 130);
    listen(s->world);
    CHECK(says("rigid rows up to 780"));
    CHECK(says("more than 600 rows are not diagnosed here: call ukWorldDiagnose"));
    sceneDestroy(s);
}

/* A restore changes neither bodies nor joints: no second diagnosis follows it. One follows a change, also among
 * restores. */
static void restored(void)
{
    for (int early = 0; early < 2; early++) {
        const dWorldID w = newWorld(0);
        const dBodyID b = ball(w, 1, 1, 0, 0);
        hinge(w, b, NULL, 0, 0);
        listenTo(w, early ? 40 : 15, early);
        CHECK(diagnoses() == 1);
        listenTo(w, 40, true);
        CHECK(diagnoses() == 0);
        hinge(w, b, NULL, 0, 1);
        listenTo(w, 40, true);
        CHECK(diagnoses() == 1 && says("5 of 10 rows are redundant"));
        dWorldDestroy(w);
    }
}

int main(void)
{
    dInitODE2(0);
    unique();
    redundant();
    conflict();
    large();
    restored();
    dCloseODE();
    return ukTestEnd();
}
