/* SPDX-License-Identifier: BSD-3-Clause */
#include "plugin/formats/snapshot/element.h"

#include <math.h>
#include <stdlib.h>

#include "bridge/base/grow.h"
#include "bridge/joints/class.h"
#include "bridge/user/constraint.h"
#include "bridge/user/servo.h"
#include "plugin/formats/snapshot/law.h"
#include "solvers/base/status.h"

/* Transfers the bounds of the rows, from or to `limit`. */
static void keepLimits(ukTape *t, int rows, ukRowBounds *limit)
{
    for (int i = 0; i < rows; i++) {
        ukTapeBool(t, &limit[i].one_sided);
        ukTapeReals(t, &limit[i].lo, 1);
        ukTapeReals(t, &limit[i].hi, 1);
        ukTapeReals(t, &limit[i].restitution, 1);
        if (!(limit[i].lo <= limit[i].hi) || !(limit[i].restitution >= 0 && limit[i].restitution <= 1))
            ukTapeRefuse(t, ukErrorArgument, "the bounds or the restitution of a row of a constraint are wrong");
    }
}

/* The weight W, from or to the end of `weight`; its factor is computed. */
static void keepWeight(ukTape *t, int rows, double *weight)
{
    const int numbers = rows * rows;
    ukTapeReals(t, weight + numbers, numbers);
    if (t->mode == ukTapeCheck && t->status == ukOk && !ukWeightFactor(weight + numbers, rows, weight))
        ukTapeRefuse(t, ukErrorArgument, "the weight of a constraint is not positive definite");
}

static ukJoint *jointOf(const ukWorld *world, const ukNames *names, uint64_t number)
{
    for (ukJoint *j = world->oldest_joint; j; j = j->newer)
        if (number != 0 && ukNamesNumber(names, j) == number) return j;
    return NULL;
}

/* Transfers one actuator. The joint number of an actuator whose joint was destroyed is 0, and the restored one has no
 * joint either. */
static void keepActuator(ukTape *t, const struct ukConstraint *c, ukServoActuator *a, const ukNames *names)
{
    const ukWorld *world = c->element.world;
    uint64_t number = 0;
    bool of_joint = a->joint != NULL;
    for (const ukJoint *j = world->oldest_joint; j && of_joint; j = j->newer)
        if (j == a->joint && j->serial == a->serial && j->handle == a->handle) number = ukNamesNumber(names, j);
    ukTapeBool(t, &of_joint);
    number = ukTapeWord(t, number);
    ukTapeInt(t, &a->slot, 0, c->element.count - 1, "the body of an actuator");
    ukTapeInt(t, &a->axis, 0, 5, "the axis of an actuator");
    ukTapeReals(t, &a->cost, 1);
    if (!ukTapeReads(t) || t->status != ukOk) return;
    ukJoint *joint = of_joint ? jointOf(world, names, number) : NULL;
    if (of_joint && number != 0 && (!joint || !ukServoHasAxis(joint, a->axis)))
        ukTapeRefuse(t, ukErrorArgument, "the joint of an actuator does not exist");
    else if (!ukServoIsCost(a->cost))
        ukTapeRefuse(t, ukErrorArgument, "the cost of an actuator is not > 0");
    a->joint = of_joint && number == 0 ? ukServoDestroyed() : joint;
    a->serial = joint ? joint->serial : 0;
    a->handle = joint ? joint->handle : NULL;
}

/* The actuators, and their forces. */
static void keepActuators(ukTape *t, const struct ukConstraint *c, ukServo *servo, const ukNames *names)
{
    for (int k = 0; k < servo->count && t->status == ukOk; k++) {
        ukServoActuator copy = servo->actuator[k];
        keepActuator(t, c, &copy, names);
        ukTapeReals(t, &servo->force[k], 1);
        servo->actuator[k] = copy;
    }
}

/* Parts of a constraint that follow the number of rows with a warm start in a saved state; a sum of these. */
enum { Limited = 1, Weighted = 2, Actuated = 4, AllParts = 7 };

/* Allocates the parts of a constraint that a saved state contains; NULL: no memory, or refused. */
static ukParts *makeParts(ukTape *t, int rows, int parts, size_t actuators, ukKeptParts *kept)
{
    if (actuators > ukMostActuators) ukTapeRefuse(t, ukErrorArgument, "a constraint has too many actuators");
    if (t->status != ukOk) return NULL;
    if (!ukArrayReserve(&kept->at, sizeof *kept->at, kept->count + 1, &kept->capacity)) {
        ukTapeRefuse(t, ukErrorMemory, "no memory");
        return NULL;
    }
    ukParts *const made = &kept->at[kept->count++];
    *made = (ukParts){0};
    bool good = !(parts & Limited) || ukPartsLimits(made, rows);
    good = good && (!(parts & Weighted) || ukPartsWeight(made, rows));
    good = good && (actuators == 0 || ukPartsServo(made, rows, (int)actuators));
    if (!good) ukTapeRefuse(t, ukErrorMemory, "no memory");
    return good ? made : NULL;
}

/* Bounds, weight and actuators: the constraint's own are written; those of a state are read into `kept`, and exchanged
 * for its own when all of the state is known to be good. */
static void keepParts(ukTape *t, struct ukConstraint *c, int parts, const ukNames *names, ukKeptParts *kept)
{
    ukParts own = {c->limit, c->guess, c->weight, c->servo}, *of = &own;
    const bool servo = !ukTapeReads(t) && c->servo;
    size_t actuators = servo ? (size_t)c->servo->count : 0;
    ukTape ahead = *t; /* the number of actuators stands after the bounds and the weight */
    if (ukTapeReads(t) && parts & Actuated) {
        const size_t numbers =
            (parts & Limited ? 4 * (size_t)c->rows : 0) + (parts & Weighted ? (size_t)c->rows * (size_t)c->rows : 0);
        for (size_t i = 0; i < numbers; i++) ukTapeWord(&ahead, 0);
        actuators = ukTapeCount(&ahead, 0, 6, "actuators");
        t->status = ahead.status;
    }
    if (t->mode == ukTapeCheck) of = makeParts(t, c->rows, parts, actuators, kept);
    if (t->mode == ukTapeRead) of = &kept->at[kept->next++];
    if (!of) return;
    if (parts & Limited) keepLimits(t, c->rows, of->limit);
    if (parts & Weighted) keepWeight(t, c->rows, of->weight);
    if (parts & Actuated) ukTapeCount(t, actuators, 6, "actuators");
    if (parts & Actuated && of->servo) keepActuators(t, c, of->servo, names);
    if (t->mode == ukTapeRead) ukPartsExchange(c, of);
}

void ukKeptPartsFree(ukKeptParts *parts)
{
    for (size_t i = 0; i < parts->count; i++) ukPartsFree(&parts->at[i]);
    free(parts->at);
    *parts = (ukKeptParts){0};
}

static void transferConstraint(ukTape *t, struct ukConstraint *c, uint64_t number, const ukNames *names,
                               ukKeptParts *kept)
{
    const int n = 6 * c->element.count;
    const int part = c->rows + 1; /* times the parts is added to the number of rows */
    int rows =
        c->lambda_rows + part * ((c->limit ? Limited : 0) + (c->weight ? Weighted : 0) + (c->servo ? Actuated : 0));
    if (!ukTapeSame(t, (uint64_t)c->rows, "the rows of constraint", number)) return;
    ukTapeArray(t, c->element.force, n);
    ukTapeArray(t, c->nonideal, n);
    ukTapeArray(t, c->impulse, n);
    ukTapeInt(t, &rows, 0, part * AllParts + c->rows, "a number of rows");
    if (t->status != ukOk) return;
    const int parts = rows / part;
    rows -= part * parts;
    keepParts(t, c, parts, names, kept);
    if (t->status != ukOk) return;
    ukTapeArray(t, c->lambda, rows);
    if (t->mode == ukTapeRead) c->lambda_rows = rows;
    ukKeepLawOfConstraint(t, c, number);
}

void ukKeepElement(ukTape *t, ukElement *e, uint64_t number, const ukNames *names, ukKeptParts *parts)
{
    const int kind = e->is_force + ukElementIsSwitch(e);
    if (!ukTapeSame(t, (uint64_t)kind, "the kind of user constraint or force", number) ||
        !ukTapeSame(t, (uint64_t)e->count, "the bodies of user constraint or force", number))
        return;
    for (int i = 0; i < e->count; i++)
        if (!ukTapeSame(t, ukNamesNumber(names, e->body[i]), "a body of user constraint or force", number)) return;
    if (!e->is_force) transferConstraint(t, (struct ukConstraint *)e, number, names, parts);
}
