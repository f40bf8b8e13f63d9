/* SPDX-License-Identifier: BSD-3-Clause */
/* plugin/formats/recording/bounded_rows.h: records the one-sided and bounded rows of user constraints. */
#ifndef UKODE_PLUGIN_FORMATS_RECORDING_BOUNDED_ROWS_H
#define UKODE_PLUGIN_FORMATS_RECORDING_BOUNDED_ROWS_H

#include "bridge/world/record.h"
#include "plugin/formats/recording/queue.h"

/* Rows of bounded_row_step, after a step of ukode with this key. Rows that were not evaluated in it have none. */
void ukBoundedRowsPut(ukQueue *queue, const ukWorld *world, int64_t step);

#endif
