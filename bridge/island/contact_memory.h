/* SPDX-License-Identifier: BSD-3-Clause */
/* bridge/island/contact_memory.h: the contact forces of the last steps, for the warm start. Contacts are made again
 * every step: they are matched by their pair of geoms (of bodies, where a program gives no geoms) and by position. */
#ifndef UKODE_BRIDGE_ISLAND_CONTACT_MEMORY_H
#define UKODE_BRIDGE_ISLAND_CONTACT_MEMORY_H

#include "bridge/joints/class.h"

/* What a contact does to the first of its pair. A collision space gives a pair's geoms in either order, and tangents
 * follow the normal wherever it turns: what lasts from step to step is the force in the world's frame. */
typedef struct ukContactWrench {
    double normal, force[3], torque[3]; /* multiplier of the normal row; of the other rows together */
} ukContactWrench;

typedef struct ukRemembered {
    const void *first, *second; /* the pair: geoms, or bodies; the lower address first */
    double position[3];
    ukContactWrench wrench[ukGuesses];
    int next;       /* of the same pair, -1: last */
    unsigned taken; /* the memory's step in which another contact took it last */
    bool ideal;     /* wrenches without laws are remembered, too; otherwise those hold nothing */
} ukRemembered;

/* Of the last two steps. ODE's spaces turn their lists over whenever geoms move, so that pairs come in one order and
 * the other by turns; and where a collider puts the points depends on it. What rests has two sets of contacts that
 * take turns. */
enum { ukContactSteps = 2 };

typedef struct ukContactMemory ukContactMemory;

ukContactMemory *ukContactMemoryCreate(void);
void ukContactMemoryDestroy(ukContactMemory *memory); /* NULL: nothing */

/* Before the first island of a step: every contact remembered may be taken, once. */
void ukContactMemoryBegin(ukContactMemory *memory);

/* The nearest contact of the joint's pair that no other one has taken, the last step's among equals; it is taken now.
 * sign: of the rows, which are those of the joint's body[0], for the first of the pair. NULL: there is none. */
ukRemembered *ukContactMemoryTake(ukContactMemory *memory, const ukJoint *joint, double *sign);

/* The oldest step's contacts give way to a new step's, none yet, with room for so many. False: no memory, or none. */
bool ukContactMemoryRenew(ukContactMemory *memory, int contacts);
/* One more of the new step, its wrenches the caller's to write. Of a pair, the last one added is the first one tried.
 */
ukRemembered *ukContactMemoryAdd(ukContactMemory *memory, const ukJoint *joint, double *sign);

/* What is remembered of the last step (0) and the one before (1): how many, and the i-th, in the order of ...Add. */
int ukContactMemoryCount(const ukContactMemory *memory, int steps_ago);
const ukRemembered *ukContactMemoryEntry(const ukContactMemory *memory, int steps_ago, int i);
/* The same contact, told of the other of its pair first. */
void ukContactMemoryTurn(ukRemembered *entry);
/* The same of another memory, either of its pair first, added to the step renewed last. */
void ukContactMemoryCopy(ukContactMemory *memory, const ukRemembered *entry);

#endif
