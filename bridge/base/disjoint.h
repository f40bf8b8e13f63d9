/* SPDX-License-Identifier: BSD-3-Clause */
/* bridge/base/disjoint.h: disjoint sets of the numbers 0, 1, 2 ..., as trees of parents. */
#ifndef UKODE_BRIDGE_BASE_DISJOINT_H
#define UKODE_BRIDGE_BASE_DISJOINT_H

/* The root of i, whose parent is itself. Shortens the path on the way. */
static inline int ukDisjointRoot(int *parent, int i)
{
    while (parent[i] != i) i = parent[i] = parent[parent[i]];
    return i;
}

#endif
