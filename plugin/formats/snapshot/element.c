/* SPDX-License-Identifier: BSD-3-Clause */
#include "plugin/formats/snapshot/element.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bridge/joints/class.h"
#include "bridge/user/constraint.h"
#include "bridge/user/servo.h"
#include "plugin/formats/snapshot/law.h"
#include "solvers/base/status.h"

/* Bounds of the rows; of a constraint that has none when it is saved, all are equalities. */
static void keepLimits(ukTape *t, struct ukConstraint *c, bool limited)
{
    for (int i = 0; i < c->rows && (limited || c->limit); i++) {
        double bounds[2] = {-INFINITY, INFINITY}, restitution = 0;
        bool one_sided = false;
        if (c->limit) {
            bounds[0] = c->limit[i].lo;
            bounds[1] = c->limit[i].hi;
            one_sided = c->limit[i].one_sided;
            restitution = c->limit[i].restitution;
        }
        if (limited) {
            ukTapeBool(t, &one_sided);
            ukTapeReals(t, bounds, 2);
            ukTapeReals(t, &restitution, 1);
        } else {
            bounds[0] = -INFINITY, bounds[1] = INFINITY;
            one_sided = false;
            restitution = 0;
        }
        if (t->status != ukOk) return;
        if (!(bounds[0] <= bounds[1]) || !(restitution >= 0 && restitution <= 1)) {
            ukTapeRefuse(t, ukErrorArgument, "the bounds or the restitution of a row of a constraint are wrong");
            return;
        }
        if (t->mode != ukTapeRead) continue;
        if (ukConstraintLimit(c, i, bounds[0], bounds[1], one_sided) != ukOk)
            ukTapeRefuse(t, ukErrorMemory, "no memory");
        if (t->status == ukOk && restitution > 0) ukConstraintBounce(c, i, restitution);
    }
}

/* The weight W; of a constraint that has none when it is saved, none. */
static void keepWeight(ukTape *t, struct ukConstraint *c, bool weighted)
{
    const size_t numbers = (size_t)c->rows * (size_t)c->rows;
    double *W = weighted ? calloc(2 * numbers, sizeof *W) : NULL;
    if (weighted && !W) {
        ukTapeRefuse(t, ukErrorMemory, "no memory");
        return;
    }
    if (W && !ukTapeReads(t)) memcpy(W, c->weight + numbers, numbers * sizeof *W);
    if (W) ukTapeReals(t, W, (int)numbers);
    if (W && t->mode == ukTapeCheck && t->status == ukOk && !ukWeightFactor(W, c->rows, W + numbers))
        ukTapeRefuse(t, ukErrorArgument, "the weight of a constraint is not positive definite");
    if (t->mode == ukTapeRead && t->status == ukOk && (W || c->weight) && ukConstraintWeigh(c, W) != ukOk)
        ukTapeRefuse(t, ukErrorMemory, "no memory");
    free(W);
}

static ukJoint *jointOf(const ukWorld *world, const ukNames *names, uint64_t number)
{
    for (ukJoint *j = world->oldest_joint; j; j = j->newer)
        if (number != 0 && ukNamesNumber(names, j) == number) return j;
    return NULL;
}

/* One actuator. A destroyed joint has no number in the state, and restoring such a state is refused. */
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
    if (of_joint && (!joint || !joint->class->axes || a->axis >= joint->class->free_axes))
        ukTapeRefuse(t, ukErrorArgument, "the joint of an actuator is not there");
    else if (!(a->cost > 0) || isinf(a->cost))
        ukTapeRefuse(t, ukErrorArgument, "the cost of an actuator is not > 0");
    a->joint = joint;
    a->serial = joint ? joint->serial : 0;
    a->handle = joint ? joint->handle : NULL;
}

/* The actuators, and their forces; of a constraint that has none when it is saved, none. */
static void keepActuators(ukTape *t, struct ukConstraint *c, bool actuated, const ukNames *names)
{
    size_t count = !ukTapeReads(t) && actuated ? (size_t)c->servo->count : 0;
    if (actuated) count = ukTapeCount(t, count, 6, "actuators");
    if (!actuated && !(t->mode == ukTapeRead && c->servo)) return;
    if (count > ukMostActuators) {
        ukTapeRefuse(t, ukErrorArgument, "a constraint has too many actuators");
        return;
    }
    ukServoActuator *list = calloc(count + 1, sizeof *list);
    double *force = calloc(count + 1, sizeof *force);
    if (!list || !force) ukTapeRefuse(t, ukErrorMemory, "no memory");
    for (size_t k = 0; k < count && list && force && t->status == ukOk; k++) {
        if (!ukTapeReads(t)) list[k] = c->servo->actuator[k], force[k] = c->servo->force[k];
        keepActuator(t, c, &list[k], names);
        ukTapeReals(t, &force[k], 1);
    }
    if (t->mode == ukTapeRead && t->status == ukOk && (count > 0 || c->servo)) {
        if (ukServoSet(c, list, (int)count) != ukOk) ukTapeRefuse(t, ukErrorMemory, "no memory");
        for (size_t k = 0; k < count && c->servo && t->status == ukOk; k++) c->servo->force[k] = force[k];
    }
    free(list);
    free(force);
}

/* what follows the number of rows with a warm start, of a constraint that has it when it is saved */
enum { Limited = 1, Weighted = 2, Actuated = 4, AllParts = 7 };

static void constraint(ukTape *t, struct ukConstraint *c, uint64_t number, const ukNames *names)
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
    const int parts = rows / part;
    rows -= part * parts;
    keepLimits(t, c, parts & Limited);
    keepWeight(t, c, parts & Weighted);
    keepActuators(t, c, parts & Actuated, names);
    ukTapeArray(t, c->lambda, rows);
    if (t->mode == ukTapeRead) c->lambda_rows = rows;
    ukKeepLawOfConstraint(t, c, number);
}

void ukKeepElement(ukTape *t, ukElement *e, uint64_t number, const ukNames *names)
{
    if (!ukTapeSame(t, e->is_force, "the kind of user constraint or force", number) ||
        !ukTapeSame(t, (uint64_t)e->count, "the bodies of user constraint or force", number))
        return;
    for (int i = 0; i < e->count; i++)
        if (!ukTapeSame(t, ukNamesNumber(names, e->body[i]), "a body of user constraint or force", number)) return;
    if (!e->is_force) constraint(t, (struct ukConstraint *)e, number, names);
}
