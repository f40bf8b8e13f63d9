/* SPDX-License-Identifier: BSD-3-Clause */
/* bridge/results/surge.h: detects energy that the correction of position errors adds (surges). A step may satisfy all
 * its equations, and be certified, and yet accelerate bodies without a physical cause: position errors are corrected
 * with a velocity, ERP times the error over h, which the bodies keep. Where a joint has a large error, or where a
 * mechanism can follow only by moving very much faster than the correction, this adds more energy than the island had.
 * Programs that are tuned to unconverged iterations do not show it until their equations are solved
 * (docs/unconverged.md). */
#ifndef UKODE_BRIDGE_RESULTS_SURGE_H
#define UKODE_BRIDGE_RESULTS_SURGE_H

#include "bridge/island/island.h"
#include "bridge/island/notices.h"

/* Called after the solve of an island in the discrete form; stepper->surge is the largest surge of the step. The
 * criterion is the work of the correction by rigid rows alone: springs, motors, laws and users' constraints have causes
 * of their own. The work is a surge if it is
 *  - more than eight times the sum of the island's kinetic energy and that which its forces supply in a step,
 *  - more than the energy that rotates its bodies by a tenth of a radian in the step: not rounding, not at rest,
 *  - present afterwards: the step has added as much to the kinetic energy (a body that stops at a wall does not surge,
 *    however large the forces are),
 *  - and either of joints and stops that the program has not set for ten steps (errors made by an attachment, an
 *    anchor, a stop or an initial state are the program's),
 *    or a thousand times the energy that correcting each row alone takes (bodies that were placed into each other
 *    separate with the prescribed speed).
 * It is a surge as well if the kinetic energy of fast islands has grown a hundredfold in consecutive steps and at least
 * a quarter of the growth is the net work of rigid rows of such joints, which is zero in a mechanism: `before` and
 * `work` are then those of all these steps. */
void ukSurgeWatch(const ukIsland *island, double h, ukGrowth *growth, ukSurge *surge);

#endif
