/* tests/parity/sweep.h: one step of ukode against one step of dWorldStep on many random worlds.
 *
 * Where the two differ, the same equations are solved once more by the dense reference solver. Two solvers of the same
 * rows that disagree as well show a world that is ill-conditioned: rounding decides there, and ODE is no oracle. So
 * does an ODE step that changes by more than 1e-9 when positions and velocities change by 1e-13. Such worlds are
 * counted, and may be at most 0.5 % of all. A wrong row is never excused: both solvers would have it. */
#ifndef UKODE_TESTS_PARITY_SWEEP_H
#define UKODE_TESTS_PARITY_SWEEP_H

#include "tests/support/random_world.h"

/* Worlds of seed0, seed0 + 1, ...; every one must agree to `tolerance` (relative, randomWorldDifference) with its
 * certificate holding and no fallback, or be ill-conditioned. */
void paritySweep(const char *name, int worlds, uint64_t seed0, const RandomWorldKind *kind, double tolerance);
void parityEnd(void); /* after all sweeps: the share of ill-conditioned worlds */

#endif
