/* SPDX-License-Identifier: BSD-3-Clause */
/* plugin/tools/replay/set.h: sets the fields of bodies and worlds (plugin/formats/inputs/fields.h), to the same bits,
 * by ODE's and ukode's setters. */
#ifndef UKODE_PLUGIN_TOOLS_REPLAY_SET_H
#define UKODE_PLUGIN_TOOLS_REPLAY_SET_H

#include "plugin/formats/inputs/fields.h"

/* Sets those of the mask; the others stay. `moved`: the callback of bodies that have one. */
void ukBodyFieldsSet(ukBody *body, uint64_t mask, const double field[ukBodyFields], void (*moved)(dBodyID));
void ukWorldFieldsSet(ukWorld *world, uint64_t mask, const double field[ukWorldFields]);

#endif
