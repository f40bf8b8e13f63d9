/* SPDX-License-Identifier: BSD-3-Clause */
/* bridge/recording/work.h: work by cause, for the recording: as the world's ledger has it, or, where none is kept, estimated
 * from steps that are sampled, whose ledger costs the others nothing.
 *
 * Between two samples the work of a step is taken to change linearly (trapezoid rule). The energies of the samples' ends
 * are known, so that what the causes together miss of their change is told as one more, "unsampled": impacts, and what
 * else lasts for less than the samples are apart. */
#ifndef UKODE_BRIDGE_RECORDING_WORK_H
#define UKODE_BRIDGE_RECORDING_WORK_H

#include "bridge/recording/recording.h"

/* After a step: its work is counted where it was kept; `rows`: it has rows of its own; `ours`: ukode took it. */
void ukWorkTake(ukTape *tape, const ukWorld *world, bool rows, bool ours);
/* Then: is the next step, of probably h [s], one of the samples? Not after one that ODE itself took. */
void ukWorkPlan(ukTape *tape, ukWorld *world, double h, bool ours);

#endif
