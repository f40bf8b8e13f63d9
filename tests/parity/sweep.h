/* SPDX-License-Identifier: BSD-3-Clause */
/* tests/parity/sweep.h: one step of ukode against one step of dWorldStep on many random worlds.
 *
 * Where the two differ, the same equations are solved once more by the dense reference solver. A world is excused only
 * as ODE's own rounding: ukode's two independent solutions agree, and an ODE step changes by more than a tenth of
 * PARITY_AGREES when positions and velocities change by PARITY_NUDGE (precision.h). Such worlds are counted, and may be
 * at most PARITY_ILL of all. CFM is what ODE makes of it (ukCfmOde). Loops are measured by what their joints hold
 * against each other (randomWorldPush). */
#ifndef UKODE_TESTS_PARITY_SWEEP_H
#define UKODE_TESTS_PARITY_SWEEP_H

#include "tests/support/random_world.h"

/* Worlds of seed0, seed0 + 1, ...; every one must agree to `tolerance` (relative, randomWorldDifference) with its
 * certificate holding and no fallback, or be ill-conditioned. */
void paritySweep(const char *name, int worlds, uint64_t seed0, const RandomWorldKind *kind, double tolerance);
void parityEnd(void); /* after all sweeps: the share of ill-conditioned worlds */

#endif
