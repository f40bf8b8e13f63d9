/* SPDX-License-Identifier: BSD-3-Clause */
/* bridge/joints/undirected.h: what of a contact depends on the first friction direction, although the program has not
 * set it (dContactFDir1): bits of ukContactUndirected and of recordings. */
#ifndef UKODE_BRIDGE_JOINTS_UNDIRECTED_H
#define UKODE_BRIDGE_JOINTS_UNDIRECTED_H

enum { ukUndirectedMotion = 1, ukUndirectedFriction = 2, ukUndirectedSlip = 4 };

#endif
