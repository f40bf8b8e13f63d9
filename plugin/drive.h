/* SPDX-License-Identifier: BSD-3-Clause */
/* plugin/drive.h: one step of a world: checks whether ukode may step it, steps it, updates summary and recording. The
 * interposed dWorldStep and dWorldQuickStep are defined here. The other files of plugin/ itself reach the formats
 * (plugin/formats/) through these functions alone. */
#ifndef UKODE_PLUGIN_DRIVE_H
#define UKODE_PLUGIN_DRIVE_H

#include "bridge/world/journal.h"
#include "bridge/world/record.h"

/* Takes one step of h [s]; `quick`: requested by dWorldQuickStep (its friction law). ukOk, or a negative status with
 * every body as it was. */
int ukDriveStep(ukWorld *world, double h, bool quick);

/* Called by the wrappers of dInitODE and dInitODE2. */
void ukDriveInitialized(void);
/* Called by the wrapper of dWorldCreate. */
void ukDriveCreated(void);
/* Called by the wrapper of dWorldDestroy; `world` is NULL if it has no record. */
void ukDriveDestroyed(const ukWorld *world, dWorldID handle);
/* Called before every step of h [s], of any stepper: sets initial states of the configuration, lets viewers change the
 * world and pause it (plugin/view/), applies forces of fluids, and records the inputs (*recorded). false: a force of a
 * fluid could not be computed, and no step may be taken. */
bool ukDriveBegin(ukWorld *world, double h, ukStepCall call, bool *recorded);
/* Called after the step, if the world still exists. */
void ukDriveEnd(ukWorld *world, bool taken, bool recorded);
/* Counts and records a step that failed and that no stepper took, with the thread's last error as its reason. */
void ukDriveFailed(ukWorld *world);

/* ---- files ------------------------------------------------------------------------------------------------------- */

/* Called at load: set the recording of the process (plugin/formats/recording/recorder.h), and the files from and to
 * which states are restored and saved, `every` seconds apart (plugin/formats/snapshot/file.h); NULL or "": none.
 * `at_once`: each step is committed before the next one begins. ukDriveOpenStates returns the fault of the file to
 * restore, or NULL. */
void ukDriveOpenRecording(const char *path, const ukRecordOptions *options, bool at_once);
const char *ukDriveOpenStates(const char *restore, const char *save, double every);
/* Each completes the files of the process and its summary: */
void ukDriveClose(void); /* at exit */
void ukDriveLeave(void); /* before _exit, which calls no exit handlers */
void ukDriveFlush(void); /* before another program may replace this one */
/* ukDriveLeave, then the end of the process, as by _exit. */
_Noreturn void ukDriveExit(int status);

/* ukWorldRecord; path NULL: ends it. */
int ukDriveRecord(ukWorld *world, const char *path, const ukRecordOptions *options);
/* Records the new name of a body (or joint) with this key in a recording. */
void ukDriveNamed(const ukWorld *world, bool joint, int64_t key, const char *name);
/* ukWorldSave, ukWorldRestore, ukWorldHash. */
size_t ukDriveSave(ukWorld *world, void *buffer, size_t size);
int ukDriveRestore(ukWorld *world, const void *buffer, size_t size);
void ukDriveHash(const ukWorld *world, unsigned char hash[16]);

#endif
