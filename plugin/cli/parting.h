/* SPDX-License-Identifier: BSD-3-Clause */
/* plugin/cli/parting.h: where two runs of a program part, in words. */
#ifndef UKODE_PLUGIN_CLI_PARTING_H
#define UKODE_PLUGIN_CLI_PARTING_H

#include "plugin/cli/trace_file.h"

/* One sentence or two: the first step after which a body is more than 1e-6 (m or rad) from where the other run has it;
 * which body, by how much; whose reaction differs most then, and in what; and how far they are apart at the end. */
void partingTell(const TraceWorld *native, const TraceWorld *ours, char *text, size_t size);

#endif
