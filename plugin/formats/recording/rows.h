/* SPDX-License-Identifier: BSD-3-Clause */
/* plugin/formats/recording/rows.h: rows of step, body_step, joint_step and contact_step, made from the samples of the
 * stepping thread (raw.h). These run on the writing thread. */
#ifndef UKODE_PLUGIN_FORMATS_RECORDING_ROWS_H
#define UKODE_PLUGIN_FORMATS_RECORDING_ROWS_H

#include "plugin/formats/recording/raw.h"
#include "plugin/formats/recording/writer.h"

/* Data of a world that the writing thread keeps. */
typedef struct ukRowsWorld {
    int64_t world; /* key */
    ukRawMass *mass;
    int masses;
} ukRowsWorld;

/* The bodies' new list: `data` is a ukRowsWorld *, then its masses. */
bool ukRowsMasses(ukWriter *writer, unsigned char *data, size_t size);
/* A ukRawStep and what follows it. */
bool ukRowsStep(ukWriter *writer, unsigned char *data, size_t size);

#endif
