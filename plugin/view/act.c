/* SPDX-License-Identifier: BSD-3-Clause */
#include "plugin/view/act.h"

#include <math.h>
#include <stdlib.h>

#include "bridge/base/log.h"
#include "bridge/joints/class.h"
#include "bridge/ode/setter.h"
#include "bridge/user/constraint.h"
#include "bridge/watch/watch.h"
#include "bridge/world/journal.h"
#include "bridge/world/sleep.h"
#include "plugin/formats/inputs/inputs.h"
#include "plugin/formats/recording/recorder.h"
#include "plugin/formats/snapshot/keep.h"
#include "solvers/base/status.h"

/* ---- records of the worlds that viewers change ------------------------------------------------------------------ */

/* The spring between a point of a body and a point of the world. */
typedef struct Drag {
    ukForceID force; /* NULL: none */
    int32_t key;
    int32_t refused;            /* key of the last body that could not be dragged */
    double local[3], target[3]; /* in the body's frame, from its centre of mass; in the world [m] */
} Drag;

typedef struct Viewed {
    const ukWorld *world; /* NULL: free */
    void *state;          /* kept, owned; NULL: none */
    size_t size;
    double gravity[3];                /* as the program set it, while it is off */
    bool weightless, kept_weightless; /* now; in the kept state */
    Drag drag;
} Viewed;

enum { ViewedWorlds = 16 }; /* more are shown, but cannot be changed */
static Viewed viewed[ViewedWorlds];

static Viewed *viewedOf(const ukWorld *world)
{
    for (int i = 0; i < ViewedWorlds; i++)
        if (viewed[i].world == world) return &viewed[i];
    return NULL;
}

static void recordViewerEvent(ukWorld *world, int64_t body, int64_t joint, double value, const char *text)
{
    ukRecorderMark(world, "viewer", body, joint, value, text);
}

static bool allFinite(const double *x, int n)
{
    for (int i = 0; i < n; i++)
        if (!isfinite(x[i])) return false;
    return true;
}

/* ---- drag -------------------------------------------------------------------------------------------------------- */

/* angular frequency of the spring [1/s], with the body's mass, critically damped; lower where steps are long */
static const double drag_frequency = 15, drag_phase = 0.5;

static int pullBody(const ukConstraintContext *context, dReal *force, void *data)
{
    const Drag *const drag = data;
    const ukBodyState *const s = &context->bodies[0];
    const double *const q = s->orientation, *const w = s->spin;
    const double frequency = fmin(drag_frequency, drag_phase / context->stepsize);
    const double k = s->mass * frequency * frequency, c = 2 * s->mass * frequency;
    double r[3], t[3];
    const double *const x = drag->local;
    for (int i = 0; i < 3; i++) { /* r = x + 2 q0 (u x x) + 2 u x (u x x) */
        const int j = (i + 1) % 3, l = (i + 2) % 3;
        t[i] = 2 * (q[1 + j] * x[l] - q[1 + l] * x[j]);
    }
    for (int i = 0; i < 3; i++) {
        const int j = (i + 1) % 3, l = (i + 2) % 3;
        r[i] = x[i] + q[0] * t[i] + q[1 + j] * t[l] - q[1 + l] * t[j];
    }
    for (int i = 0; i < 3; i++) {
        const int j = (i + 1) % 3, l = (i + 2) % 3;
        const double velocity = s->velocity[i] + w[j] * r[l] - w[l] * r[j];
        force[i] = k * (drag->target[i] - s->position[i] - r[i]) - c * velocity;
    }
    for (int i = 0; i < 3; i++) {
        const int j = (i + 1) % 3, l = (i + 2) % 3;
        force[3 + i] = r[j] * force[l] - r[l] * force[j];
    }
    return 0;
}

static void releaseDrag(ukWorld *world, Drag *drag)
{
    struct ukForce *const f = drag->force ? ukForceOf(drag->force) : NULL;
    if (f) {
        ukElementDestroy(&f->element);
        recordViewerEvent(world, drag->key, 0, (double)NAN, "released");
    }
    drag->force = NULL;
    drag->key = 0;
}

static bool dragBody(ukWorld *world, Drag *drag, const ukViewOrder *order)
{
    ukBody *body = world->oldest_body;
    while (body && body->recorded.key != order->key) body = body->newer;
    if (!body || order->key == 0) return false;
    if (!allFinite(order->x, 6)) return true;
    if (!world->enabled || dBodyIsKinematic(body->handle)) { /* a spring has no effect there */
        if (drag->refused != order->key)
            recordViewerEvent(world, order->key, 0, (double)NAN,
                              world->enabled ? "not dragged: a kinematic body"
                                             : "not dragged: ODE's own stepper takes the steps");
        drag->refused = order->key;
        return true;
    }
    if (drag->key != order->key || !drag->force || !ukForceOf(drag->force)) {
        releaseDrag(world, drag);
        struct ukForce *const f = ukForceNew(world, &body, 1, pullBody, drag);
        if (!f) return true;
        drag->force = f->element.handle;
        drag->key = order->key;
        recordViewerEvent(world, order->key, 0, (double)NAN, "dragged");
    }
    for (int i = 0; i < 3; i++) {
        drag->local[i] = order->x[i];
        drag->target[i] = order->x[3 + i];
    }
    return true;
}

/* Enables a body as dBodyEnable does. */
static void wakeBody(ukBody *body)
{
    const bool was = dBodyIsEnabled(body->handle) != 0;
    if (was || !ukOde.dBodyEnable) return;
    ukOde.dBodyEnable(body->handle);
    ukSleepReset(body);
    ukJournalBodyEvent(body, ukEventBodyEnabled);
    ukWatchBodyChanged(body->handle);
}

/* ---- motors and gravity ------------------------------------------------------------------------------------------ */

typedef struct MotorType {
    dJointType type;
    int axes;
    void (*set)(dJointID, int, dReal);
    int setter;
} MotorType;

/* the type's setter of ODE; axes 0: it has no motor */
static MotorType motorTypeOf(const ukJoint *joint)
{
#define MOTOR(name, count)                                                                                             \
    {                                                                                                                  \
        dJointType##name, count, ukOde.dJointSet##name##Param, ukSetter_dJointSet##name##Param                         \
    }
    const MotorType types[] = {MOTOR(Hinge, 1), MOTOR(Slider, 1), MOTOR(Hinge2, 2), MOTOR(Universal, 2), MOTOR(PR, 2),
                               MOTOR(PU, 3),    MOTOR(Piston, 2), MOTOR(AMotor, 3), MOTOR(LMotor, 3)};
#undef MOTOR
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        if (types[i].type == joint->class->type && types[i].set) return types[i];
    return (MotorType){.axes = 0};
}

static bool setMotor(ukWorld *world, const ukViewOrder *order)
{
    static const int parameter[2] = {dParamVel, dParamFMax};
    ukJoint *joint = world->oldest_joint;
    while (joint && (ukIsContact(joint) || joint->key != order->key)) joint = joint->newer;
    if (!joint || order->key == 0) return false;
    const MotorType type = motorTypeOf(joint);
    if (order->axis < 1 || order->axis > type.axes || !allFinite(order->x, 2) || order->x[1] < 0) return true;
    for (int i = 0; i < 2; i++) {
        const int which = parameter[i] + (order->axis - 1) * dParamGroup;
        type.set(joint->handle, which, order->x[i]);
        ukJointNoted(joint->handle,
                     &(ukNote){.setter = type.setter, .kind = ukNoteParam, .i = which, .x = {order->x[i]}});
    }
    for (int k = 0; k < 2; k++)
        if (joint->body[k]) wakeBody(joint->body[k]);
    recordViewerEvent(world, 0, order->key, order->x[0], "motor");
    return true;
}

static void wakeBodies(const ukWorld *world)
{
    for (ukBody *b = world->oldest_body; b; b = b->newer) wakeBody(b);
}

static void setGravity(ukWorld *world, Viewed *v, bool on)
{
    dVector3 g;
    if (on == !v->weightless) return;
    if (on) {
        dWorldSetGravity(world->handle, v->gravity[0], v->gravity[1], v->gravity[2]);
    } else {
        dWorldGetGravity(world->handle, g);
        for (int i = 0; i < 3; i++) v->gravity[i] = g[i];
        dWorldSetGravity(world->handle, 0, 0, 0);
    }
    v->weightless = !on;
    wakeBodies(world);
    recordViewerEvent(world, 0, 0, on, on ? "gravity on" : "gravity off");
}

/* ---- states ------------------------------------------------------------------------------------------------------ */

/* Saves the state without the spring of a drag: a state can be restored only into a world with the same forces. */
static void keepState(ukWorld *world, Viewed *v)
{
    releaseDrag(world, &v->drag);
    const size_t size = ukKeepSave(world, NULL, 0);
    void *const state = size > 0 ? malloc(size) : NULL;
    if (!state || ukKeepSave(world, state, size) != size) {
        free(state);
        return;
    }
    free(v->state);
    v->state = state;
    v->size = size;
    v->kept_weightless = v->weightless;
}

static void restartWorld(ukWorld *world, Viewed *v)
{
    releaseDrag(world, &v->drag);
    if (!v->state) return;
    if (world->journal) ukInputsRestore(world);
    const bool restored = ukKeepRestore(world, v->state, v->size) == ukOk;
    if (world->journal && restored) ukInputsRestored(world);
    if (restored) v->weightless = v->kept_weightless;
    recordViewerEvent(world, 0, 0, (double)NAN, restored ? "restarted" : ukErrorMessage());
}

void ukViewActKeep(ukWorld *world)
{
    Viewed *const v =
        viewedOf(world) ? NULL : viewedOf(NULL); /* the state was saved already, before a first step that failed */
    if (!v) return;
    v->world = world;
    keepState(world, v);
}

bool ukViewAct(ukWorld *world, const ukViewOrder *order)
{
    Viewed *const v = viewedOf(world);
    if (!v) return false;
    switch (order->kind) {
    case ukViewDrag: return dragBody(world, &v->drag, order);
    case ukViewMotor: return setMotor(world, order);
    case ukViewRelease:
        if (v->drag.key == 0 || v->drag.key != order->key) return false;
        releaseDrag(world, &v->drag);
        return true;
    default: break;
    }
    if (order->key != ukRecorderKey(world)) return false;
    if (order->kind == ukViewGravity) setGravity(world, v, order->x[0] != 0);
    if (order->kind == ukViewSave) keepState(world, v);
    if (order->kind == ukViewRestart) restartWorld(world, v);
    return true;
}

int32_t ukViewActDragged(const ukWorld *world)
{
    const Viewed *const v = viewedOf(world);
    return v ? v->drag.key : 0;
}

void ukViewActRelease(ukWorld *world)
{
    Viewed *const v = viewedOf(world);
    if (v) releaseDrag(world, &v->drag);
}

bool ukViewActDragging(void)
{
    for (int i = 0; i < ViewedWorlds; i++)
        if (viewed[i].world && viewed[i].drag.force) return true;
    return false;
}

void ukViewActForget(const ukWorld *world)
{
    Viewed *const v = world ? viewedOf(world) : NULL;
    if (!v) return;
    free(v->state);
    *v = (Viewed){.world = NULL};
}
