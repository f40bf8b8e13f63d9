/* SPDX-License-Identifier: BSD-3-Clause */
/* plugin/interpose.c: the interposed functions of ODE, except steps (plugin/drive.c). Each forwards to ODE's own, and
 * informs the bridge. ODE's internal calls come through here as well (dWorldDestroy calls dBodyDestroy, and so on), so
 * a note may arrive twice, or for an object that is not known yet or no longer: notes are idempotent. */

#include "bridge/joints/answers.h"
#include "bridge/ode/ode.h"
#include "bridge/ode/setter.h"
#include "bridge/ode/single.h"
#include "bridge/watch/watch.h"
#include "bridge/world/journal.h"
#include "bridge/world/registry.h"
#include "bridge/world/sleep.h"
#include "plugin/drive.h"
#include "plugin/preload.h"
#include "plugin/wrap.h"

#pragma GCC diagnostic ignored "-Wdeprecated-declarations" /* see bridge/ode/ode.h */
UKODE_WRAPPED(UKODE_WRAP_LISTED)

/* ---- life -------------------------------------------------------------------------------------------------------- */

UKODE_API void dInitODE(void)
{
    const ukOdeFunctions *const ode = UKODE_CREATING_ODE();
    ukDriveInitialized();
    if (ode->dInitODE) ode->dInitODE();
}

UKODE_API int dInitODE2(unsigned flags)
{
    const ukOdeFunctions *const ode = UKODE_CREATING_ODE();
    ukDriveInitialized();
    return ode->dInitODE2 ? ode->dInitODE2(flags) : 0;
}

UKODE_API dWorldID dWorldCreate(void)
{
    const ukOdeFunctions *const ode = UKODE_CREATING_ODE();
    ukPreloadDetect();
    ukDriveCreated();
    const dWorldID world = ode->dWorldCreate ? ode->dWorldCreate() : NULL;
    if (world && ode == &ukOde) ukWatchWorldCreated(world);
    return world;
}

UKODE_API void dWorldDestroy(dWorldID world)
{
    const ukOdeFunctions *const ode = UKODE_CALLED_ODE(ukRegistryWorld(world));
    ukDriveDestroyed(ukRegistryWorld(world), world);
    ukWatchWorldDestroyed(world);
    if (ode->dWorldDestroy) ode->dWorldDestroy(world);
}

UKODE_API dBodyID dBodyCreate(dWorldID world)
{
    const ukOdeFunctions *const ode = UKODE_CALLED_ODE(ukRegistryWorld(world));
    const dBodyID body = ode->dBodyCreate ? ode->dBodyCreate(world) : NULL;
    if (body && ode == &ukOde) ukWatchBodyCreated(world, body);
    return body;
}

/* the record goes before the object */
#define WRAP_END(function, type, registry, watch)                                                                      \
    UKODE_API void function(type object)                                                                               \
    {                                                                                                                  \
        const ukOdeFunctions *const ode = UKODE_CALLED_ODE(registry(object));                                          \
        watch(object);                                                                                                 \
        if (ode->function) ode->function(object);                                                                      \
    }
WRAP_END(dBodyDestroy, dBodyID, ukRegistryBody, ukWatchBodyDestroyed)
WRAP_END(dJointDestroy, dJointID, ukRegistryJoint, ukWatchJointDestroyed)
WRAP_END(dJointGroupEmpty, dJointGroupID, ukRegistryGroup, ukWatchGroupEmptied)
WRAP_END(dJointGroupDestroy, dJointGroupID, ukRegistryGroup, ukWatchGroupDestroyed)

#define WRAP_CREATOR(function, type)                                                                                   \
    UKODE_API dJointID function(dWorldID world, dJointGroupID group)                                                   \
    {                                                                                                                  \
        const ukOdeFunctions *const ode = UKODE_CALLED_ODE(ukRegistryWorld(world));                                    \
        const dJointID joint = ode->function ? ode->function(world, group) : NULL;                                     \
        if (joint && ode == &ukOde) ukWatchJointCreated(world, joint, group, type, NULL);                              \
        return joint;                                                                                                  \
    }
UKODE_JOINT_CREATORS(WRAP_CREATOR)

UKODE_API dJointID dJointCreateContact(dWorldID world, dJointGroupID group, const dContact *contact)
{
    const ukOdeFunctions *const ode = UKODE_CALLED_ODE(ukRegistryWorld(world));
    dContact converted;
    if (ukOdeSingle && ode == &ukOde && contact) {
        ukSingleContact(contact, &converted);
        contact = &converted;
    }
    const dJointID joint = ode->dJointCreateContact ? ode->dJointCreateContact(world, group, contact) : NULL;
    if (joint && ode == &ukOde) ukWatchJointCreated(world, joint, group, dJointTypeContact, contact);
    return joint;
}

UKODE_API dJointGroupID dJointGroupCreate(int max_size)
{
    const ukOdeFunctions *const ode = UKODE_CREATING_ODE();
    const dJointGroupID group = ode->dJointGroupCreate ? ode->dJointGroupCreate(max_size) : NULL;
    if (group && ode == &ukOde) ukWatchGroupCreated(group);
    return group;
}

UKODE_API void dJointAttach(dJointID joint, dBodyID body1, dBodyID body2)
{
    const ukOdeFunctions *const ode = UKODE_CALLED_ODE(ukRegistryJoint(joint));
    if (ode->dJointAttach) ode->dJointAttach(joint, body1, body2);
    ukWatchJointAttached(joint);
    ukJointNoted(joint, &(ukNote){.kind = ukNoteAttach});
}

/* ---- bodies and joints that stay, but change --------------------------------------------------------------------- */

/* Calls the moved callback from within ODE's own step of a world whose inputs are recorded. */
static void movedNatively(dBodyID body)
{
    ukBody *const b = ukRegistryBody(body);
    if (!b || !b->moved) return;
    ukWorld *const world = b->world;
    ukJournalCalled(world, b, false);
    b->moved(body);
    ukJournalCalled(world, b, true);
}

UKODE_API void dBodySetMovedCallback(dBodyID body, void (*callback)(dBodyID))
{
    const ukOdeFunctions *const ode = UKODE_CALLED_ODE(ukRegistryBody(body));
    ukBody *b = ukRegistryBody(body);
    void (*const installed)(dBodyID) = callback && b && b->world->journal ? movedNatively : callback;
    if (ode->dBodySetMovedCallback) ode->dBodySetMovedCallback(body, installed);
    if (b) b->moved = callback;
}

/* Calls that programs repeat at every step without an effect, such as dBodyEnable on a body that is awake, must not
 * count as changes: islands and plans would be computed again. */

static bool sameMass(const dMass *x, const dMass *y)
{
    bool same = x->mass == y->mass;
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++) same &= x->I[4 * i + k] == y->I[4 * i + k];
    return same;
}

/* it makes a kinematic body a dynamic one */
UKODE_API void dBodySetMass(dBodyID body, const dMass *mass)
{
    const ukOdeFunctions *const ode = UKODE_CALLED_ODE(ukRegistryBody(body));
    dMass before, converted;
    if (ukOdeSingle && ode == &ukOde && mass) {
        ukSingleMass(mass, &converted);
        mass = &converted;
    }
    bool was = ukRegistryBody(body) && !dBodyIsKinematic(body);
    if (was) dBodyGetMass(body, &before);
    if (was) was = sameMass(&before, mass);
    if (ode->dBodySetMass) ode->dBodySetMass(body, mass);
    if (!was) ukWatchBodyChanged(body);
}

/* `is`: the object is already as the call makes it */
#define WRAP_CHANGE(function, type, registry, is, changed)                                                             \
    UKODE_API void function(type object)                                                                               \
    {                                                                                                                  \
        const ukOdeFunctions *const ode = UKODE_CALLED_ODE(registry(object));                                          \
        const bool was = registry(object) && (is);                                                                     \
        if (ode->function) ode->function(object);                                                                      \
        if (!was) changed(object);                                                                                     \
    }
WRAP_CHANGE(dBodySetKinematic, dBodyID, ukRegistryBody, dBodyIsKinematic(object), ukWatchBodyChanged)
WRAP_CHANGE(dBodySetDynamic, dBodyID, ukRegistryBody, !dBodyIsKinematic(object), ukWatchBodyChanged)
WRAP_CHANGE(dBodyDisable, dBodyID, ukRegistryBody, !dBodyIsEnabled(object), ukWatchBodyChanged)
WRAP_CHANGE(dJointEnable, dJointID, ukRegistryJoint, dJointIsEnabled(object), ukWatchJointChanged)
WRAP_CHANGE(dJointDisable, dJointID, ukRegistryJoint, !dJointIsEnabled(object), ukWatchJointChanged)

UKODE_API void dBodyEnable(dBodyID body)
{
    const ukOdeFunctions *const ode = UKODE_CALLED_ODE(ukRegistryBody(body));
    ukBody *b = ukRegistryBody(body);
    const bool was = b && dBodyIsEnabled(body);
    if (ode->dBodyEnable) ode->dBodyEnable(body);
    if (b) ukSleepReset(b);
    if (b) ukJournalBodyEvent(b, ukEventBodyEnabled);
    if (!was) ukWatchBodyChanged(body);
}

UKODE_API void dBodySetAutoDisableAverageSamplesCount(dBodyID body, unsigned int count)
{
    const ukOdeFunctions *const ode = UKODE_CALLED_ODE(ukRegistryBody(body));
    if (ode->dBodySetAutoDisableAverageSamplesCount) ode->dBodySetAutoDisableAverageSamplesCount(body, count);
    ukBody *b = ukRegistryBody(body);
    if (b) ukSleepForget(b);
    if (b) ukJournalBodyEvent(b, ukEventBodySamples);
}

/* switched off, it enables the body and takes the world's sample count again */
static void autoDisableFlagSet(dBodyID body, bool was_awake)
{
    ukBody *b = ukRegistryBody(body);
    if (!b || dBodyGetAutoDisableFlag(body)) return;
    ukSleepForget(b);
    ukJournalBodyEvent(b, ukEventBodySamples);
    if (!was_awake) ukWatchBodyChanged(body);
}

UKODE_API void dBodySetAutoDisableFlag(dBodyID body, int do_auto_disable)
{
    const ukOdeFunctions *const ode = UKODE_CALLED_ODE(ukRegistryBody(body));
    const bool was = ukRegistryBody(body) && dBodyIsEnabled(body);
    if (ode->dBodySetAutoDisableFlag) ode->dBodySetAutoDisableFlag(body, do_auto_disable);
    autoDisableFlagSet(body, was);
}

UKODE_API void dBodySetAutoDisableDefaults(dBodyID body)
{
    const ukOdeFunctions *const ode = UKODE_CALLED_ODE(ukRegistryBody(body));
    const bool was = ukRegistryBody(body) && dBodyIsEnabled(body);
    if (ode->dBodySetAutoDisableDefaults) ode->dBodySetAutoDisableDefaults(body);
    autoDisableFlagSet(body, was);
}

/* ---- setters of joints: ODE first, then the note, which reads poses of this moment ------------------------------- */

#define NOTE(function, ...) ukJointNoted(joint, &(ukNote){.setter = ukSetter_##function, __VA_ARGS__})

#define WRAP_VECTOR(function, note)                                                                                    \
    UKODE_API void function(dJointID joint, dReal x, dReal y, dReal z)                                                 \
    {                                                                                                                  \
        const ukOdeFunctions *const ode = UKODE_CALLED_ODE(ukRegistryJoint(joint));                                    \
        UKODE_GIVEN(ode, &x, &y, &z);                                                                                  \
        if (ode->function) ode->function(joint, x, y, z);                                                              \
        NOTE(function, .kind = note, .x = {x, y, z});                                                                  \
    }
UKODE_SETTERS_VECTOR(WRAP_VECTOR)
UKODE_SETTERS_FORK(WRAP_VECTOR)

#define WRAP_VECTOR_DELTA(function, note)                                                                              \
    UKODE_API void function(dJointID joint, dReal x, dReal y, dReal z, dReal dx, dReal dy, dReal dz)                   \
    {                                                                                                                  \
        const ukOdeFunctions *const ode = UKODE_CALLED_ODE(ukRegistryJoint(joint));                                    \
        UKODE_GIVEN(ode, &x, &y, &z, &dx, &dy, &dz);                                                                   \
        if (ode->function) ode->function(joint, x, y, z, dx, dy, dz);                                                  \
        NOTE(function, .kind = note, .x = {x, y, z, dx, dy, dz});                                                      \
    }
UKODE_SETTERS_VECTOR_DELTA(WRAP_VECTOR_DELTA)

#define WRAP_PARAM(function, which)                                                                                    \
    UKODE_API void function(dJointID joint, int parameter, dReal value)                                                \
    {                                                                                                                  \
        const ukOdeFunctions *const ode = UKODE_CALLED_ODE(ukRegistryJoint(joint));                                    \
        UKODE_GIVEN(ode, &value);                                                                                      \
        if (ode->function) ode->function(joint, parameter, value);                                                     \
        NOTE(function, .kind = ukNoteParam, .i = parameter, .rel = which, .x = {value});                               \
    }
UKODE_SETTERS_PARAM(WRAP_PARAM)

#define WRAP_REAL(function, note, which)                                                                               \
    UKODE_API void function(dJointID joint, dReal value)                                                               \
    {                                                                                                                  \
        const ukOdeFunctions *const ode = UKODE_CALLED_ODE(ukRegistryJoint(joint));                                    \
        UKODE_GIVEN(ode, &value);                                                                                      \
        if (ode->function) ode->function(joint, value);                                                                \
        NOTE(function, .kind = note, .i = which, .x = {value});                                                        \
    }
UKODE_SETTERS_REAL(WRAP_REAL)

#define WRAP_INT(function, note)                                                                                       \
    UKODE_API void function(dJointID joint, int value)                                                                 \
    {                                                                                                                  \
        const ukOdeFunctions *const ode = UKODE_CALLED_ODE(ukRegistryJoint(joint));                                    \
        if (ode->function) ode->function(joint, value);                                                                \
        NOTE(function, .kind = note, .i = value);                                                                      \
    }
UKODE_SETTERS_INT(WRAP_INT)

#define WRAP_MOTOR_AXIS(function, note)                                                                                \
    UKODE_API void function(dJointID joint, int number, int relative, dReal x, dReal y, dReal z)                       \
    {                                                                                                                  \
        const ukOdeFunctions *const ode = UKODE_CALLED_ODE(ukRegistryJoint(joint));                                    \
        UKODE_GIVEN(ode, &x, &y, &z);                                                                                  \
        if (ode->function) ode->function(joint, number, relative, x, y, z);                                            \
        NOTE(function, .kind = note, .i = number, .rel = relative, .x = {x, y, z});                                    \
    }
UKODE_SETTERS_MOTOR_AXIS(WRAP_MOTOR_AXIS)

UKODE_API void dJointSetFixed(dJointID joint)
{
    const ukOdeFunctions *const ode = UKODE_CALLED_ODE(ukRegistryJoint(joint));
    if (ode->dJointSetFixed) ode->dJointSetFixed(joint);
    NOTE(dJointSetFixed, .kind = ukNoteFix);
}

UKODE_API void dJointSetAMotorAngle(dJointID joint, int axis, dReal angle)
{
    const ukOdeFunctions *const ode = UKODE_CALLED_ODE(ukRegistryJoint(joint));
    UKODE_GIVEN(ode, &angle);
    if (ode->dJointSetAMotorAngle) ode->dJointSetAMotorAngle(joint, axis, angle);
    NOTE(dJointSetAMotorAngle, .kind = ukNoteAngle, .i = axis, .x = {angle});
}

UKODE_API void dJointSetHingeAxisOffset(dJointID joint, dReal x, dReal y, dReal z, dReal angle)
{
    const ukOdeFunctions *const ode = UKODE_CALLED_ODE(ukRegistryJoint(joint));
    UKODE_GIVEN(ode, &x, &y, &z, &angle);
    if (ode->dJointSetHingeAxisOffset) ode->dJointSetHingeAxisOffset(joint, x, y, z, angle);
    NOTE(dJointSetHingeAxisOffset, .kind = ukNoteAxisOffset, .x = {x, y, z, angle});
}

#define WRAP_UNIVERSAL_OFFSET(function, note)                                                                          \
    UKODE_API void function(dJointID joint, dReal x, dReal y, dReal z, dReal offset1, dReal offset2)                   \
    {                                                                                                                  \
        const ukOdeFunctions *const ode = UKODE_CALLED_ODE(ukRegistryJoint(joint));                                    \
        UKODE_GIVEN(ode, &x, &y, &z, &offset1, &offset2);                                                              \
        if (ode->function) ode->function(joint, x, y, z, offset1, offset2);                                            \
        NOTE(function, .kind = note, .x = {x, y, z, offset1, offset2});                                                \
    }
WRAP_UNIVERSAL_OFFSET(dJointSetUniversalAxis1Offset, ukNoteAxisOffset)
WRAP_UNIVERSAL_OFFSET(dJointSetUniversalAxis2Offset, ukNoteAxis2Offset)

/* either axis may be NULL: left as it is */
UKODE_API void dJointSetHinge2Axes(dJointID joint, const dReal *axis1, const dReal *axis2)
{
    const ukOdeFunctions *const ode = UKODE_CALLED_ODE(ukRegistryJoint(joint));
    dReal converted[2][3];
    if (ukOdeSingle && ode == &ukOde) {
        for (int k = 0; k < 3; k++) {
            if (axis1) converted[0][k] = ukSingleElement(axis1, (size_t)k);
            if (axis2) converted[1][k] = ukSingleElement(axis2, (size_t)k);
        }
        if (axis1) axis1 = converted[0];
        if (axis2) axis2 = converted[1];
    }
    if (ode->dJointSetHinge2Axes) ode->dJointSetHinge2Axes(joint, axis1, axis2);
    ukNote note = {.setter = ukSetter_dJointSetHinge2Axes, .kind = ukNoteAxes, .i = (axis1 ? 1 : 0) | (axis2 ? 2 : 0)};
    for (int k = 0; k < 3; k++) {
        if (axis1) note.x[k] = axis1[k];
        if (axis2) note.x[3 + k] = axis2[k];
    }
    ukJointNoted(joint, &note);
}

/* ---- getters whose answer ODE renews inside its own step --------------------------------------------------------- */

/* an answer of the served copy, or of another one, whose real numbers pass unread */
static dReal convertAnswer(const ukOdeFunctions *ode, dReal x)
{
    return ukOdeSingle && ode == &ukOde ? ukSingleResult(x) : x;
}

UKODE_API dReal dJointGetAMotorAngle(dJointID joint, int axis)
{
    const ukOdeFunctions *const ode = UKODE_CALLED_ODE(ukRegistryJoint(joint));
    dReal angle = 0;
    if (!ukAnswerAMotorAngle(joint, axis, &angle) && ode->dJointGetAMotorAngle)
        angle = ode->dJointGetAMotorAngle(joint, axis);
    return convertAnswer(ode, angle);
}

#define WRAP_GEAR_NUMBER(function, field)                                                                              \
    UKODE_API dReal function(dJointID joint)                                                                           \
    {                                                                                                                  \
        const ukOdeFunctions *const ode = UKODE_CALLED_ODE(ukRegistryJoint(joint));                                    \
        const ukJoint *const record = ukAnswersOf(joint, dJointTypeTransmission);                                      \
        if (record) return convertAnswer(ode, record->of.gear.field);                                                  \
        return ode->function ? convertAnswer(ode, ode->function(joint)) : 0;                                           \
    }
UKODE_GEAR_NUMBERS(WRAP_GEAR_NUMBER)

#define WRAP_GEAR_POINT(function, field)                                                                               \
    UKODE_API void function(dJointID joint, dVector3 result)                                                           \
    {                                                                                                                  \
        const ukOdeFunctions *const ode = UKODE_CALLED_ODE(ukRegistryJoint(joint));                                    \
        const ukJoint *const record = ukAnswersOf(joint, dJointTypeTransmission);                                      \
        dVector3 found = {0};                                                                                          \
        if (record)                                                                                                    \
            ukSingleReturn(result, record->of.gear.field, 3);                                                          \
        else if (ode == &ukOde && ode->function)                                                                       \
            ode->function(joint, found), ukSingleReturn(result, found, 3);                                             \
        else if (ode->function)                                                                                        \
            ode->function(joint, result);                                                                              \
    }
UKODE_GEAR_POINTS(WRAP_GEAR_POINT)

#define WRAP_GEAR_AXIS(function, axis)                                                                                 \
    UKODE_API void function(dJointID joint, dVector3 result)                                                           \
    {                                                                                                                  \
        const ukOdeFunctions *const ode = UKODE_CALLED_ODE(ukRegistryJoint(joint));                                    \
        dVector3 found = {0};                                                                                          \
        if (ode != &ukOde && ode->function) ode->function(joint, result);                                              \
        if (ode != &ukOde) return;                                                                                     \
        if (!ukAnswerGearAxis(joint, axis, found) && ode->function) ode->function(joint, found);                       \
        ukSingleReturn(result, found, 3);                                                                              \
    }
UKODE_GEAR_AXES(WRAP_GEAR_AXIS)
