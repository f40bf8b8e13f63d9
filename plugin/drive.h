/* SPDX-License-Identifier: BSD-3-Clause */
/* plugin/drive.h: one call of dWorldStep: checks whether ukode may step the world, steps it, updates summary and
 * recording. */
#ifndef UKODE_PLUGIN_DRIVE_H
#define UKODE_PLUGIN_DRIVE_H

#include "bridge/world/record.h"

/* One step of h [s]; `quick`: asked for by dWorldQuickStep (its friction law). ukOk, or a negative status with every
 * body as it was. */
int ukDriveStep(ukWorld *world, double h, bool quick);

/* dInitODE or dInitODE2 is called. */
void ukDriveInitialized(void);
/* dWorldCreate is called. */
void ukDriveCreated(void);
/* Before every step, before its inputs are recorded: viewers may change the world, and make it wait (plugin/view/). */
void ukDriveOutside(ukWorld *world);
/* dWorldDestroy is called; NULL: of a world without a record. */
void ukDriveDestroyed(const ukWorld *world);
/* Before every step, whoever takes it: a program that crashes in its first step has reported that it steps. */
void ukDriveBegin(ukWorld *world);
/* Before a step that ODE's own stepper takes: what a recording wants to know of the state that it begins with. */
void ukDriveBeforeNative(ukWorld *world);
/* What is told of every step, whoever took it (`ours`: ukode), h [s] and wall time [s]: all rows of a recording at
 * once, since other threads' steps may follow; and of one that failed and no stepper took, with the thread's last error
 * as its reason. */
void ukDriveTell(ukWorld *world, double h, double seconds, bool ours);
void ukDriveTellFailed(ukWorld *world);

/* Whether ODE's own stepper can be given the world: what is not finite it would abort on. ukOk, ukErrorNotFinite or
 * ukErrorMass, with the body named; ukErrorUnsupported, without a message, for a body without mass, or a
 * constraint with actuators or a weight, which ODE would step without. */
int ukDriveHandOver(const ukWorld *world);
/* ODE's own stepper answers for a step that failed with `status`: counted, and named in the log. */
void ukDriveCountFallback(ukWorld *world, int status);

#endif
