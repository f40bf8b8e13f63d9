/* SPDX-License-Identifier: BSD-3-Clause */
/* plugin/formats/recording/recorder.h: the recordings of a process: which worlds are recorded, into which files. A file
 * of UKODE_RECORD has all worlds of the process, from its first step to its end; ukWorldRecord adds single worlds. A
 * forked child begins a file of its own. */
#ifndef UKODE_PLUGIN_FORMATS_RECORDING_RECORDER_H
#define UKODE_PLUGIN_FORMATS_RECORDING_RECORDER_H

#include "bridge/world/record.h"
#include "plugin/formats/recording/queue.h"

/* At load: what UKODE_RECORD and similar variables request; path NULL or "": nothing. No file is made before the
 * first step, and none is written over: where one is, the next free name is taken (run.ukode, run-2.ukode,
 * run-3.ukode ...). at_once: each step is in the file before the next one begins. */
void ukRecorderOpen(const char *path, const ukRecordOptions *options, bool at_once);
/* At exit: all files are written to their end. ODE may be closed by then. */
void ukRecorderClose(void);
/* Before _exit, which runs no handler: the same within a few seconds, or not at all; nothing in a child of vfork. */
void ukRecorderLeave(void);
/* Before exec, which runs no exit handlers either and may fail: writes all recorded rows to the file, under the same
 * conditions. */
void ukRecorderFlush(void);

/* One world, from its next step on, into the file at `path`: into the one that is being written there, or into a fresh
 * one, which replaces an earlier recording, and nothing else. ukOk; ukErrorArgument, ukErrorMemory or
 * ukErrorUnsupported (no SQLite) with the error set. */
int ukRecorderBegin(ukWorld *world, const char *path, const ukRecordOptions *options);
/* No more; a file that nothing records into any more is closed. */
void ukRecorderEnd(ukWorld *world);
void ukRecorderWorldDestroyed(dWorldID world);

/* Before a step, whoever takes it: what can only be found then (starts.h). */
void ukRecorderBefore(ukWorld *world);

/* Whether the world's next step will be recorded. */
bool ukRecorderWants(const ukWorld *world);
/* A step of h [s] was taken, in `seconds` of wall time; `ours`: by ukode. Then what else belongs to it (ukRecorderOf),
 * and ukRecorderStepped: that was all. The three under one ukRecorderLock: where worlds of several threads share a
 * file, a step's rows are in it before the next step's (seal.h). */
void ukRecorderStep(ukWorld *world, double h, double seconds, bool ours);
void ukRecorderStepped(const ukWorld *world);
/* A step failed, and no stepper took it: the thread's last error is its reason. */
void ukRecorderFailed(ukWorld *world);

/* Something that is neither the program's nor the step's doing happened to the world since its last step: an event of
 * this kind. `body`, `joint`: keys, 0: of none. Nothing for a world that is not recorded, or was not stepped yet. */
void ukRecorderMark(ukWorld *world, const char *kind, int64_t body, int64_t joint, double value, const char *text);
/* The world's key in its recording, and time [s] and number of the step recorded last; 0: it is not recorded. */
int64_t ukRecorderKey(const ukWorld *world);
int64_t ukRecorderMoment(const ukWorld *world, double *time);

/* A name was set again. */
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
