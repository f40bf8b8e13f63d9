/* SPDX-License-Identifier: BSD-3-Clause */
/* bridge/watch/validate.h: compares the records with ODE's getters after every change and every step of a debug build
 * (UKODE_VALIDATE); empty in other builds.
 *
 * A mismatch is a fault of ukode's, or of a program that reached ODE past the interposer: it is printed, and counted
 * for the tests (tests/check.h). The step continues, because the process is the user's.
 *
 * What is compared: counts and lists, forwards and backwards; which object a handle leads to; a joint's type, bodies
 * and place in their lists; its parameters, anchors and axes, unless they are to be read again anyway; a body's mass,
 * inertia and kind, unless likewise; and the bodies that are enabled with those of the islands that the next step would
 * take. */
#ifndef UKODE_BRIDGE_WATCH_VALIDATE_H
#define UKODE_BRIDGE_WATCH_VALIDATE_H

#include "bridge/world/record.h"

#ifdef UKODE_VALIDATE
/* `world`: everything of it; the others: one object. */
void ukValidateWorld(const ukWorld *world);
void ukValidateBody(const ukBody *body);
void ukValidateJoint(const ukJoint *joint);
int ukValidateFaults(void); /* so far in this process */
#else
static inline void ukValidateWorld(const ukWorld *world)
{
    (void)world;
}
static inline void ukValidateBody(const ukBody *body)
{
    (void)body;
}
static inline void ukValidateJoint(const ukJoint *joint)
{
    (void)joint;
}
#endif

#endif
