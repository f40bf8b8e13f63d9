/* SPDX-License-Identifier: BSD-3-Clause */
/* plugin/formats/inputs/fields.h: the quantities of a body, a world or a law that a program can set without a call
 * that ukode sees, as numbers in a fixed order: read from ODE and the records. The order is part of the recording's
 * format (plugin/formats/inputs/capture.h). */
#ifndef UKODE_PLUGIN_FORMATS_INPUTS_FIELDS_H
#define UKODE_PLUGIN_FORMATS_INPUTS_FIELDS_H

#include "bridge/user/joint_law.h"
#include "bridge/world/element.h"

/* of a body */
enum {
    ukBodyPosition,       /* 3 */
    ukBodyQuaternion = 3, /* 4 */
    ukBodyRotation = 7,   /* 9, row-major: ODE's matrix, which may differ from the quaternion's by rounding */
    ukBodyVelocity = 16,  /* 3, then spin 3 */
    ukBodyForce = 22,     /* 3, then torque 3 */
    ukBodyMoving = 28,    /* number of the fields above */
    ukBodyAwake = 28,
    ukBodyKinematic,
    ukBodyMass, /* 1, then inertia 9 */
    ukBodyGravity = 40,
    ukBodyGyroscopic,
    ukBodyFiniteRotation, /* 1, then axis 3 */
    ukBodyDamping = 46,   /* linear, angular; their thresholds */
    ukBodyMaxSpin = 50,
    ukBodyAutoDisable, /* flag; linear and angular threshold; steps, time, samples */
    ukBodyCalled = 57, /* 1: it has a callback of dBodySetMovedCallback */
    ukBodyMassless,    /* 1: it has no mass (ukBodySetMassless) */
    ukBodyFields
};

/* of a world: gravity 3, ERP, CFM, most correcting velocity and surface layer of contacts; iterations and relaxation of
 * dWorldQuickStep; whether its steps are ukode's; then settings in their order (bridge/world/settings.h); whether a
 * ledger is kept, which calls user functions more often */
enum {
    ukWorldErp = 3,
    ukWorldQuick = 7,
    ukWorldEnabled = 9,
    ukWorldSettings,
    ukWorldLedger = ukWorldSettings + ukSettingsCount,
    ukWorldFields
};
_Static_assert(ukSettingsCount == 18, "a setting was added: increment ukInputsFormat");

/* of a law: mu, arm, viscous, drag, mu_static, speed, 1: it has a function; 1: its constraint has an error function */
enum { ukLawFunction = 6, ukLawError, ukLawFields };

extern const double ukBodyNew[ukBodyFields]; /* of a new body in a world as dWorldCreate makes it */

void ukBodyFieldsMoving(const ukBody *body, double field[ukBodyMoving]);
void ukBodyFieldsRest(const ukBody *body, double field[ukBodyFields]); /* from ukBodyMoving on */
void ukWorldFieldsOf(const ukWorld *world, double field[ukWorldFields]);
void ukLawFieldsOf(const ukLaw *law, double field[ukLawFields]);

#endif
