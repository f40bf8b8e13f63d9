/* SPDX-License-Identifier: BSD-3-Clause */
/* plugin/tools/replay/element.c: events of user constraints, forces and laws. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bridge/joints/class.h"
#include "bridge/user/constraint.h"
#include "bridge/user/servo.h"
#include "plugin/tools/replay/events.h"

static ukPlay *playOf(ukBuild *b, bool element, uint64_t number)
{
    if ((number & ~(ukSerialOf(0, true) | (uint64_t)1 << 40)) >= UKODE_MOST_SERIAL) {
        ukBuildRefuse(b, "there is no object with the serial %llu", (unsigned long long)number);
        return NULL;
    }
    ukPlay *play = ukMapFind(&b->plays[element], ukBuildKey(number));
    if (play || !(play = calloc(1, sizeof *play))) return play;
    play->guessed = &b->guessed;
    play->answered = &b->answered;
    play->moment = &b->moment;
    play->stale = true;
    ukBuildPut(b, &b->plays[element], number, play);
    if (!b->failed) return play;
    ukPlayFree(play);
    return NULL;
}

void ukBuildElement(ukBuild *b, ukByteReader *r)
{
    const uint64_t number = ukBuildSerial(b, r, &b->last_element, "constraint or force");
    const int kind = ukReadInt(r, 2);
    const int rows = ukReadInt(r, 6 * ukMaxElementBodies), count = ukReadInt(r, ukMaxElementBodies);
    dBodyID body[ukMaxElementBodies];
    dBodyID gone[ukMaxElementBodies]; /* bodies that it had, and that are destroyed */
    int lost = 0;
    for (int i = 0; i < count; i++) {
        const uint64_t serial = ukReadNumber(r);
        const ukBody *record = serial == 0 ? NULL : ukBuildFound(b, &b->bodies, serial);
        body[i] = record ? record->handle : NULL;
        if (serial == 0 && !r->bad) body[i] = gone[lost++] = dBodyCreate(b->world->handle);
    }
    b->world->bodies -= (uint64_t)lost;
    ukPlay *play = r->bad || b->failed || number == 0 ? NULL : playOf(b, true, number);
    if (!play) return;
    b->world->next_element = number - 1;
    static const ukAnswerKind answers[] = {ukAnswerConstraint, ukAnswerForce, ukAnswerSwitch};
    ukPlayBegin(play, answers[kind], rows, count);
    const dWorldID world = b->world->handle;
    ukBuildPut(b, &b->elements, number,
               kind == 2   ? (void *)ukSwitchCreate(world, body, count, ukPlaySwitch, play)
               : kind == 1 ? (void *)ukForceCreate(world, body, count, ukPlayForce, play)
                           : (void *)ukConstraintCreate(world, rows, body, count, ukPlayConstraint, play));
    while (lost > 0) dBodyDestroy(gone[--lost]);
}

void ukBuildWeight(ukBuild *b, ukByteReader *r)
{
    const uint64_t number = ukReadNumber(r);
    const int numbers = ukReadInt(r, INT32_MAX);
    void *handle = ukBuildFound(b, &b->elements, number);
    const struct ukConstraint *c = handle ? ukConstraintOf(handle) : NULL;
    if (r->bad || !handle) return;
    if (!c || (numbers != 0 && numbers != c->rows * c->rows)) {
        ukBuildRefuse(b, "the weight of constraint %llu has the wrong size", (unsigned long long)number);
        return;
    }
    double *weight = numbers > 0 ? malloc((size_t)numbers * sizeof *weight) : NULL;
    for (int at = 0; weight && at < numbers; at += 64)
        ukReadDoubles(r, weight + at, numbers - at < 64 ? numbers - at : 64);
    const bool good = (weight || numbers == 0) && !r->bad && ukConstraintSetWeight(handle, weight, 1) == ukOk;
    free(weight);
    if (!good) ukBuildRefuse(b, "the weight of constraint %llu is invalid", (unsigned long long)number);
}

void ukBuildContactLawGone(ukBuild *b, uint64_t number)
{
    const void *const key = ukBuildKey(ukSerialOf(number, true));
    ukPlay *const play = ukMapFind(&b->plays[0], key);
    if (!play) return;
    ukMapRemove(&b->plays[0], key);
    ukPlayFree(play);
}

/* Reads one actuator; false: it is not valid. The joint number of an actuator whose joint was destroyed is 0, and the
 * replayed one has no joint either. */
static bool readActuator(ukBuild *b, ukByteReader *r, const struct ukConstraint *c, ukServoActuator *out)
{
    const int slot = ukReadInt(r, c->element.count);
    ukByteReader ahead = *r;
    const void *name;
    *out = (ukServoActuator){.slot = slot > 0 ? slot - 1 : 0};
    const bool gone = slot == 0 && ukReadNumber(&ahead) == 0;
    if (gone) {
        *r = ahead;
        out->joint = ukServoDestroyed();
    } else if (slot == 0) {
        ukJoint *joint = out->joint = ukBuildReadJoint(b, r, &name);
        if (!joint || ukIsContact(joint)) return false;
        out->serial = joint->serial;
        out->handle = joint->handle;
    }
    out->axis = ukReadInt(r, 5);
    ukReadDoubles(r, &out->cost, 1);
    if (r->bad || !ukServoIsCost(out->cost)) return false;
    return slot > 0 || gone || ukServoHasAxis(out->joint, out->axis);
}

void ukBuildActuators(ukBuild *b, ukByteReader *r)
{
    const uint64_t number = ukReadNumber(r);
    const int count = ukReadInt(r, ukMostActuators);
    void *handle = ukBuildFound(b, &b->elements, number);
    struct ukConstraint *c = handle ? ukConstraintOf(handle) : NULL;
    if (r->bad || !c || (size_t)count > (size_t)(r->end - r->at)) {
        ukBuildRefuse(b, "the actuators of constraint %llu cannot be read", (unsigned long long)number);
        return;
    }
    ukServoActuator *actuator = calloc((size_t)count + 1, sizeof *actuator);
    bool good = actuator != NULL;
    for (int k = 0; k < count && good; k++) good = readActuator(b, r, c, &actuator[k]);
    good = good && ukServoSet(c, actuator, count) == ukOk;
    free(actuator);
    if (!good) ukBuildRefuse(b, "the actuators of constraint %llu are invalid", (unsigned long long)number);
}

void ukBuildElementGone(ukBuild *b, ukByteReader *r)
{
    const uint64_t number = ukReadNumber(r);
    void *handle = ukBuildFound(b, &b->elements, number);
    const ukPlay *play = handle ? ukMapFind(&b->plays[1], ukBuildKey(number)) : NULL;
    if (!handle || !play) return;
    ukMapRemove(&b->elements, ukBuildKey(number));
    if (play->kind == ukAnswerForce)
        ukForceDestroy(handle);
    else if (play->kind == ukAnswerSwitch)
        ukSwitchDestroy(handle);
    else
        ukConstraintDestroy(handle);
}

void ukBuildRowLimit(ukBuild *b, ukByteReader *r)
{
    const uint64_t number = ukReadNumber(r);
    const int row = ukReadInt(r, 6 * ukMaxElementBodies);
    const bool one_sided = ukReadInt(r, 1);
    double bounds[2] = {0, 0};
    ukReadDoubles(r, bounds, 2);
    void *handle = ukBuildFound(b, &b->elements, number);
    if (r->bad || !handle) return;
    const int status =
        one_sided ? ukConstraintSetOneSided(handle, row) : ukConstraintSetBounds(handle, row, bounds[0], bounds[1]);
    if (status != ukOk)
        ukBuildRefuse(b, "the bounds of a row of constraint %llu are invalid", (unsigned long long)number);
}

void ukBuildRestitution(ukBuild *b, ukByteReader *r)
{
    const uint64_t number = ukReadNumber(r);
    const int row = ukReadInt(r, 6 * ukMaxElementBodies);
    double restitution = 0;
    ukReadDoubles(r, &restitution, 1);
    void *handle = ukBuildFound(b, &b->elements, number);
    if (r->bad || !handle || ukConstraintSetRestitution(handle, row, restitution) == ukOk) return;
    ukBuildRefuse(b, "the restitution of a row of constraint %llu is invalid", (unsigned long long)number);
}

void ukBuildAnswer(ukBuild *b, ukByteReader *r)
{
    const ukAnswerKind kind = (ukAnswerKind)ukReadInt(r, ukAnswers - 1);
    const uint64_t number = ukReadNumber(r);
    /* a constraint's law has its own play, separate from its owner's */
    const bool law = kind == ukAnswerConstraintLaw;
    ukPlay *play = playOf(b, kind != ukAnswerJointLaw, law ? UINT64_C(1) << 40 | number : number);
    if (!play) return;
    if (kind == ukAnswerJointLaw || law) play->kind = kind;
    if (!ukPlayHear(play, r)) ukBuildRefuse(b, "a result of a user function cannot be read");
}

/* Checks the data of a law as ukJointSetCoulomb and the other functions do. */
static bool lawMayBe(ukBuild *b, const ukJoint *joint, uint64_t mask, const double field[ukLawFields])
{
    bool any = false;
    for (int i = 0; i < ukLawFunction; i++) {
        if (!(mask >> i & 1)) continue;
        any |= field[i] != 0;
        if (!(field[i] >= 0) || !isfinite(field[i])) ukBuildRefuse(b, "a coefficient of a joint law is %g", field[i]);
    }
    const bool dry = (mask & 1) && field[0] != 0;
    if (any && joint && (!joint->class->axes || (dry && !ukLawBears(joint->class))))
        ukBuildRefuse(b, "a %s joint has a joint law that its type does not support", joint->class->name);
    return !b->failed;
}

static void setLaw(ukLaw *law, uint64_t mask, const double field[ukLawFields], ukPlay *play)
{
    double *const to[ukLawFunction] = {&law->mu, &law->arm, &law->viscous, &law->drag, &law->mu_static, &law->speed};
    for (int i = 0; i < ukLawFunction; i++)
        if (mask >> i & 1) *to[i] = field[i];
    if (!(mask >> ukLawFunction & 1)) return;
    const bool has = field[ukLawFunction] != 0;
    law->joint_fn = has && law->joint ? ukPlayJointLaw : NULL;
    law->constraint_fn = has && law->constraint ? ukPlayConstraintLaw : NULL;
    law->data = play;
}

void ukBuildLawFields(ukBuild *b, ukByteReader *r)
{
    double field[ukLawFields] = {0};
    const bool element = ukReadInt(r, 1);
    const uint64_t number = ukReadNumber(r);
    const uint64_t mask = ukBuildReadFields(r, field, ukLawFields);
    const bool contact = !element && (number & ukSerialOf(0, true));
    ukMap *const owners = element ? &b->elements : contact ? &b->contacts : &b->joints;
    void *owner = ukBuildFound(b, owners, number & ~ukSerialOf(0, contact));
    struct ukConstraint *c = element && owner ? ukConstraintOf(owner) : NULL;
    ukJoint *joint = element ? NULL : owner;
    if (r->bad || (!c && !joint)) return;
    if (c && mask >> ukLawError & 1)
        ukConstraintSetError(owner, field[ukLawError] != 0 ? ukPlayError : NULL, playOf(b, true, number));
    if ((mask & ((1u << ukLawError) - 1)) == 0 || !lawMayBe(b, joint, mask, field)) return;
    ukLaw **of = c ? &c->law : &joint->law;
    ukLaw *law = c ? ukLawOfConstraint(c) : ukLawOfJoint(joint);
    ukPlay *play = playOf(b, element, element ? UINT64_C(1) << 40 | number : number);
    if (!law || !play) {
        b->failed = true;
        return;
    }
    play->kind = element ? ukAnswerConstraintLaw : ukAnswerJointLaw;
    play->count = c ? c->element.count : 2;
    setLaw(law, mask, field, play);
    if (!ukLawEmpty(law)) return;
    ukLawFree(law);
    *of = NULL;
}
