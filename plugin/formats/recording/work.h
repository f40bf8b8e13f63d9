/* SPDX-License-Identifier: BSD-3-Clause */
/* plugin/formats/recording/work.h: work by cause, for the recording: sums over all steps, from the world's own ledger
 * where the program keeps one, else from a ledger of the recording that is attached to the world at its first recorded
 * step. */
#ifndef UKODE_PLUGIN_FORMATS_RECORDING_WORK_H
#define UKODE_PLUGIN_FORMATS_RECORDING_WORK_H

#include "plugin/formats/recording/recording.h"

/* Called after a step: sums the work by cause. `rows`: it is recorded in this step; `ours`: ukode has taken the
 * step. */
void ukWorkTake(ukRecordedWorld *tape, ukWorld *world, bool rows, bool ours);

#endif
