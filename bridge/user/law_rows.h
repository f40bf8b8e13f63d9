/* SPDX-License-Identifier: BSD-3-Clause */
/* bridge/user/law_rows.h: the directions in which a law acts at a state, and its rows there. */
#ifndef UKODE_BRIDGE_USER_LAW_ROWS_H
#define UKODE_BRIDGE_USER_LAW_ROWS_H

#include "bridge/user/joint_law.h"

/* The most rows that the law can have. */
int ukLawRowBound(const ukLaw *law);

/* Slides, axes and rates at the states of the owner's bodies (slots; a NULL b is the world). Of a constraint, whose A
 * is that of this state. */
void ukLawPlace(ukLaw *law, const ukState *const *state, bool continuous);
/* Writes the law's rows after ukLawPlace; returns how many. Discrete form: one for each axis of dry friction, c = 0,
 * and one for each axis of viscous friction, c = -lambda/viscous, all bound to lambda = 0 until the solve (see
 * bridge/solve/nonideal.c). Continuous form: the axes of slides at rest, bound to 0 as well, and of stuck slides, free.
 */
int ukLawRows(ukLaw *law, bool continuous, ukRowSink *sink);

/* Adds to force (6 slots, internal order) a force f along axis i of a slide, or along free axis i of the joint. */
void ukLawPushSlide(const ukLaw *law, const ukSlide *slide, int i, double f, double *force);
void ukLawPushAxis(const ukLaw *law, int i, double f, double *force);

#endif
