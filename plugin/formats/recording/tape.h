/* SPDX-License-Identifier: BSD-3-Clause */
/* plugin/formats/recording/tape.h: one world in a recording: its start, its steps, its end. */
#ifndef UKODE_PLUGIN_FORMATS_RECORDING_TAPE_H
#define UKODE_PLUGIN_FORMATS_RECORDING_TAPE_H

#include "plugin/formats/recording/recording.h"

/* A world joins a recording; NULL: no memory. */
ukRecordedWorld *ukTapeBegin(ukWorld *world, ukRecording *recording);
/* The world leaves the recording; it may have been destroyed. Waits for the writing thread. */
void ukTapeEnd(ukRecordedWorld *tape, ukWorld *world);

/* A step is about to be taken. */
void ukTapeBefore(ukRecordedWorld *tape, const ukWorld *world);
/* A step of h [s] has been taken, in `seconds` of wall time; `ours`: by ukode. */
void ukTapeStep(ukRecordedWorld *tape, ukWorld *world, double h, double seconds, bool ours);
/* A step failed, and no stepper took it: the thread's last error is its reason. */
void ukTapeFailed(ukRecordedWorld *tape, const ukWorld *world);
/* An event after the last step; nothing before the first. See ukRecorderMark. */
void ukTapeMark(ukRecordedWorld *tape, const char *kind, int64_t body, int64_t joint, double value, const char *text);

#endif
