/* SPDX-License-Identifier: BSD-3-Clause */
/* plugin/formats/snapshot/spaces.h: saves and restores the order of the geoms in a world's collision spaces. ODE's
 * spaces turn it as geoms move, and pairs, contacts and rows come in it. A space that is not found again as it was
 * keeps the order it has. */
#ifndef UKODE_PLUGIN_FORMATS_SNAPSHOT_SPACES_H
#define UKODE_PLUGIN_FORMATS_SNAPSHOT_SPACES_H

#include "plugin/formats/snapshot/names.h"

/* Read after the poses. */
void ukKeepSpaces(ukTape *tape, const ukNames *names);

#endif
