/* SPDX-License-Identifier: BSD-3-Clause */
/* plugin/analysis/activity.h: the activity of a world's contacts, stops, motors and friction, as text
 * (ukLinearization.activity). */
#ifndef UKODE_PLUGIN_ANALYSIS_ACTIVITY_H
#define UKODE_PLUGIN_ANALYSIS_ACTIVITY_H

#include "bridge/analyze/probe.h"

/* Describes a probe that has begun, in lines. continuous: by their modes; else what of a step is one-sided. Returns
 * whether the step has one-sided or bounded rows. */
bool ukActivityDescribe(const ukProbe *probe, bool continuous, char *text, size_t size);

#endif
