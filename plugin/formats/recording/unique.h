/* SPDX-License-Identifier: BSD-3-Clause */
/* plugin/formats/recording/unique.h: whether a joint's reaction is uniquely determined within its island.
 *
 * Multipliers are determined up to null vectors y of K = A M^-1 A' + S of the active rows. A joint's reaction is unique
 * if no null vector changes it, A_j' y_j = 0. The null space itself is not needed: the residual of the least-squares
 * solution of K y = r, with an arbitrary r, is the part of r in the null space, and has a component in every row in
 * which some null vector has one. This is one more solve of the island, made when its joints, the active rows or their
 * rank have changed, by a separate solver.
 *
 * Not for islands with contacts: docs/recording.md says why (joint_step). */
#ifndef UKODE_PLUGIN_FORMATS_RECORDING_UNIQUE_H
#define UKODE_PLUGIN_FORMATS_RECORDING_UNIQUE_H

#include "bridge/island/island.h"

typedef struct ukUnique {
    ukEquality *equality; /* NULL: not needed yet */
    void *memory;
    size_t capacity;
} ukUnique;

/* Sets split.unique of the island's joints: 1, 0, or -1: unknown (of islands with contacts, and without memory). */
void ukUniqueIsland(ukUnique *unique, const ukIsland *island);
void ukUniqueFree(ukUnique *unique);

#endif
