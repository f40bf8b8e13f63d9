/* SPDX-License-Identifier: BSD-3-Clause */
/* plugin/formats/recording/recorder.h: the recordings of a process: which worlds are recorded, into which files. A file
 * of UKODE_RECORD has all worlds of the process, from its first step to its end; ukWorldRecord adds single worlds. A
 * forked child begins a file of its own. */
#ifndef UKODE_PLUGIN_FORMATS_RECORDING_RECORDER_H
#define UKODE_PLUGIN_FORMATS_RECORDING_RECORDER_H

#include "bridge/world/record.h"
#include "plugin/formats/recording/queue.h"

/* Called at load with the values of UKODE_RECORD and the variables of its options; path NULL or "": no recording. No
 * file is created before the first step, and none is replaced: if it exists, the next free name is used (run.ukode,
 * run-2.ukode, run-3.ukode ...). at_once: each step is in the file before the next one begins. */
void ukRecorderOpen(const char *path, const ukRecordOptions *options, bool at_once);
/* Called at exit: completes all files. ODE may be closed by then. */
void ukRecorderClose(void);
/* Called before _exit, which runs no handlers: completes the files within a few seconds, or not at all; does nothing in
 * a child of vfork. */
void ukRecorderLeave(void);
/* Called before exec, which runs no handlers either and may fail: writes all recorded rows to the files, under the same
 * conditions. */
void ukRecorderFlush(void);

/* Records one world, from its next step on, to the file at `path`: to the recording that is being written there, or to
 * a new one, which may replace an earlier recording, but no other file. ukOk; ukErrorArgument, ukErrorMemory or
 * ukErrorUnsupported (no SQLite) with the error set. */
int ukRecorderBegin(ukWorld *world, const char *path, const ukRecordOptions *options);
/* Ends the recording of the world; closes a file to which no world is recorded any more. */
void ukRecorderEnd(ukWorld *world);
void ukRecorderWorldDestroyed(dWorldID world);

/* Called before a step of any stepper: collects what can only be observed then (starts.h). */
void ukRecorderBefore(ukWorld *world);

/* Whether the world's next step will be recorded. */
bool ukRecorderWants(const ukWorld *world);
/* Records a step of h [s] that was taken, in `seconds` of wall time; `ours`: by ukode. Further rows of the step follow
 * (ukRecorderOf), then ukRecorderStepped. The three are called under one ukRecorderLock: if worlds of several threads
 * share a file, all rows of a step precede those of the next one (seal.h). */
void ukRecorderStep(ukWorld *world, double h, double seconds, bool ours);
void ukRecorderStepped(const ukWorld *world);
/* Records a step that failed and that no stepper took, with the thread's last error as its reason. */
void ukRecorderFailed(ukWorld *world);

/* Records an event of this kind since the world's last step that neither the program nor the step has caused. `body`,
 * `joint`: keys, 0: none. No effect if the world is not recorded, or was not stepped yet. */
void ukRecorderMark(ukWorld *world, const char *kind, int64_t body, int64_t joint, double value, const char *text);
/* The world's key in its recording, and time [s] and number of the step recorded last; 0: it is not recorded. */
int64_t ukRecorderKey(const ukWorld *world);
int64_t ukRecorderMoment(const ukWorld *world, double *time);

/* Records a new name of a body or joint. */
void ukRecorderNamed(const ukWorld *world, bool joint, int64_t key, const char *name);

/* What else may write into a world's recording, after ukRecorderStep: the queue, and the key of that step; false: the
 * world is not recorded. To be called, and written to, between ukRecorderLock and ukRecorderUnlock. */
typedef struct ukRecorded {
    ukQueue *queue;
    const ukRecordOptions *options;
    int64_t world, step; /* keys; step 0: none yet */
} ukRecorded;
void ukRecorderLock(void);
void ukRecorderUnlock(void);
bool ukRecorderOf(const ukWorld *world, ukRecorded *recorded);

#endif
