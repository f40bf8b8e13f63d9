/* SPDX-License-Identifier: BSD-3-Clause */
/* plugin/formats/snapshot/body.h: saves and restores a body: its state, the settings of ODE that its motion depends
 * on, and its auto-disable counters. */
#ifndef UKODE_PLUGIN_FORMATS_SNAPSHOT_BODY_H
#define UKODE_PLUGIN_FORMATS_SNAPSHOT_BODY_H

#include "bridge/base/tape.h"
#include "bridge/world/record.h"
#include "plugin/formats/snapshot/digest.h"

void ukKeepBody(ukTape *tape, ukBody *body);
/* Its state of motion: what ukWorldHash covers of it. */
void ukKeepBodyDigest(ukDigest *digest, const ukBody *body);

#endif
