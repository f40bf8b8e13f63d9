/* SPDX-License-Identifier: BSD-3-Clause */
/* plugin/actuators.c: ukConstraint*Actuator*: checks arguments, calls the bridge. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <ukode/ukode.h>

#include "bridge/base/log.h"
#include "bridge/joints/class.h"
#include "bridge/user/servo.h"
#include "bridge/world/registry.h"
#include "solvers/base/status.h"

static struct ukConstraint *servoOf(ukConstraintID handle)
{
    struct ukConstraint *c = handle ? ukConstraintOf(handle) : NULL;
    if (!c) ukErrorSet(ukErrorHandle, handle ? "a constraint that was destroyed" : "null constraint");
    return c;
}

static int refuseActuator(int k, int status, const char *what)
{
    return ukErrorSet(status, "ukConstraintSetActuators: actuator %d: %s", k, what);
}

/* Converts actuator k to the record's form. */
static int readActuator(const struct ukConstraint *c, const ukActuator *given, int k, ukServoActuator *out)
{
    const ukElement *e = &c->element;
    *out = (ukServoActuator){.axis = given->axis, .cost = given->cost};
    if (!ukServoIsCost(given->cost)) return refuseActuator(k, ukErrorArgument, "its cost must be > 0 and finite");
    if (given->joint) {
        ukJoint *joint = out->joint = ukRegistryJoint(given->joint);
        if (!joint || joint->world != e->world) return refuseActuator(k, ukErrorHandle, "no such joint in this world");
        if (ukIsContact(joint)) return refuseActuator(k, ukErrorArgument, "a contact cannot be an actuator");
        if (!ukServoHasAxis(joint, given->axis))
            return refuseActuator(k, ukErrorArgument, "the joint has no such free axis");
        out->serial = joint->serial;
        out->handle = joint->handle;
        return ukOk;
    }
    const ukBody *body = given->body ? ukRegistryBody(given->body) : NULL;
    while (out->slot < e->count && (!body || e->body[out->slot] != body)) out->slot++;
    if (out->slot == e->count)
        return refuseActuator(k, body ? ukErrorArgument : ukErrorHandle, "its body is not one of the constraint's");
    if (given->axis < 0 || given->axis > 5) return refuseActuator(k, ukErrorArgument, "a body has axes 0 to 5");
    return ukOk;
}

int ukConstraintSetActuators(ukConstraintID constraint, const ukActuator *actuators, int count)
{
    struct ukConstraint *c = servoOf(constraint);
    if (!c) return ukErrorHandle;
    if (count < 0 || count > ukMostActuators || (count > 0 && !actuators))
        return ukErrorSet(ukErrorArgument, "ukConstraintSetActuators: %d actuators", count);
    if (c->element.world->stepping)
        return ukErrorSet(ukErrorChanged, "actuators cannot be set during a step of its world");
    ukServoActuator *list = calloc((size_t)count + 1, sizeof *list);
    int status = list ? ukOk : ukErrorMemory;
    for (int k = 0; k < count && status == ukOk; k++) status = readActuator(c, &actuators[k], k, &list[k]);
    if (status == ukOk) status = ukServoSet(c, list, count);
    free(list);
    if (status == ukErrorMemory) ukErrorSet(status, "no memory");
    return status;
}

/* Handle of an actuator's joint; NULL: the joint was destroyed. */
static dJointID jointOfActuator(const ukServoActuator *a)
{
    const ukJoint *const joint = a->joint ? ukRegistryJoint(a->handle) : NULL;
    return joint && joint == a->joint && joint->serial == a->serial ? a->handle : NULL;
}

int ukConstraintGetActuators(ukConstraintID constraint, ukActuator *actuators)
{
    const struct ukConstraint *c = servoOf(constraint);
    const ukServo *servo = c ? c->servo : NULL;
    for (int k = 0; servo && actuators && k < servo->count; k++) {
        const ukServoActuator *a = &servo->actuator[k];
        const ukBody *body = a->joint ? NULL : c->element.body[a->slot];
        actuators[k] = (ukActuator){
            .joint = jointOfActuator(a), .body = body ? body->handle : NULL, .axis = a->axis, .cost = a->cost};
    }
    return servo ? servo->count : 0;
}

int ukConstraintGetActuatorForces(ukConstraintID constraint, dReal *u)
{
    const struct ukConstraint *c = servoOf(constraint);
    if (!c) return ukErrorHandle;
    if (!u) return ukErrorSet(ukErrorArgument, "ukConstraintGetActuatorForces: u");
    if (c->servo) memcpy(u, c->servo->force, (size_t)c->servo->count * sizeof *u);
    return ukOk;
}
