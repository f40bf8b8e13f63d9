/* solvers/sweep.h: projected Gauss-Seidel sweeps, row by row and disc by disc (QuickStep's iteration without its random
 * order, from the present multipliers). Slow to end, but it goes on where sets and interior points jam, and what it
 * leaves tells the set. */
#ifndef UKODE_SOLVERS_SWEEP_H
#define UKODE_SOLVERS_SWEEP_H

#include "solvers/bounded.h"

/* `sweeps` times over all rows in their order; bounds of friction rows follow their normal forces. lambda in C, in and
 * out. */
void ukSweep(ukBounded *B, int sweeps, double *lambda);

#endif
