/* SPDX-License-Identifier: BSD-3-Clause */
/* plugin/formats/recording/sample.h: copies a world's quantities after a step, for the writer thread. It reads ODE's
 * storage and ukode's records, and changes neither. */
#ifndef UKODE_PLUGIN_FORMATS_RECORDING_SAMPLE_H
#define UKODE_PLUGIN_FORMATS_RECORDING_SAMPLE_H

#include "plugin/formats/recording/recording.h"

/* `rows`: bodies, joints and contacts are to have rows of this step. Whether a body may have fallen asleep or woken
 * since the last one. */
bool ukSampleStep(ukRecordedWorld *tape, ukWorld *world, double h, double seconds, bool ours, bool rows);

#endif
