/* SPDX-License-Identifier: BSD-3-Clause */
#include "plugin/formats/inputs/fields.h"

#include <math.h>
#include <string.h>

#include "bridge/world/journal.h"

const double ukBodyNew[ukBodyFields] = {[ukBodyQuaternion] = 1,
                                        [ukBodyRotation] = 1,
                                        [ukBodyRotation + 4] = 1,
                                        [ukBodyRotation + 8] = 1,
                                        [ukBodyAwake] = 1,
                                        [ukBodyMass] = 1,
                                        [ukBodyMass + 1] = 1,
                                        [ukBodyMass + 5] = 1,
                                        [ukBodyMass + 9] = 1,
                                        [ukBodyGravity] = 1,
                                        [ukBodyGyroscopic] = 1,
                                        [ukBodyDamping + 2] = 0.01,
                                        [ukBodyDamping + 3] = 0.01,
                                        [ukBodyMaxSpin] = INFINITY,
                                        [ukBodyAutoDisable + 1] = 0.01,
                                        [ukBodyAutoDisable + 2] = 0.01,
                                        [ukBodyAutoDisable + 3] = 10,
                                        [ukBodyAutoDisable + 5] = 1};

void ukBodyFieldsMoving(const ukBody *body, double field[ukBodyMoving])
{
    ukPoseOf(body, field);
    memcpy(field + ukBodyVelocity, body->linear, 3 * sizeof *field);
    memcpy(field + ukBodyVelocity + 3, body->angular, 3 * sizeof *field);
    memcpy(field + ukBodyForce, body->force, 3 * sizeof *field);
    memcpy(field + ukBodyForce + 3, body->torque, 3 * sizeof *field);
}

void ukBodyFieldsRest(const ukBody *body, double field[ukBodyFields])
{
    const dBodyID b = body->handle;
    dMass mass;
    dVector3 axis;
    dBodyGetMass(b, &mass);
    dBodyGetFiniteRotationAxis(b, axis);
    field[ukBodyAwake] = dBodyIsEnabled(b) != 0;
    field[ukBodyKinematic] = dBodyIsKinematic(b) != 0;
    field[ukBodyMass] = mass.mass;
    for (int i = 0; i < 9; i++) field[ukBodyMass + 1 + i] = mass.I[4 * (i / 3) + i % 3];
    field[ukBodyGravity] = dBodyGetGravityMode(b) != 0;
    field[ukBodyGyroscopic] = dBodyGetGyroscopicMode(b) != 0;
    field[ukBodyFiniteRotation] = dBodyGetFiniteRotationMode(b) != 0;
    for (int i = 0; i < 3; i++) field[ukBodyFiniteRotation + 1 + i] = axis[i];
    field[ukBodyDamping] = dBodyGetLinearDamping(b);
    field[ukBodyDamping + 1] = dBodyGetAngularDamping(b);
    field[ukBodyDamping + 2] = dBodyGetLinearDampingThreshold(b);
    field[ukBodyDamping + 3] = dBodyGetAngularDampingThreshold(b);
    field[ukBodyMaxSpin] = dBodyGetMaxAngularSpeed(b);
    field[ukBodyAutoDisable] = dBodyGetAutoDisableFlag(b) != 0;
    field[ukBodyAutoDisable + 1] = dBodyGetAutoDisableLinearThreshold(b);
    field[ukBodyAutoDisable + 2] = dBodyGetAutoDisableAngularThreshold(b);
    field[ukBodyAutoDisable + 3] = dBodyGetAutoDisableSteps(b);
    field[ukBodyAutoDisable + 4] = dBodyGetAutoDisableTime(b);
    field[ukBodyAutoDisable + 5] = dBodyGetAutoDisableAverageSamplesCount(b);
    field[ukBodyCalled] = body->moved != NULL;
    field[ukBodyMassless] = body->massless;
}

void ukWorldFieldsOf(const ukWorld *world, double field[ukWorldFields])
{
    const dWorldID w = world->handle;
    dVector3 g;
    dWorldGetGravity(w, g);
    const double ode[ukWorldSettings] = {g[0],
                                         g[1],
                                         g[2],
                                         dWorldGetERP(w),
                                         dWorldGetCFM(w),
                                         dWorldGetContactMaxCorrectingVel(w),
                                         dWorldGetContactSurfaceLayer(w),
                                         dWorldGetQuickStepNumIterations(w),
                                         dWorldGetQuickStepW(w),
                                         world->enabled};
    memcpy(field, ode, sizeof ode);
    ukSettingsNumbers(&world->settings, field + ukWorldSettings);
    field[ukWorldLedger] = world->book != NULL;
}

void ukLawFieldsOf(const ukLaw *law, double field[ukLawFields])
{
    const double now[ukLawFields] = {
        law->mu, law->arm, law->viscous, law->drag, law->mu_static, law->speed, law->joint_fn || law->constraint_fn};
    memcpy(field, now, sizeof now);
}
