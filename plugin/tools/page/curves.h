/* SPDX-License-Identifier: BSD-3-Clause */
/* plugin/tools/page/curves.h: the quantities of a world's steps, as columns over its frames. */
#ifndef UKODE_PLUGIN_TOOLS_PAGE_CURVES_H
#define UKODE_PLUGIN_TOOLS_PAGE_CURVES_H

#include <stdio.h>

#include "plugin/tools/page/frames.h"

/* `,"curves":{...}`: of each frame, or the largest since the frame before. false: no memory. */
bool pageWriteCurves(FILE *file, ukReader *reader, const Frames *frames);
/* `,"ledger":{...}`: work since the start by cause. false: no memory. */
bool pageWriteLedger(FILE *file, ukReader *reader, const Frames *frames);
/* `,"frames":..,"time":..,"number":..` */
void pageWriteTime(FILE *file, ukReader *reader, const Frames *frames);

#endif
