/* SPDX-License-Identifier: BSD-3-Clause */
/* bridge/diagnose/survey.h: a world's diagnosis (bridge/diagnose/diagnose.h) in words, for UKODE_VERBOSE and `ukode
 * info`: before its first step, and after its bodies and joints have changed and then remained unchanged for a
 * while. */
#ifndef UKODE_BRIDGE_DIAGNOSE_SURVEY_H
#define UKODE_BRIDGE_DIAGNOSE_SURVEY_H

#include "bridge/world/record.h"

/* path: of a file to append to; NULL or "": only the log, if that is verbose. Without either, nothing is ever computed.
 */
void ukSurveyOpen(const char *path);

/* Called before each step of `world`: prints its diagnosis if due; a world that cannot be diagnosed is no error. Users'
 * functions are called, which may destroy the world: its handle is then NULL. */
void ukSurveyStep(ukWorld *world);

#endif
