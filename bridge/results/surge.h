/* SPDX-License-Identifier: BSD-3-Clause */
/* bridge/results/surge.h: detects energy that the correction of position errors adds (surges). A step may meet all its
 * equations, and be certified, and yet throw its bodies: position errors are corrected with a speed, ERP times the
 * error over h, that stays with the bodies. Where joints are far open, or where a mechanism can follow only by moving
 * very much faster than it is asked to, that is more than all that was there. Programs that are tuned to iterations
 * that end before they get there do not see it until their equations are solved (docs/unconverged.md). */
#ifndef UKODE_BRIDGE_RESULTS_SURGE_H
#define UKODE_BRIDGE_RESULTS_SURGE_H

#include "bridge/island/island.h"
#include "bridge/island/notices.h"

/* After the solve of an island in the discrete form: stepper->surge has the worst of the step. Judged is the work of
 * the correction, of rigid rows alone: springs, motors, laws and users' constraints have causes. It is a surge if it is
 *  - more than eight times the kinetic energy that the island had and that its forces give it in a step,
 *  - more than what turns its bodies by a tenth of a radian in the step: not rounding, not at rest,
 *  - there afterwards: the step has added as much to the kinetic energy (a body that stops at a wall is not thrown,
 *    however large the forces are),
 *  - and either of joints and stops that nobody has touched for ten steps (an error that was made, by an attachment, an
 *    anchor, a stop, a first state, is its maker's),
 *    or a thousand times what it takes to correct each row for itself (bodies that were put into each other come apart
 *    with the speed that they are asked for).
 * It is one as well if the kinetic energy of fast islands has grown a hundredfold in consecutive steps, and a quarter of
 * that or more is the net work of rigid rows of such joints, which is zero in a mechanism: `before` and `work` are of all these steps. */
void ukSurgeWatch(const ukIsland *island, double h, ukGrowth *growth, ukSurge *surge);

#endif
