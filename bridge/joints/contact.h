/* SPDX-License-Identifier: BSD-3-Clause */
/* bridge/joints/contact.h: copies the data of a contact joint into its record. */
#ifndef UKODE_BRIDGE_JOINTS_CONTACT_H
#define UKODE_BRIDGE_JOINTS_CONTACT_H

#include "bridge/base/contact_memory.h"
#include "bridge/joints/undirected.h"
#include "bridge/world/record.h"

void ukContactRecord(ukJoint *joint, const dContact *contact);

/* Names the datum that is NaN, infinite or invalid ("fdir1 is not finite"); NULL: there is none. */
const char *ukContactFault(const ukContact *contact);

/* Bits of undirected.h: coefficients that differ between the two friction directions, and motions along them, where the
 * program has not set the first of these. */
int ukContactUndirected(const ukContact *contact);

/* Key of the contact in the memory of contacts: its geoms or, where the program gives none, its bodies. Its rows are
 * forces on body[0]. */
static inline ukContactKey ukContactKeyOf(const ukJoint *joint)
{
    const ukContact *g = &joint->contact;
    const bool geoms = g->g1 || g->g2;
    return (ukContactKey){.first = geoms ? (const void *)g->g1 : (const void *)joint->body[0],
                          .second = geoms ? (const void *)g->g2 : (const void *)joint->body[1],
                          .position = g->pos,
                          .sign = geoms && joint->reverse ? -1 : 1};
}

#endif
