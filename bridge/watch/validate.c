/* SPDX-License-Identifier: BSD-3-Clause */
#include "bridge/watch/validate.h"

#ifdef UKODE_VALIDATE
#include <math.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

#include "bridge/base/log.h"
#include "bridge/island/stepper.h"
#include "bridge/joints/class.h"
#include "bridge/joints/table.h"
#include "bridge/world/registry.h"

/* Getters answer in the world's frame: what comes back from there has been rounded twice, by the size of the pose. */
static const double rounding = 1e-8;
enum { MostReported = 50 }; /* the first say enough */

static atomic_int faults;

int ukValidateFaults(void)
{
    return faults;
}

__attribute__((format(printf, 1, 2))) static void fault(const char *format, ...)
{
    if (++faults > MostReported) return;
    char text[200];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    ukLogFault("records: %s", text);
}

static void jointFault(const ukJoint *joint, const char *what)
{
    fault("%s joint %llu: %s in its record differs from ODE", joint->class->name, (unsigned long long)joint->serial,
          what);
}

static void bodyFault(const ukBody *body, const char *what)
{
    fault("body %llu: %s in its record differs from ODE", (unsigned long long)body->serial, what);
}

/* ---- joints ------------------------------------------------------------------------------------------------------ */

static bool areEqual(const double *x, const double *y, int n)
{
    for (int i = 0; i < n; i++)
        if (x[i] != y[i] && !(isnan(x[i]) && isnan(y[i]))) return false;
    return true;
}

/* Turned from one frame to another, each number has the rounding of the largest. */
static bool areNear(const double *x, const double *y, int n, double scale)
{
    double size = scale;
    for (int i = 0; i < n; i++) size = fmax(size, fabs(y[i]));
    for (int i = 0; i < n; i++)
        if (isfinite(y[i]) && !(fabs(x[i] - y[i]) <= 2 * rounding * size)) return false;
    return true;
}

/* size of the numbers that a getter's answer was made of; infinite where a pose is none */
static double scaleOf(const ukJoint *joint)
{
    double scale = 1;
    for (int k = 0; k < 2 && joint->body[k]; k++)
        for (int i = 0; i < 3; i++) scale += fabs(joint->body[k]->position[i]);
    return scale == scale ? scale : INFINITY;
}

/* Checks that the class would read the values of the record now. Offsets are left out, because they are computed from
 * angles, which depend on the joint's error after the step. */
static void checkValues(const ukJoint *joint)
{
    static const size_t length[ukRecordKinds] = {ukMotorsBytes, ukContactBytes, ukRunningBytes};
    const ukJointClass *class = joint->class;
    ukJoint now;
    if (joint->stale || !joint->observed || !joint->body[0] || !class->refresh) return;
    memset(&now, 0, sizeof now);
    memcpy(&now, joint, length[class->record]);
    class->refresh(&now);
    const double scale = scaleOf(joint);
    if (!areNear(joint->anchor1, now.anchor1, 3, scale)) jointFault(joint, "the anchor on a");
    if (!areNear(joint->anchor2, now.anchor2, 3, scale)) jointFault(joint, "the anchor on b");
    if (!areNear(joint->axis1, now.axis1, 3, 1)) jointFault(joint, "the axis of a");
    if (!areNear(joint->axis2, now.axis2, 3, 1)) jointFault(joint, "the axis of b");
    if (!areNear(joint->axisP, now.axisP, 3, 1)) jointFault(joint, "the prismatic axis");
    if (!areEqual(&joint->target, &now.target, 1)) jointFault(joint, "the distance");
    if (!areEqual(&joint->erp, &now.erp, 1) || !areEqual(&joint->cfm, &now.cfm, 1)) jointFault(joint, "ERP or CFM");
    for (int i = 0; i < 3; i++)
        if (!areEqual(&joint->motor[i].vel, &now.motor[i].vel, sizeof(ukMotor) / sizeof(double)))
            jointFault(joint, "a limit or motor");
    if (!class->motor) return;
    const ukMotorAxes *x = &joint->of.axes, *y = &now.of.axes;
    if (x->mode != y->mode || x->count != y->count) jointFault(joint, "the mode or number of axes");
    for (int i = 0; i < 3; i++)
        if (!areNear(x->axis[i], y->axis[i], 3, 1)) jointFault(joint, "an axis");
}

static void checkAttachment(const ukJoint *joint)
{
    const dBodyID first = dJointGetBody(joint->handle, 0), second = dJointGetBody(joint->handle, 1);
    const dBodyID a = first ? first : second, b = first ? second : NULL;
    const ukBody *const *body = (const ukBody *const *)joint->body;
    const bool same = (body[0] ? body[0]->handle : NULL) == a && (body[1] ? body[1]->handle : NULL) == b;
    if (!same || (a && joint->reverse != !first)) jointFault(joint, "the attachment");
    for (int k = 0; k < 2 && same && body[k]; k++) {
        const ukJointNode *node = &joint->node[k];
        const bool linked = (node->prev ? node->prev->next : body[k]->first_joint) == node &&
                            (!node->next || node->next->prev == node) && node->joint == joint;
        if (!linked)
            fault("%s %llu: it is not in its body's list", joint->class->name, (unsigned long long)joint->serial);
    }
}

static void checkJoint(const ukJoint *joint)
{
    if (ukMapFind(&ukRegistry.joints, joint->handle) != joint) jointFault(joint, "the handle");
    if (joint->class != ukJointClassOf(dJointGetType(joint->handle))) {
        jointFault(joint, "the type");
        return;
    }
    checkAttachment(joint);
    checkValues(joint);
}

void ukValidateJoint(const ukJoint *joint)
{
    ukRegistryLock();
    if (joint->handle && joint->world && joint->world->lost == 0) checkJoint(joint);
    ukRegistryUnlock();
}

/* ---- bodies ------------------------------------------------------------------------------------------------------ */

static void checkConstants(const ukBody *body)
{
    dMass mass;
    if (body->constant.changes != body->world->changes || body->world->attached) return; /* to be read again */
    dBodyGetMass(body->handle, &mass);
    if (body->massless && !body->constant.kinematic) {
        if (body->constant.mass != 0) bodyFault(body, "the mass of 0");
        return;
    }
    bool same = body->constant.mass == mass.mass;
    for (int i = 0; i < 9; i++) { /* the mean of what rounding made unequal (ukFrameConstants) */
        const double I = mass.I[4 * (i / 3) + i % 3], mirrored = mass.I[4 * (i % 3) + i / 3];
        same &= body->constant.inertia[i] == (i % 4 == 0 ? I : 0.5 * (mirrored + I));
    }
    if (!same) bodyFault(body, "the mass");
    if (body->constant.kinematic != (dBodyIsKinematic(body->handle) != 0)) bodyFault(body, "the kinematic flag");
}

/* Checks the order of the body's joints against ODE's. A world that was handed over can have joints that no step has
 * found yet. */
static void jointsOf(const ukBody *body)
{
    int count = 0;
    if (body->world->attached) return;
    for (const ukJointNode *node = body->first_joint; node; node = node->next, count++) {
        if (count < dBodyGetNumJoints(body->handle) && dBodyGetJoint(body->handle, count) == node->joint->handle)
            continue;
        bodyFault(body, "the order of its joints");
        return;
    }
    if (count != body->joint_count || count != dBodyGetNumJoints(body->handle))
        bodyFault(body, "the number of its joints");
}

static void validateBody(const ukBody *body)
{
    if (ukMapFind(&ukRegistry.bodies, body->handle) != body) bodyFault(body, "the handle");
    if (dBodyGetWorld(body->handle) != body->world->handle) bodyFault(body, "the world");
    const bool stored =
        body->position == dBodyGetPosition(body->handle) && body->quaternion == dBodyGetQuaternion(body->handle) &&
        body->rotation == dBodyGetRotation(body->handle) && body->linear == dBodyGetLinearVel(body->handle) &&
        body->angular == dBodyGetAngularVel(body->handle) && body->force == dBodyGetForce(body->handle) &&
        body->torque == dBodyGetTorque(body->handle);
    if (!stored) bodyFault(body, "the address of its state");
    checkConstants(body);
}

void ukValidateBody(const ukBody *body)
{
    ukRegistryLock();
    if (body->handle && body->world->handle && body->world->lost == 0) validateBody(body);
    ukRegistryUnlock();
}

/* ---- worlds ------------------------------------------------------------------------------------------------------ */

/* Checks that the islands of the present topology contain the enabled bodies only. */
static void checkEnabled(const ukWorld *world)
{
    const ukStepper *s = world->stepper;
    if (!s || world->attached || !ukStepperCurrent(s)) return;
    for (const ukBody *body = world->oldest_body; body; body = body->newer) {
        const int i = body->index;
        const bool stepped = i >= 0 && i < s->frame_count && s->frames[i].body == body;
        if (stepped != (dBodyIsEnabled(body->handle) != 0)) bodyFault(body, "the enabled flag");
    }
}

static void checkWorld(const ukWorld *world)
{
    if (ukMapFind(&ukRegistry.worlds, world->handle) != world) fault("a world's handle maps to another record");
    int bodies = 0, joints = 0;
    const ukBody *older = NULL;
    for (const ukBody *body = world->oldest_body; body; older = body, body = body->newer, bodies++) {
        if (body->older != older || body->world != world) bodyFault(body, "the place in the list");
        validateBody(body);
        jointsOf(body);
    }
    if (older != world->newest_body || bodies != world->body_count) fault("the list of bodies, or their number");
    const ukJoint *before = NULL;
    for (const ukJoint *joint = world->oldest_joint; joint; before = joint, joint = joint->newer, joints++) {
        if (joint->older != before || joint->world != world) jointFault(joint, "the place in the list");
        checkJoint(joint);
    }
    if (before != world->newest_joint || joints != world->joint_count) fault("the list of joints, or their number");
    checkEnabled(world);
}

void ukValidateWorld(const ukWorld *world)
{
    ukRegistryLock();
    if (world->handle && world->lost == 0) checkWorld(world);
    ukRegistryUnlock();
}
#endif
