/* SPDX-License-Identifier: BSD-3-Clause */
#include "plugin/tools/replay/set.h"

#include <string.h>

#include "bridge/base/pool.h"
#include "bridge/world/frame.h"
#include "solvers/bounded/friction_law.h"

/* a whole number within bounds, whatever a recording says */
static int setWhole(double x, int least, int most)
{
    return x >= most ? most : x >= least ? (int)x : least;
}

/* Sets an axis. ODE normalises it: one of its multiples is chosen whose normalisation rounds to the given axis. */
static void setAxis(dBodyID body, const double *axis)
{
    for (int i = 0; i < 64; i++) {
        const double scale = 1 + i * 0.03125;
        dVector3 made;
        dBodySetFiniteRotationAxis(body, scale * axis[0], scale * axis[1], scale * axis[2]);
        dBodyGetFiniteRotationAxis(body, made);
        if (memcmp(made, axis, 3 * sizeof *axis) == 0) return;
    }
}

/* Sets the bits of pose and velocity directly, since ODE's setters of orientations would normalise. */
static void setMoving(const ukBody *body, const double field[ukBodyMoving])
{
    const dBodyID b = body->handle;
    dReal *const R = (dReal *)body->rotation, *const v = (dReal *)body->linear, *const w = (dReal *)body->angular;
    memcpy((dReal *)body->quaternion, field + ukBodyQuaternion, 4 * sizeof *field);
    for (int i = 0; i < 3; i++) memcpy(R + 4 * i, field + ukBodyRotation + 3 * i, 3 * sizeof *field);
    memcpy(v, field + ukBodyVelocity, 3 * sizeof *field);
    memcpy(w, field + ukBodyVelocity + 3, 3 * sizeof *field);
    dBodySetForce(b, field[ukBodyForce], field[ukBodyForce + 1], field[ukBodyForce + 2]);
    dBodySetTorque(b, field[ukBodyForce + 3], field[ukBodyForce + 4], field[ukBodyForce + 5]);
    dBodySetPosition(b, field[0], field[1], field[2]);
}

/* setting the flag takes ODE's samples and thresholds along: all of them are set again */
static void setAutoDisable(dBodyID b, uint64_t mask, const double *field)
{
    if (mask & 1) dBodySetAutoDisableFlag(b, field[0] != 0);
    dBodySetAutoDisableLinearThreshold(b, field[1]);
    dBodySetAutoDisableAngularThreshold(b, field[2]);
    dBodySetAutoDisableSteps(b, setWhole(field[3], 0, 1 << 30));
    dBodySetAutoDisableTime(b, field[4]);
    const unsigned samples = (unsigned)setWhole(field[5], 0, 1 << 20);
    if ((unsigned)dBodyGetAutoDisableAverageSamplesCount(b) != samples)
        dBodySetAutoDisableAverageSamplesCount(b, samples);
}

static void setBodyMass(dBodyID b, const double *field)
{
    dMass mass;
    dMassSetZero(&mass);
    mass.mass = field[0];
    for (int i = 0; i < 9; i++) mass.I[4 * (i / 3) + i % 3] = field[1 + i];
    dBodySetMass(b, &mass);
}

static bool isAnySet(uint64_t mask, int first, int count)
{
    return (mask >> first & (((uint64_t)1 << count) - 1)) != 0;
}

static void setRest(ukBody *body, uint64_t mask, const double field[ukBodyFields], void (*moved)(dBodyID))
{
    const dBodyID b = body->handle;
    if (isAnySet(mask, ukBodyMassless, 1)) ukFrameDeclareMassless(body, field[ukBodyMassless] != 0);
    if (isAnySet(mask, ukBodyMass, 10)) setBodyMass(b, field + ukBodyMass);
    if (isAnySet(mask, ukBodyKinematic, 11) && field[ukBodyKinematic] != 0) dBodySetKinematic(b);
    if (isAnySet(mask, ukBodyKinematic, 11) && field[ukBodyKinematic] == 0) dBodySetDynamic(b);
    if (isAnySet(mask, ukBodyGravity, 1)) dBodySetGravityMode(b, field[ukBodyGravity] != 0);
    if (isAnySet(mask, ukBodyGyroscopic, 1)) dBodySetGyroscopicMode(b, field[ukBodyGyroscopic] != 0);
    if (isAnySet(mask, ukBodyFiniteRotation, 4)) {
        dBodySetFiniteRotationMode(b, field[ukBodyFiniteRotation] != 0);
        setAxis(b, field + ukBodyFiniteRotation + 1);
    }
    if (isAnySet(mask, ukBodyDamping, 4)) {
        dBodySetLinearDamping(b, field[ukBodyDamping]);
        dBodySetAngularDamping(b, field[ukBodyDamping + 1]);
        dBodySetLinearDampingThreshold(b, field[ukBodyDamping + 2]);
        dBodySetAngularDampingThreshold(b, field[ukBodyDamping + 3]);
    }
    if (isAnySet(mask, ukBodyMaxSpin, 1)) dBodySetMaxAngularSpeed(b, field[ukBodyMaxSpin]);
    if (isAnySet(mask, ukBodyAutoDisable, 6)) setAutoDisable(b, mask >> ukBodyAutoDisable, field + ukBodyAutoDisable);
    if ((dBodyIsEnabled(b) != 0) != (field[ukBodyAwake] != 0)) /* auto-disable switched off has woken it */
        (field[ukBodyAwake] != 0 ? dBodyEnable : dBodyDisable)(b);
    if (isAnySet(mask, ukBodyCalled, 1)) dBodySetMovedCallback(b, field[ukBodyCalled] != 0 ? moved : NULL);
}

void ukBodyFieldsSet(ukBody *body, uint64_t mask, const double given[ukBodyFields], void (*moved)(dBodyID))
{
    double field[ukBodyFields];
    ukBodyFieldsMoving(body, field);
    ukBodyFieldsRest(body, field);
    for (int i = 0; i < ukBodyFields; i++)
        if (mask >> i & 1) field[i] = given[i];
    if (isAnySet(mask, 0, ukBodyMoving)) setMoving(body, field);
    if (isAnySet(mask, ukBodyMoving, ukBodyFields - ukBodyMoving)) setRest(body, mask, field, moved);
}

void ukWorldFieldsSet(ukWorld *world, uint64_t mask, const double given[ukWorldFields])
{
    const dWorldID w = world->handle;
    double f[ukWorldFields];
    ukWorldFieldsOf(world, f);
    for (int i = 0; i < ukWorldFields; i++)
        if (mask >> i & 1) f[i] = given[i];
    dWorldSetGravity(w, f[0], f[1], f[2]);
    dWorldSetERP(w, f[ukWorldErp]);
    dWorldSetCFM(w, f[ukWorldErp + 1]);
    dWorldSetContactMaxCorrectingVel(w, f[ukWorldErp + 2]);
    dWorldSetContactSurfaceLayer(w, f[ukWorldErp + 3]);
    dWorldSetQuickStepNumIterations(w, setWhole(f[ukWorldQuick], 1, 1 << 20));
    dWorldSetQuickStepW(w, f[ukWorldQuick + 1]);
    world->enabled = f[ukWorldEnabled] != 0;
    if ((f[ukWorldLedger] != 0) != (world->book != NULL)) ukWorldSetLedger(w, f[ukWorldLedger] != 0);
    const double *s = f + ukWorldSettings;
#define UKODE_INTEGER(type, name, least, most) world->settings.name = (type)setWhole(s[ukPlaceOf_##name], least, most);
#define UKODE_REAL(name, least, most)                                                                                  \
    if (s[ukPlaceOf_##name] >= (least) && s[ukPlaceOf_##name] <= (most)) world->settings.name = s[ukPlaceOf_##name];
    UKODE_SETTINGS(UKODE_INTEGER, UKODE_REAL)
#undef UKODE_INTEGER
#undef UKODE_REAL
}
