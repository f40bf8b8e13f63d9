/* SPDX-License-Identifier: BSD-3-Clause */
/* A moved callback may destroy or attach anything, or leave by an exception: it costs nothing but itself. Whatever else
 * of the user's is called may leave likewise, and then the step has not been. Ending the thread unwinds the stack as a
 * C++ exception does. */
#include <pthread.h>
#include <string.h>

#include <ukode/ukode.h>

#include "solvers/base/status.h"
#include "tests/check.h"
#include "tests/support/body_state.h"

enum { Bodies = 6 };

/* six bodies in three islands, each a pair on a hinge; ODE walks the newest first, and so calls the last one's */
typedef struct Scene {
    dWorldID world;
    dBodyID body[Bodies];
    dJointID hinge[Bodies / 2];
    ukConstraintID constraint; /* on the oldest two */
    ukForceID force;
} Scene;

static int rail(const struct ukConstraintContext *context, dReal *A, dReal *b, void *data)
{
    (void)context, (void)data;
    A[1] = 1;
    b[0] = 0;
    return 0;
}

static int push(const struct ukConstraintContext *context, dReal *force, void *data)
{
    (void)data;
    force[0] = 1 - context->bodies[0].velocity[0];
    return 0;
}

static Scene make(void)
{
    Scene s = {.world = dWorldCreate()};
    dWorldSetGravity(s.world, 0, 0, -9.81);
    for (int i = 0; i < Bodies; i++) {
        s.body[i] = dBodyCreate(s.world);
        dBodySetPosition(s.body[i], i, i / 2, 0);
        dBodySetAngularVel(s.body[i], 0, 0.1 * i, 0.2);
    }
    for (int i = 0; i < Bodies / 2; i++) {
        s.hinge[i] = dJointCreateHinge(s.world, 0);
        dJointAttach(s.hinge[i], s.body[2 * i], s.body[2 * i + 1]);
        dJointSetHingeAnchor(s.hinge[i], 2 * i + 0.5, i, 0);
        dJointSetHingeAxis(s.hinge[i], 0, 1, 0);
    }
    s.constraint = ukConstraintCreate(s.world, 1, s.body, 2, rail, NULL);
    s.force = ukForceCreate(s.world, s.body + 2, 1, push, NULL);
    CHECK(s.constraint && s.force);
    return s;
}

static bool same(dBodyID a, dBodyID b)
{
    const BodyState x = bodyStateOf(a), y = bodyStateOf(b);
    return memcmp(&x, &y, sizeof x) == 0;
}

static Scene *now; /* of the callback */
static void (*act)(Scene *);

static void once(dBodyID body)
{
    void (*const what)(Scene *) = act;
    (void)body;
    act = NULL;
    if (what) what(now);
}

/* Steps a scene whose first callback does `what`, beside one in which `what` is done between steps, before (`first`:
 * it concerns islands that are still to come) or after; bodies from `from` on, less `gone`, are the same then. */
static void compared(void (*what)(Scene *), bool first, int from, int gone)
{
    Scene a = make(), b = make();
    for (int i = 0; i < 3; i++) CHECK(ukWorldStep(a.world, 0.01) == 1 && ukWorldStep(b.world, 0.01) == 1);
    dBodySetMovedCallback(a.body[5], once);
    now = &a;
    act = what;
    CHECK(ukWorldStep(a.world, 0.01) == 1 && !act);
    if (first) what(&b);
    CHECK(ukWorldStep(b.world, 0.01) == 1);
    if (!first) what(&b);
    for (int i = from; i < Bodies; i++) CHECK(i == gone || same(a.body[i], b.body[i]));
    for (int k = 0; k < 3; k++) CHECK(ukWorldStep(a.world, 0.01) == 1 && ukWorldStep(b.world, 0.01) == 1);
    for (int i = from; i < Bodies; i++) CHECK(i == gone || same(a.body[i], b.body[i]));
    ukReport report;
    CHECK(ukWorldGetReport(a.world, &report) == 0 && report.ok);
    dWorldDestroy(a.world);
    dWorldDestroy(b.world);
}

static void ownHinge(Scene *s)
{
    dJointDestroy(s->hinge[2]);
}

static void ownBody(Scene *s)
{
    dBodyDestroy(s->body[5]);
}

static void laterHinge(Scene *s)
{
    dJointDestroy(s->hinge[1]);
}

static void laterBody(Scene *s)
{
    dBodyDestroy(s->body[3]);
}

static void laterConstraint(Scene *s)
{
    ukConstraintDestroy(s->constraint);
}

static void laterForce(Scene *s)
{
    ukForceDestroy(s->force);
}

static void attachedElsewhere(Scene *s)
{
    dJointAttach(s->hinge[1], s->body[2], 0);
}

static void allLater(Scene *s)
{
    for (int i = 0; i < 4; i++) dBodyDestroy(s->body[i]);
    dJointDestroy(s->hinge[0]);
    dJointDestroy(s->hinge[1]);
}

/* across islands: in this step neither holds the joint */
static void attachedAcross(Scene *s)
{
    dJointAttach(s->hinge[1], s->body[2], s->body[5]);
}

static void created(Scene *s)
{
    for (int i = 0; i < 100; i++) {
        const dBodyID b = dBodyCreate(s->world);
        const dJointID ball = dJointCreateBall(s->world, 0);
        dJointAttach(ball, b, 0);
        dBodySetPosition(b, 100 + i, 0, 0);
    }
}

static void destroying(void)
{
    compared(ownHinge, false, 0, -1);
    compared(ownBody, false, 0, 5);
    compared(laterHinge, true, 0, -1);
    compared(laterBody, true, 0, 3);
    compared(laterConstraint, true, 0, -1);
    compared(laterForce, true, 0, -1);
    compared(attachedElsewhere, true, 0, -1);
    compared(allLater, true, 4, -1);
    compared(created, false, 0, -1);

    Scene s = make();
    dBodySetMovedCallback(s.body[5], once);
    now = &s;
    act = attachedAcross;
    for (int i = 0; i < 10; i++) CHECK(ukWorldStep(s.world, 0.01) == 1);
    dWorldDestroy(s.world);
}

static void wholeWorld(Scene *s)
{
    dWorldDestroy(s->world);
}

static void again(Scene *s)
{
    CHECK(ukWorldStep(s->world, 0.01) == 0 && ukGetLastError() == ukErrorChanged);
}

static void world(void)
{
    Scene s = make();
    dBodySetMovedCallback(s.body[5], once);
    now = &s;
    act = again;
    CHECK(ukWorldStep(s.world, 0.01) == 1);
    act = wholeWorld;
    CHECK(ukWorldStep(s.world, 0.01) == 0 && ukGetLastError() == ukErrorChanged);
    CHECK(ukWorldStep(s.world, 0.01) == 0 && ukGetLastError() == ukErrorHandle);
}

/* ---- leaving ----------------------------------------------------------------------------------------------------- */

static bool leaving;

static void leave(void)
{
    if (!leaving) return;
    leaving = false;
    pthread_exit(NULL);
}

static void leaveMoved(dBodyID body)
{
    (void)body;
    leave();
}

static int leaveForce(const struct ukConstraintContext *context, dReal *force, void *data)
{
    leave();
    return push(context, force, data);
}

static int leaveConstraint(const struct ukConstraintContext *context, dReal *A, dReal *b, void *data)
{
    leave();
    return rail(context, A, b, data);
}

static int noError(const struct ukConstraintContext *context, dReal *phi, dReal *psi, void *data)
{
    (void)data;
    phi[0] = NAN;
    psi[0] = context->bodies[0].velocity[1];
    return 0;
}

static void leaveLaw(const struct ukNonIdealContext *context, dReal force[2][6], void *data)
{
    (void)context, (void)force, (void)data;
    leave();
}

enum { Step, Evaluate, Audit };

typedef struct Errand {
    Scene *scene;
    int what;
    bool came_back;
} Errand;

static void *run(void *data)
{
    Errand *e = data;
    ukAudit audit;
    dAllocateODEDataForThread(dAllocateFlagCollisionData);
    leaving = true;
    if (e->what == Step)
        ukWorldStep(e->scene->world, 0.01);
    else if (e->what == Evaluate)
        ukWorldEvaluate(e->scene->world);
    else
        ukConstraintAudit(e->scene->constraint, &audit);
    e->came_back = true;
    return NULL;
}

static void leaves(Scene *s, int what)
{
    Errand e = {.scene = s, .what = what};
    pthread_t thread;
    CHECK(pthread_create(&thread, NULL, run, &e) == 0 && pthread_join(thread, NULL) == 0);
    CHECK(!e.came_back && !leaving);
}

/* a user's function leaves: the step has not been, and the next one is that of a world where it stayed */
static void functions(void)
{
    for (int k = 0; k < 16; k++) {
        const ukIntegrator integrator = k & 1 ? ukIntegratorRK4 : ukIntegratorEuler;
        Scene a = make(), b = make();
        Scene *const both[] = {&a, &b};
        for (int i = 0; i < 2; i++) {
            Scene *s = both[i];
            ukWorldSetIntegrator(s->world, integrator);
            ukWorldSetLedger(s->world, 1);
            ukConstraintDestroy(s->constraint);
            s->constraint = ukConstraintCreate(s->world, 1, s->body, 2, k & 2 ? leaveConstraint : rail, NULL);
            CHECK(ukConstraintSetError(s->constraint, noError, NULL) == 0);
            if ((k & 6) == 4) ukForceCreate(s->world, s->body, 1, leaveForce, NULL);
            if ((k & 6) == 0) CHECK(ukJointSetNonIdeal(s->hinge[0], leaveLaw, NULL) == 0);
            CHECK(ukWorldStep(s->world, 0.01) == 1);
        }
        leaves(&a, k & 8 ? Evaluate : Step);
        for (int i = 0; i < Bodies; i++) CHECK(same(a.body[i], b.body[i]));
        if (k & 2) leaves(&a, Audit);
        for (int i = 0; i < 5; i++) CHECK(ukWorldStep(a.world, 0.01) == 1 && ukWorldStep(b.world, 0.01) == 1);
        for (int i = 0; i < Bodies; i++) CHECK(same(a.body[i], b.body[i]));
        CHECK(ukWorldGetTime(a.world) == ukWorldGetTime(b.world));
        dWorldDestroy(a.world);
        dWorldDestroy(b.world);
    }
}

/* A moved callback leaves: as with ODE, what was written stays, the rest has not moved; the next step works. */
static void callback(void)
{
    Scene a = make(), b = make();
    dBodySetMovedCallback(a.body[2], leaveMoved);
    const BodyState before[] = {bodyStateOf(a.body[0]), bodyStateOf(a.body[1])};
    CHECK(ukWorldStep(b.world, 0.01) == 1);
    leaves(&a, Step);
    CHECK(same(a.body[4], b.body[4]) && same(a.body[5], b.body[5]));
    CHECK(memcmp(dBodyGetPosition(a.body[2]), dBodyGetPosition(b.body[2]), 3 * sizeof(dReal)) == 0);
    for (int i = 0; i < 2; i++) {
        const BodyState after = bodyStateOf(a.body[i]);
        CHECK(memcmp(&after, &before[i], sizeof after) == 0);
    }
    for (int i = 0; i < 10; i++) CHECK(ukWorldStep(a.world, 0.01) == 1);
    dWorldDestroy(a.world);
    dWorldDestroy(b.world);
}

int main(void)
{
    dInitODE2(0);
    dAllocateODEDataForThread(dAllocateFlagCollisionData);
    destroying();
    world();
    functions();
    callback();
    dCloseODE();
    return ukTestEnd();
}
