/* SPDX-License-Identifier: BSD-3-Clause */
/* tests/bridge/island/joined.h: joints between bodies in either order of attachment. */
#ifndef UKODE_TESTS_BRIDGE_ISLAND_JOINED_H
#define UKODE_TESTS_BRIDGE_ISLAND_JOINED_H

#include <stdbool.h>

#include <ode/ode.h>

/* swapped: (b, a) instead of (a, b); NULL: the world */
static inline void attach(dJointID j, dBodyID a, dBodyID b, bool swapped)
{
    if (swapped)
        dJointAttach(j, b, a);
    else
        dJointAttach(j, a, b);
}

/* Joins two bodies by a fixed joint at their present poses. */
static inline void fix(dWorldID w, dBodyID a, dBodyID b, bool swapped)
{
    const dJointID fixed = dJointCreateFixed(w, NULL);
    attach(fixed, a, b, swapped);
    dJointSetFixed(fixed);
}

#endif
