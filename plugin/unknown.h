/* SPDX-License-Identifier: BSD-3-Clause */
/* plugin/unknown.h: the error for a handle without a record. */
#ifndef UKODE_PLUGIN_UNKNOWN_H
#define UKODE_PLUGIN_UNKNOWN_H

/* Sets ukErrorHandle, and returns it. `kind`: world, body, joint. `handle`: NULL, destroyed, or of an object whose
 * creation did not reach this library, as its program was linked with -lode before -lukode: then the message says so. */
int ukUnknown(const char *kind, const void *handle);

#endif
