/* SPDX-License-Identifier: BSD-3-Clause */
/* bridge/island/gather.h: reads the poses, velocities and masses of an island's bodies from ODE, before its
 * assembly. */
#ifndef UKODE_BRIDGE_ISLAND_GATHER_H
#define UKODE_BRIDGE_ISLAND_GATHER_H

#include "bridge/island/island.h"

/* Records of bodies and joints are prefetched so many places ahead, by cache lines. They are allocated separately,
 * several hundred bytes apart, in no pattern that hardware prefetching detects: at 3000 bodies, a third of the assembly
 * time is waiting for them, and prefetching saves a third of that (chain: 0.39 to 0.34 us per body). */
enum { ukPrefetchAhead = 6, ukPrefetchLine = 64 /* [bytes] */ };

/* Gathers the bodies of `island` from ODE. ukOk, ukErrorNotFinite, ukErrorMass; the message names the body. */
int ukGatherIsland(ukIsland *island);
/* The modes of all motors of bounded force undecided. ukGatherIsland does it where the integrator is adaptive. */
void ukGatherResetMotors(const ukIsland *island);
/* Reads one body into f for a step; the same statuses. */
int ukGatherFrame(ukFrame *f, bool *kinematic);

#endif
