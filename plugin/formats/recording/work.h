/* SPDX-License-Identifier: BSD-3-Clause */
/* plugin/formats/recording/work.h: work by cause, for the recording: the sums over all steps, of the world's own ledger where the
 * program keeps one, else of a ledger of the recording's, which is lent to the world from its first recorded step on. */
#ifndef UKODE_PLUGIN_FORMATS_RECORDING_WORK_H
#define UKODE_PLUGIN_FORMATS_RECORDING_WORK_H

#include "plugin/formats/recording/recording.h"

/* After a step: `rows`: its work is recorded; `ours`: ukode took it. */
void ukWorkTake(ukTape *tape, ukWorld *world, bool rows, bool ours);

#endif
