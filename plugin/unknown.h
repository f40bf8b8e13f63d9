/* SPDX-License-Identifier: BSD-3-Clause */
/* plugin/unknown.h: arguments that public calls refuse: handles without a record, values out of range. */
#ifndef UKODE_PLUGIN_UNKNOWN_H
#define UKODE_PLUGIN_UNKNOWN_H

#include "bridge/world/record.h"

/* Sets ukErrorHandle, and returns it. `kind`: world, body, joint. `handle`: NULL, destroyed, or of an object whose
 * creation did not reach this library, as its program was linked with -lode before -lukode: then the message says
 * so. */
int ukUnknown(const char *kind, const void *handle);

/* The record of a world; NULL with ukErrorHandle set. */
ukWorld *ukKnownWorld(dWorldID world);

/* Sets ukErrorArgument, and returns it. */
int ukRefuseArgument(const char *what);

#endif
