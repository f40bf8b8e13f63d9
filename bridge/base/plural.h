/* SPDX-License-Identifier: BSD-3-Clause */
/* bridge/base/plural.h: the ending of a counted noun in a message. */
#ifndef UKODE_BRIDGE_BASE_PLURAL_H
#define UKODE_BRIDGE_BASE_PLURAL_H

/* "" after 1, else "s" */
static inline const char *ukPlural(double count)
{
    return count == 1 ? "" : "s";
}

/* "y" after 1, else "ies": bodies */
static inline const char *ukPluralBody(double count)
{
    return count == 1 ? "y" : "ies";
}

#endif
