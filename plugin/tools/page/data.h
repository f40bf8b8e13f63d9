/* SPDX-License-Identifier: BSD-3-Clause */
/* plugin/tools/page/data.h: the data of a page, from a recording, as JSON (plugin/tools/page/data.js reads it). */
#ifndef UKODE_PLUGIN_TOOLS_PAGE_DATA_H
#define UKODE_PLUGIN_TOOLS_PAGE_DATA_H

#include <stdio.h>

#include "plugin/tools/query/query.h"

enum { PageFrames = 3600 }; /* at most, of each world */

/* {"run": ..., "meshes": ..., "worlds": [...]}: of `rate` frames a second [1/s]. `ghost`: another run of the same
 * program, whose poses are shown for comparison; NULL: none. false: no memory, or the recording is corrupt (its
 * `error`). */
bool pageDataWrite(FILE *file, ukReader *recording, ukReader *ghost, double rate);

#endif
