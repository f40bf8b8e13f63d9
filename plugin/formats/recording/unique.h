/* SPDX-License-Identifier: BSD-3-Clause */
/* plugin/formats/recording/unique.h: whether a joint's reaction is uniquely determined within its island.
 *
 * Reactions differ by y with A' y + ... = 0, the null vectors of K = A M^-1 A' + S of the rows that hold. A joint's is
 * the only one where its part of all of them exerts nothing: A_j' y_j = 0. The space itself is not needed for that: the
 * least squares answer to K y = r leaves of an arbitrary r its part in the null space, in which, r being arbitrary, every
 * row has a share that has one at all. That is one more solve of the island, made when its joints, the rows that hold or
 * their rank have changed, by a solver that nothing else uses.
 *
 * Not for islands with contacts: docs/recording.md says why (joint_step). */
#ifndef UKODE_PLUGIN_FORMATS_RECORDING_UNIQUE_H
#define UKODE_PLUGIN_FORMATS_RECORDING_UNIQUE_H

#include "bridge/island/island.h"

typedef struct ukUnique {
    ukEquality *equality; /* NULL: not needed yet */
    void *memory;
    size_t room;
} ukUnique;

/* Sets split.unique of the island's joints: 1, 0, or -1: unknown (of islands with contacts, and without memory). */
void ukUniqueIsland(ukUnique *unique, const ukIsland *island);
void ukUniqueFree(ukUnique *unique);

#endif
