/* SPDX-License-Identifier: BSD-3-Clause */
/* What viewers of `ukode view` change: every axis of every type of motor, set in ODE and effective, with both bodies
 * awake; gravity off and on again; a body that is dragged to its target; states kept and restored with the gravity that
 * they had. */
#include <math.h>
#include <unistd.h>

#include <ukode/ukode.h>

#include "bridge/world/registry.h"
#include "plugin/formats/recording/recorder.h"
#include "plugin/formats/recording/sqlite.h"
#include "plugin/view/act.h"
#include "tests/check.h"
#include "tests/support/plain_world.h"

static const double h = 0.01, g = 9.81;

typedef struct Driven {
    const char *name;
    int axes;
    dJointID (*create)(dWorldID, dJointGroupID);
    dReal (*get)(dJointID, int);
} Driven;

static const Driven driven[] = {
    {"hinge", 1, dJointCreateHinge, dJointGetHingeParam},
    {"slider", 1, dJointCreateSlider, dJointGetSliderParam},
    {"hinge2", 2, dJointCreateHinge2, dJointGetHinge2Param},
    {"universal", 2, dJointCreateUniversal, dJointGetUniversalParam},
    {"PR", 2, dJointCreatePR, dJointGetPRParam},
    {"PU", 3, dJointCreatePU, dJointGetPUParam},
    {"piston", 2, dJointCreatePiston, dJointGetPistonParam},
    {"AMotor", 3, dJointCreateAMotor, dJointGetAMotorParam},
    {"LMotor", 3, dJointCreateLMotor, dJointGetLMotorParam},
    {"ball", 0, dJointCreateBall, NULL},
    {"fixed", 0, dJointCreateFixed, NULL},
};

static char path[40];

/* A world that is viewed is recorded: its bodies and joints have the keys that orders name. */
static ukWorld *beginView(dWorldID w)
{
    ukWorld *const world = ukRegistryWorld(w);
    CHECK(ukWorldEnable(w) == 0 && ukWorldRecord(w, path, NULL) == 0);
    ukViewActKeep(world);
    CHECK(dWorldStep(w, h) == 1);
    return world;
}

static void endView(dWorldID w)
{
    ukViewActForget(ukRegistryWorld(w));
    CHECK(ukWorldRecord(w, NULL, NULL) == 0);
    dWorldDestroy(w);
    unlink(path);
}

static void axesOf(dJointID joint)
{
    switch (dJointGetType(joint)) {
    case dJointTypeAMotor:
        dJointSetAMotorNumAxes(joint, 3);
        for (int i = 0; i < 3; i++) dJointSetAMotorAxis(joint, i, 0, i == 0, i == 1, i == 2);
        break;
    case dJointTypeLMotor:
        dJointSetLMotorNumAxes(joint, 3);
        for (int i = 0; i < 3; i++) dJointSetLMotorAxis(joint, i, 0, i == 0, i == 1, i == 2);
        break;
    case dJointTypeFixed: dJointSetFixed(joint); break;
    default: break;
    }
}

static double speedOf(dBodyID body)
{
    const dReal *const v = dBodyGetLinearVel(body), *const w = dBodyGetAngularVel(body);
    return sqrt(dCalcVectorDot3(v, v) + dCalcVectorDot3(w, w));
}

static ukViewOrder orderOf(ukViewKind kind, int64_t key)
{
    return (ukViewOrder){.kind = (int32_t)kind, .key = (int32_t)key};
}

/* One axis of one type; axis 0 and the one after the last change nothing. */
static void motor(const Driven *d, int axis, bool swapped)
{
    const dWorldID w = newWorld(0);
    const dBodyID a = box(w, 1, 0.5, 0, 0), b = box(w, 2, -0.5, 0, 0);
    const dJointID other = dJointCreateBall(w, NULL), joint = d->create(w, NULL);
    const bool is = axis >= 1 && axis <= d->axes;
    dJointAttach(other, box(w, 1, 5, 0, 0), NULL);
    dJointAttach(joint, swapped ? b : a, swapped ? a : b);
    axesOf(joint);
    ukWorld *const world = beginView(w);
    dBodyDisable(a), dBodyDisable(b);
    ukViewOrder order = orderOf(ukViewMotor, ukRegistryJoint(joint)->key);
    order.axis = axis, order.x[0] = 0.75, order.x[1] = 12;
    CHECK(ukViewAct(world, &order));
    for (int k = 1; k <= d->axes; k++) {
        const int group = (k - 1) * dParamGroup;
        if (!CHECK(d->get(joint, dParamVel + group) == (k == axis ? 0.75 : 0))) printf("%s %d\n", d->name, k);
        CHECK(d->get(joint, dParamFMax + group) == (k == axis ? 12 : 0));
    }
    CHECK(dBodyIsEnabled(a) == is && dBodyIsEnabled(b) == is);
    CHECK(dWorldStep(w, h) == 1);
    if (!CHECK((speedOf(a) > 1e-3) == is && (speedOf(b) > 1e-3) == is)) printf("%s %d\n", d->name, axis);
    const double wrong[] = {NAN, INFINITY, -1};
    for (int k = 0; k < 3 && is; k++) {
        order.x[1] = wrong[k];
        CHECK(ukViewAct(world, &order) && d->get(joint, dParamFMax + (axis - 1) * dParamGroup) == 12);
    }
    order.key = 99;
    CHECK(!ukViewAct(world, &order));
    endView(w);
}

static void isGravity(dWorldID w, double z)
{
    dVector3 now;
    dWorldGetGravity(w, now);
    CHECK(now[0] == 0 && now[1] == 0 && now[2] == z);
}

static void act(ukWorld *world, ukViewKind kind, double x)
{
    ukViewOrder order = orderOf(kind, ukRecorderKey(world));
    order.x[0] = x;
    CHECK(ukViewAct(world, &order));
    order.key++;
    CHECK(!ukViewAct(world, &order)); /* another world's */
}

/* Off, off again, on; a body that sleeps wakes up. A state kept before that has the gravity of then. */
static void gravity(void)
{
    const dWorldID w = newWorld(g);
    const dBodyID body = ball(w, 1, 0, 0, 3);
    ukWorld *const world = beginView(w);
    for (int i = 0; i < 2; i++) act(world, ukViewGravity, 0), isGravity(w, 0);
    dBodyDisable(body);
    act(world, ukViewGravity, 1);
    isGravity(w, -g);
    CHECK(dBodyIsEnabled(body));
    CHECK(dWorldStep(w, h) == 1);
    CHECK_NEAR(dBodyGetLinearVel(body)[2], -2 * g * h, 1e-14);

    act(world, ukViewGravity, 0);
    act(world, ukViewSave, 0); /* without gravity */
    act(world, ukViewGravity, 1);
    CHECK(dWorldStep(w, h) == 1);
    act(world, ukViewRestart, 0);
    isGravity(w, 0);
    CHECK_NEAR(dBodyGetLinearVel(body)[2], -2 * g * h, 1e-14);
    act(world, ukViewGravity, 1); /* it is off in the state, so that it can be put on */
    isGravity(w, -g);
    act(world, ukViewSave, 0); /* with gravity */
    act(world, ukViewGravity, 0);
    act(world, ukViewRestart, 0);
    isGravity(w, -g);
    act(world, ukViewGravity, 0);
    isGravity(w, 0);
    endView(w);
}

/* A point of a body, off its centre, is drawn to its target and rests there; the body turns below it. */
static void drag(void)
{
    const dWorldID w = newWorld(g);
    const dBodyID body = box(w, 2, 0, 0, 0);
    const double local[3] = {0.2, 0, 0.1}, target[3] = {0.3, -0.2, 0.5};
    dBodySetAngularDamping(body, 0.02);
    ukWorld *const world = beginView(w);
    const int32_t key = (int32_t)ukRegistryBody(body)->recorded.key;
    ukViewOrder order = orderOf(ukViewDrag, key);
    for (int i = 0; i < 3; i++) order.x[i] = local[i], order.x[3 + i] = target[i];
    CHECK(key > 0 && ukViewAct(world, &order) && ukViewActDragged(world) == key && ukViewActDragging());
    for (int i = 0; i < 3000; i++) CHECK(dWorldStep(w, h) == 1);
    dVector3 point;
    dBodyGetRelPointPos(body, local[0], local[1], local[2], point);
    CHECK_NEAR(point[0], target[0], 1e-3);
    CHECK_NEAR(point[1], target[1], 1e-3);
    CHECK_NEAR(point[2], target[2] - g / (15 * 15), 1e-3); /* m g on a spring of m (15 1/s)^2 */
    CHECK_NEAR(dBodyGetPosition(body)[2], point[2] - hypot(local[0], local[2]), 1e-3);
    CHECK(speedOf(body) < 1e-2);
    order.kind = ukViewRelease;
    CHECK(ukViewAct(world, &order) && ukViewActDragged(world) == 0 && !ukViewActDragging());
    const double before = dBodyGetLinearVel(body)[2];
    CHECK(dWorldStep(w, h) == 1);
    CHECK_NEAR(dBodyGetLinearVel(body)[2] - before, -g * h, 1e-12);
    endView(w);
}

int main(void)
{
    dInitODE2(0);
    snprintf(path, sizeof path, "act.%ld.ukode", (long)getpid());
    if (!ukSqliteReady()) return printf("skipped: %s\n", UKODE_SQLITE_MISSING), 77;
    for (size_t i = 0; i < sizeof driven / sizeof *driven; i++)
        for (int axis = 0; axis <= 4; axis++)
            for (int swapped = 0; swapped < 2; swapped++) motor(&driven[i], axis, swapped);
    gravity();
    drag();
    dCloseODE();
    return ukTestEnd();
}
