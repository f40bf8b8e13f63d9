/* SPDX-License-Identifier: BSD-3-Clause */
#include "bridge/user/servo.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bridge/user/law_rows.h"
#include "bridge/user/parts.h"
#include "bridge/world/journal.h"
#include "solvers/base/status.h"

int ukServoSet(struct ukConstraint *c, const ukServoActuator *actuator, int count)
{
    ukParts parts = {0};
    if (count > 0 && !ukPartsServo(&parts, c->rows, count)) return ukErrorMemory;
    if (count > 0) memcpy(parts.servo->actuator, actuator, (size_t)count * sizeof *actuator);
    free(c->servo);
    c->servo = parts.servo;
    c->element.world->changes++;
    ukJournalActuators(&c->element, parts.servo);
    return ukOk;
}

bool ukServoHasAxis(const ukJoint *joint, int axis)
{
    return joint->class->axes && axis >= 0 && axis < joint->class->free_axes;
}

bool ukServoIsCost(double cost)
{
    return cost > 0 && cost < INFINITY;
}

ukJoint *ukServoDestroyed(void)
{
    static ukJoint none;
    return &none;
}

ukJoint *ukServoJoint(const ukServoActuator *actuator, ukJoint *const *joint, int count)
{
    for (int j = 0; j < count; j++)
        if (joint[j] == actuator->joint)
            return joint[j]->serial == actuator->serial && joint[j]->handle == actuator->handle ? joint[j] : NULL;
    return NULL;
}

void ukServoJointWrench(const ukServoActuator *actuator, ukJoint *joint, const ukState *a, const ukState *b,
                        double *wrench)
{
    ukSlide slide[3];
    ukLaw law = {.joint = joint, .slots = 2, .slides = 3, .slide = slide};
    ukLawPlace(&law, (const ukState *const[2]){a, b}, false);
    memset(wrench, 0, 12 * sizeof *wrench);
    ukLawPushAxis(&law, actuator->axis, joint->reverse ? -1 : 1, wrench);
}

void ukServoBodyWrench(const ukServoActuator *actuator, const ukState *state, double *wrench)
{
    const int first = actuator->axis < 3 ? 0 : 3;
    memset(wrench, 0, 6 * sizeof *wrench);
    for (int i = 0; i < 3; i++) wrench[first + i] = state->R[3 * i + actuator->axis % 3];
}

void ukServoForces(const struct ukConstraint *c)
{
    const ukServo *servo = c->servo;
    for (int k = 0; servo && k < servo->count; k++) {
        servo->force[k] = 0;
        for (int i = 0; i < c->rows; i++) servo->force[k] += servo->response[k * c->rows + i] * c->lambda[i];
    }
}
