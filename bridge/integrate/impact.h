/* SPDX-License-Identifier: BSD-3-Clause */
/* bridge/integrate/impact.h: impacts at the start of a step under RK4, adaptive and RATTLE. Contacts and stops that
 * close and bounce, with their restitution e, give impulses p by which the velocities jump at the same pose:
 *
 *   M (v' - v) = A' p,   A v' = target of joints,
 *   p_n >= 0,  u' = A_n v' >= -e u,  p_n (u' + e u) = 0,   u = A_n v < 0,   all relative to moving surfaces
 *
 * with friction by Coulomb's law on the impulses. A contact or stop that touches without closing has u = 0; one that
 * separates takes no part. If an impulse makes it close, a further impact follows, until none closes. So e = 1 without
 * friction conserves the kinetic energy. The step then continues from v': in the continuous form where all contacts and
 * stops separate, else in the discrete form with poses advanced by the mean velocity, which is exact for a body in
 * flight. */
#ifndef UKODE_BRIDGE_INTEGRATE_IMPACT_H
#define UKODE_BRIDGE_INTEGRATE_IMPACT_H

#include "bridge/island/assemble.h"

/* Impacts with restitution of an island assembled at its start in the discrete form. *any: velocities of the frames'
 * starts and states have jumped, and the island must be assembled again; else it is unchanged. ukOk or a status of the
 * solver. */
int ukImpact(ukIsland *island, double h, bool *any);

/* The same within a step, also if no row has restitution: rows that close come to rest. rest: so do rows whose
 * coefficient of restitution is below 1. */
int ukImpactWithin(ukIsland *island, double h, bool rest, bool *any);

/* Whether all contacts and stops of the island, solved in the discrete form, separate: it has some, and none has a
 * force. */
bool ukImpactOver(const ukIsland *island);

#endif
