/* SPDX-License-Identifier: BSD-3-Clause */
/* bridge/base/contact_memory.h: the contact forces of the last steps, for the warm start. Contacts are created again in
 * every step: a contact is found again by its pair of things, whatever they are, in either order, and by its position.
 * Nothing here knows joints: bridge/results/remember.h stores contacts, bridge/solve/warm_start.h takes them. */
#ifndef UKODE_BRIDGE_BASE_CONTACT_MEMORY_H
#define UKODE_BRIDGE_BASE_CONTACT_MEMORY_H

#include <stdbool.h>

/* Kinds of multipliers of which forces are kept (ukGuess of bridge/world/record.h): those of the whole problem, and
 * where there are laws as many again of the ideal one. */
enum { ukContactWhole = 2, ukContactKinds = 4 };

/* The wrench of a contact on the first of its pair. A collision space returns a pair's geoms in either order, and
 * tangents follow the normal in any rotation: the force in the world's frame is what persists from step to step. */
typedef struct ukContactWrench {
    double normal, force[3], torque[3]; /* multiplier of the normal row; force and torque of the other rows together */
} ukContactWrench;

typedef struct ukRemembered {
    const void *first, *second; /* the pair; the lower address first */
    double position[3];
    ukContactWrench wrench[ukContactKinds];
    int next;       /* next entry of the same pair, -1: none */
    unsigned taken; /* the memory's step in which another contact last took this one */
    bool ideal;     /* wrenches without laws are stored, too; otherwise they are undefined */
} ukRemembered;

/* Contacts of the last two steps are kept. ODE's spaces reverse their lists whenever geoms move, so that pairs
 * alternate between two orders, on which the places of the contact points depend: bodies at rest have two alternating
 * sets of contacts. */
enum { ukContactSteps = 2 };

typedef struct ukContactMemory ukContactMemory;

/* Key of a contact: its pair, its position, and the sign of its rows' forces for the first of the pair. */
typedef struct ukContactKey {
    const void *first, *second;
    const double *position; /* (3) */
    double sign;
} ukContactKey;

ukContactMemory *ukContactMemoryCreate(void);
void ukContactMemoryDestroy(ukContactMemory *memory); /* NULL: no effect */

/* Called before the first island of a step: every stored contact may be taken once. */
void ukContactMemoryBegin(ukContactMemory *memory);

/* Takes the nearest contact of the pair that no other one has taken; among equals, the last step's. *sign: sign of the
 * rows for the first of the entry's pair. NULL: there is none. */
ukRemembered *ukContactMemoryTake(ukContactMemory *memory, const ukContactKey *key, double *sign);

/* Replaces the oldest step's contacts by those of a new step, none yet, with capacity for `contacts`. False: no memory,
 * or no contacts. */
bool ukContactMemoryRenew(ukContactMemory *memory, int contacts);
/* Adds a contact to the new step; the caller writes its wrenches. Of a pair, the last one added is the first one
 * tried. */
ukRemembered *ukContactMemoryAdd(ukContactMemory *memory, const ukContactKey *key, double *sign);

/* The contacts of the last step (0) and the one before (1): their number, and the i-th, in the order of ...Add. */
int ukContactMemoryCount(const ukContactMemory *memory, int steps_ago);
const ukRemembered *ukContactMemoryEntry(const ukContactMemory *memory, int steps_ago, int i);
/* Converts the contact to the reverse order of its pair. */
void ukContactMemoryTurn(ukRemembered *entry);
/* Adds a contact of another memory, in either order of its pair, to the step renewed last. */
void ukContactMemoryCopy(ukContactMemory *memory, const ukRemembered *entry);

#endif
