/* SPDX-License-Identifier: BSD-3-Clause */
/* plugin/formats/snapshot/spaces.h: saves and restores the order of the geoms in a world's collision spaces. ODE's
 * spaces change this order as geoms move, and pairs, contacts and rows follow it. A space whose contents differ from
 * the saved ones keeps its present order. */
#ifndef UKODE_PLUGIN_FORMATS_SNAPSHOT_SPACES_H
#define UKODE_PLUGIN_FORMATS_SNAPSHOT_SPACES_H

#include "plugin/formats/snapshot/names.h"

/* Transfers the orders of the spaces; to be read after the poses. */
void ukKeepSpaces(ukTape *tape, const ukNames *names);

#endif
