/* SPDX-License-Identifier: BSD-3-Clause */
/* bridge/integrate/event_source.h: what can cause an event within a step of the continuous form (stick.h), and its
 * event function. The function is positive before the event and zero at it: of a moving slide, the rate along its
 * direction; of a stuck slide, the margin of its force to its bound; of a motor at its bound, the speed that it
 * lacks; of a motor that keeps its speed, the margin of its force; a one-sided or bounded row's (one_sided.h); a
 * switching function on its side. */
#ifndef UKODE_BRIDGE_INTEGRATE_EVENT_SOURCE_H
#define UKODE_BRIDGE_INTEGRATE_EVENT_SOURCE_H

#include "bridge/integrate/one_sided.h"
#include "bridge/user/joint_law.h"

/* a slide of dry friction, a motor of bounded force, a one-sided row, or a switching function; the others are NULL */
typedef struct ukEventSource {
    ukSlide *slide;
    ukModalMotor *modal_motor;
    ukOneSided row;
    struct ukForce *switching;
} ukEventSource;

/* iterates over all slides, from (i, k) on, then all motors, one-sided rows and switching functions */
typedef struct ukEventWalk {
    const ukIsland *island;
    int i, k;
    ukLaw *law; /* the law of the slide */
    ukEventSource at;
} ukEventWalk;

/* Proceeds to the next source; false: there are no more. */
bool ukEventNext(ukEventWalk *walk);
bool ukEventSame(ukEventSource x, ukEventSource y);

/* A M^-1 A' of a motor's row. */
double ukEventMotorScale(const ukIsland *island, const ukModalMotor *modal_motor);
/* J qdd of a motor's row at the solved island. */
double ukEventMotorAcceleration(const ukIsland *island, const ukModalMotor *modal_motor);
/* The largest rate of a motor of bounded force relative to its target, or of a slide of dry friction (of known
 * `scale`), that counts as zero in h [s]: a fraction of what its force changes in this time, at least what impacts
 * leave of rates (ukRowNegligibleRate, of the scale of rates). */
double ukEventLeastMotor(const ukIsland *island, const ukModalMotor *modal_motor, double h, double scale);
double ukEventLeastSlide(const ukSlide *slide, double h, double scale);

/* Whether the source has an event function at the assembled island; a stop near a singular pose of its joint has
 * none. */
bool ukEventIsFollowed(ukEventSource of);
/* The event function at the assembled (and, for forces, solved) island. */
double ukEventMargin(const ukIsland *island, ukEventSource of);
/* The event function at the start of the part of the step in progress. */
double *ukEventBefore(ukEventSource of);
/* Stores the event functions of all sources, at the start of a part. */
void ukEventRemember(ukIsland *island);
/* Finds the source that is farthest past its event; false: none is. */
bool ukEventWorst(ukIsland *island, ukEventSource *found);
/* The source's joint or user object, for messages. */
void ukEventName(const ukIsland *island, ukEventSource of, char *text, size_t size);
/* Changes the mode of a source whose event is at the present time, until ukEventRemember: a solve with bounds, whose
 * multipliers are accurate to its tolerance only, could choose the old mode again, and the event would recur. */
void ukEventCross(const ukIsland *island, ukEventSource of);
/* Largest distance past its event that is accepted where the event is located, in a part that begins h [s] before the
 * end of the step: less than what counts as zero where modes are chosen. `change` of the event function in the part. */
double ukEventAccepted(const ukIsland *island, ukEventSource of, double change, double h);

#endif
